package entrypoint_test

import (
	"bytes"
	_ "embed"
	"maps"
	"math/big"
	"math/rand/v2"
	"regexp"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

// gasBand is the most gas by which the actualGasUsed of an operation may be above the published code's.
const gasBand = 20_000

// entryPoint is a version to compare.
type entryPoint struct {
	name    string // such as "0.8"
	address common.Address
}

// entryPoints returns all versions that fakenode has.
func entryPoints() []entryPoint {
	return []entryPoint{
		{"0.6", entrypoint.V06Address}, {"0.7", entrypoint.V07Address}, {"0.8", entrypoint.V08Address}, {"0.9", entrypoint.V09Address},
	}
}

// Addresses of the actors. The data of an operation says how an actor behaves: see actor.sol.
var (
	rich      = common.Address{0xac, 19: 1} // pays from its deposit
	plain     = common.Address{0xac, 19: 2} // pays from its balance
	poor      = common.Address{0xac, 19: 3}
	sponsor   = common.Address{0xac, 19: 4} // a paymaster with a deposit
	broke     = common.Address{0xac, 19: 5} // a paymaster without
	factory   = common.Address{0xac, 19: 6}
	delegated = fixtures.Dev(5)
	codeless  = fixtures.Dev(6).Address
)

var reasonCode = regexp.MustCompile(`AA\d\d`)

//go:embed testdata/actor/actor.bin
var actorBin string

// twins are two chains that differ in the code of one EntryPoint alone.
type twins struct {
	t            require.TestingT
	version      entryPoint
	random       *rand.Rand
	ours, theirs *contracttest.Chain
	seen         comparison
}

// comparison holds the results of compare.
type comparison struct {
	widestGas uint64         // the largest difference in the gas of an operation
	results   map[string]int // numbers of transactions by their reason, and of operations by their event
}

func newTwins(t require.TestingT, version entryPoint, published []byte, seed uint64) *twins {
	w := &twins{t: t, version: version, random: rand.New(rand.NewPCG(seed, 4337)), seen: comparison{results: map[string]int{}}}
	w.ours = w.chain(entrypoint.Predeploys()[version.address].Code)
	w.theirs = w.chain(published)
	return w
}

func (w *twins) chain(code []byte) *contracttest.Chain {
	alloc := types.GenesisAlloc{}
	maps.Copy(alloc, entrypoint.Predeploys())
	alloc[w.version.address] = types.Account{Code: code, Nonce: 2}
	actor := common.FromHex(actorBin)[actorRuntimeStart:]
	for _, address := range []common.Address{rich, plain, poor, sponsor, broke, factory} {
		alloc[address] = types.Account{Code: actor, Nonce: 1}
	}
	c := contracttest.New(w.t, alloc)
	c.GiveEther(plain, fixtures.Ether("10"))
	c.Delegate(delegated, plain)
	for _, account := range []common.Address{rich, sponsor} {
		require.True(w.t, c.SendValue(fixtures.Dev(0), w.version.address, v07.PackDepositTo(account), fixtures.Ether("1")).Succeeded)
	}
	return c
}

// actorRuntimeStart is where the deployed code begins in actor.bin: compiled.json has it.
const actorRuntimeStart = 31

// compare runs random bundles, each on a chain of its own, through fakenode's code and the published code. Both must
// succeed or fail alike, with equal revert data and equal logs, except for gas.
func compare(t require.TestingT, version entryPoint, published []byte, seed uint64, operations int) comparison {
	w := newTwins(t, version, published, seed)
	for sent := 0; sent < operations; {
		bundle := w.bundle()
		sent += bundle.size
		from := fixtures.Dev(1)
		if w.one(20) {
			from = delegated
		}
		ours := w.ours.Try(from, version.address, bundle.data, new(uint256.Int))
		theirs := w.theirs.Try(from, version.address, bundle.data, new(uint256.Int))
		w.same(ours, theirs, bundle.String())
	}
	return w.seen
}

func (w *twins) same(ours, theirs contracttest.Outcome, what string) {
	require.Equal(w.t, contracttest.Describe(withoutGas(theirs.Output)), contracttest.Describe(withoutGas(ours.Output)), what)
	require.Equal(w.t, theirs.Succeeded, ours.Succeeded, what)
	require.Equal(w.t, w.names(theirs.Logs), w.names(ours.Logs), what)
	w.seen.results[reason(ours)]++
	for i, log := range ours.Logs {
		want := theirs.Logs[i]
		w.seen.results[w.name(log)]++
		require.Equal(w.t, want.Topics, log.Topics, what)
		if log.Address != w.version.address || log.Topics[0] != v07.GetABI().Events["UserOperationEvent"].ID {
			require.Equal(w.t, want.Data, log.Data, what)
			continue
		}
		require.Equal(w.t, want.Data[:64], log.Data[:64], what) // nonce and success
		a, b := new(big.Int).SetBytes(log.Data[96:]).Uint64(), new(big.Int).SetBytes(want.Data[96:]).Uint64()
		require.GreaterOrEqual(w.t, a, b, what)
		require.LessOrEqual(w.t, a, b+gasBand, what)
		w.seen.widestGas = max(w.seen.widestGas, a-b)
	}
}

// reason returns the AA code that a transaction reverted with, else the selector of its error, or "succeeded".
func reason(outcome contracttest.Outcome) string {
	if outcome.Succeeded {
		return "succeeded"
	}
	if found := reasonCode.Find(outcome.Output); found != nil {
		return string(found)
	}
	return common.Bytes2Hex(outcome.Output[:min(4, len(outcome.Output))])
}

// withoutGas clears the parts of revert data that depend on gas: the sum that the beneficiary did not take, and in
// results of simulations the gas and the payment of an operation.
func withoutGas(output []byte) []byte {
	clearWords := func(from, words int) []byte {
		cleared := bytes.Clone(output)
		clear(cleared[from : from+32*words])
		return cleared
	}
	switch {
	case is(output, v09.GetABI(), "FailedSendToBeneficiary"):
		return clearWords(4+32, 1)
	case is(output, binding.GetABI(), "ExecutionResult"):
		return clearWords(4, 2)
	case is(output, binding.GetABI(), "ValidationResult"), is(output, binding.GetABI(), "ValidationResultWithAggregation"):
		return clearWords(4+int(new(big.Int).SetBytes(output[4:36]).Uint64()), 1)
	}
	return output
}

// is reports whether revert data is an error of an interface.
func is(output []byte, parsed abi.ABI, name string) bool {
	id := parsed.Errors[name].ID
	return bytes.HasPrefix(output, id[:4])
}

// names returns the first topics of logs, by name where the EntryPoint has one.
func (w *twins) names(logs []*types.Log) []string {
	var names []string
	for _, log := range logs {
		names = append(names, log.Address.Hex()+" "+w.name(log))
	}
	return names
}

func (w *twins) name(log *types.Log) string {
	events := v09.GetABI()
	if event, err := events.EventByID(log.Topics[0]); err == nil {
		return event.Name
	}
	return log.Topics[0].Hex()
}

// one reports true once in n times.
func (w *twins) one(n int) bool { return w.random.IntN(n) == 0 }

func pick[T any](w *twins, values ...T) T { return values[w.random.IntN(len(values))] }

// made is the address of the contract that the factory makes with a salt.
func made(salt common.Hash) common.Address {
	code := append(common.FromHex("3d602d80600a3d3981f3363d3d373d3d3d363d73"), factory[:]...)
	code = append(code, common.FromHex("5af43d82803e903d91602b57fd5bf3")...)
	return crypto.CreateAddress2(factory, salt, crypto.Keccak256(code))
}

// compareCalls makes random calls of deposits, stakes and nonces, one after another while time goes by, and of
// functions that only some versions have. Both codes must answer and log exactly alike.
func compareCalls(t require.TestingT, version entryPoint, published []byte, seed uint64, calls int) {
	w := newTwins(t, version, published, seed)
	for range calls {
		from, data, wei := fixtures.Dev(w.random.IntN(3)), w.directCall(), new(uint256.Int)
		if w.one(2) {
			wei.SetUint64(pick(w, 1, 1_000, uint64(1_000_000)))
		}
		ours, theirs := w.ours.SendValue(from, version.address, data, wei), w.theirs.SendValue(from, version.address, data, wei)
		what := common.Bytes2Hex(data)
		require.Equal(t, contracttest.Describe(theirs.Output), contracttest.Describe(ours.Output), what)
		require.Equal(t, theirs.Succeeded, ours.Succeeded, what)
		require.Equal(t, len(theirs.Logs), len(ours.Logs), what)
		for i, log := range ours.Logs {
			require.Equal(t, theirs.Logs[i].Topics, log.Topics, what)
			require.Equal(t, theirs.Logs[i].Data, log.Data, what)
		}
		now := w.ours.Now() + w.random.Uint64N(3)
		w.ours.SetTime(now)
		w.theirs.SetTime(now)
	}
}

// directCall returns a call of a function that needs no operation.
func (w *twins) directCall() []byte {
	account := fixtures.Dev(w.random.IntN(3)).Address
	amount := pick(w, new(big.Int), big.NewInt(1), big.NewInt(900), new(big.Int).Lsh(common.Big1, 80))
	to := pick(w, beneficiary, factory, w.version.address, entrypoint.V07SenderCreatorAddress) // the last takes no ether
	switch w.random.IntN(16) {
	case 0:
		return nil // receive
	case 1:
		return v07.PackDepositTo(account)
	case 2:
		return v07.PackWithdrawTo(to, amount)
	case 3, 4:
		return v07.PackAddStake(pick[uint32](w, 0, 1, 2, 5))
	case 5, 6:
		return v07.PackUnlockStake()
	case 7, 8:
		return v07.PackWithdrawStake(to)
	case 9:
		return v07.PackGetDepositInfo(account)
	case 10:
		return v07.PackIncrementNonce(amount)
	case 11:
		return v07.PackGetNonce(account, amount)
	case 12:
		return v07.PackGetSenderAddress(pick(w, append(factory.Bytes(), pack("make", uint8(0), [32]byte{1})...), append(factory.Bytes(), pack("make", uint8(10), [32]byte{})...)))
	case 13:
		return w.ofOneVersion()
	default:
		return v07.PackBalanceOf(account)
	}
}

// ofOneVersion returns a call that some of the versions have.
func (w *twins) ofOneVersion() []byte {
	op := w.operation()
	if w.version.name == "0.6" {
		simulated := binding.GetABI()
		undeployed, err := simulated.Pack("_validateSenderAndPaymaster", op.InitCode, op.Sender, unpacked([]entrypoint.PackedUserOperation{op})[0].PaymasterAndData)
		require.NoError(w.t, err)
		return pick(w, undeployed, binding.PackDeposits(rich), binding.PackSIGVALIDATIONFAILED(), binding.PackGetUserOpHash(unpacked([]entrypoint.PackedUserOperation{op})[0]))
	}
	choices := [][]byte{
		v07.PackGetUserOpHash(op), v07.PackDelegateAndRevert(rich, pack("execute", pick[uint8](w, 0, 10), common.Address{}, []byte(nil))),
	}
	for _, id := range []uint32{0x01ffc9a7, 0xcf28ef97, 0x3e84f021, 0x915074d8, 0x60fc6b6e, 0x989ccc58, 0x6930d3ee, 0x283f5489, 0xd9934b3f, 0xffffffff} {
		choices = append(choices, v07.PackSupportsInterface([4]byte(common.LeftPadBytes(big.NewInt(int64(id)).Bytes(), 4))))
	}
	if w.version.name != "0.7" {
		choices = append(choices, v09.PackSenderCreator(), v09.PackGetDomainSeparatorV4(), v09.PackGetPackedUserOpTypeHash(), v09.PackEip712Domain())
	}
	return pick(w, choices...)
}
