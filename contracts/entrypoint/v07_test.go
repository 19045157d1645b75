package entrypoint_test

import (
	"maps"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/fixtures"
	helpers "github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/tokencontract"
)

var (
	v07           = entrypoint.NewEntryPointV07()
	simpleAccount = entrypoint.NewSimpleAccount()
)

// Limits of operation: gas in all, and wei for each.
const (
	packedFee = 2_000_000_000
)

// packedWorld is a chain with EntryPoint v0.7, and an account for it that is deployed and funded.
type packedWorld struct {
	*contracttest.Chain
	t              require.TestingT
	owner, bundler fixtures.Account
	account        common.Address
}

func newPackedCase(name string, run func(w *packedWorld)) tableCase {
	return tableCase{name, func(t require.TestingT, code []byte) {
		alloc := types.GenesisAlloc{}
		maps.Copy(alloc, entrypoint.Predeploys())
		maps.Copy(alloc, smartwallet.Predeploys())
		alloc[entrypoint.V07Address] = types.Account{Code: code, Nonce: 2}
		w := &packedWorld{Chain: contracttest.New(t, alloc), t: t, owner: fixtures.Dev(0), bundler: fixtures.Dev(1)}
		w.account = w.Deploy(helpers.DeployCode(entrypoint.SimpleAccountMetaData.Bin, simpleAccount.PackConstructor(w.owner.Address)...))
		w.GiveEther(w.account, fixtures.Ether("1"))
		w.Must(contracttest.Owner, contracttest.TokenAddress, tokencontract.PackMint(w.account, fixtures.USD("100")))
		run(w)
	}}
}

func (w *packedWorld) operation(callData []byte) entrypoint.PackedUserOperation {
	return entrypoint.PackedUserOperation{
		Sender: w.account, Nonce: new(big.Int), CallData: callData, AccountGasLimits: entrypoint.PackUint128s(300_000, 200_000),
		PreVerificationGas: big.NewInt(50_000), GasFees: entrypoint.PackUint128s(1_000_000_000, packedFee),
	}
}

func (w *packedWorld) sign(op entrypoint.PackedUserOperation, key fixtures.Account) entrypoint.PackedUserOperation {
	op.Signature = key.SignDigest(common.Hash(accounts.TextHash(op.Hash(contracttest.ChainID).Bytes()))).Bytes()
	return op
}

func (w *packedWorld) handle(ops ...entrypoint.PackedUserOperation) contracttest.Outcome {
	return w.Must(w.bundler, entrypoint.V07Address, entrypoint.PackHandlePackedOps(beneficiary, ops...))
}

// result returns the event of an operation, which is in the last log.
func (w *packedWorld) result(outcome contracttest.Outcome) *entrypoint.EntryPointV07UserOperationEvent {
	event, err := v07.UnpackUserOperationEventEvent(outcome.Logs[len(outcome.Logs)-1])
	require.NoError(w.t, err)
	return event
}

func (w *packedWorld) pay() []byte {
	return simpleAccount.PackExecute(contracttest.TokenAddress, new(big.Int), tokencontract.PackTransfer(w.bundler.Address, dollar))
}

// v07Cases returns the table of EntryPoint v0.7.
func v07Cases() []tableCase {
	return []tableCase{
		newPackedCase("pays, and hashes as Go does", func(w *packedWorld) {
			op := w.sign(w.operation(w.pay()), w.owner)
			require.Equal(w.t, op.Hash(contracttest.ChainID).Bytes(), w.Read(entrypoint.V07Address, v07.PackGetUserOpHash(op)))
			outcome := w.handle(op)
			require.Equal(w.t, []string{"Deposited", "BeforeExecution", "UserOperationEvent"}, contracttest.Events(w.t, entrypoint.V07Address, v07.GetABI(), outcome.Logs))
			event := w.result(outcome)
			require.True(w.t, event.Success)
			require.Equal(w.t, event.ActualGasCost.String(), w.Ether(beneficiary).Dec())
			require.Equal(w.t, fixtures.USD("1001").Dec(), w.Tokens(w.bundler.Address).Dec())
		}),
		newPackedCase("hands the whole operation to an account that asks for it", func(w *packedWorld) {
			op := w.sign(w.operation(simpleAccount.GetABI().Methods["executeUserOp"].ID), w.owner)
			event, err := simpleAccount.UnpackExecutedEvent(w.handle(op).Logs[2])
			require.NoError(w.t, err)
			require.Equal(w.t, op.Hash(contracttest.ChainID), common.Hash(event.UserOpHash))
		}),
		newPackedCase("does not take operations while it runs some", func(w *packedWorld) {
			call := simpleAccount.PackExecute(entrypoint.V07Address, new(big.Int), entrypoint.PackHandlePackedOps(beneficiary))
			outcome := w.handle(w.sign(w.operation(call), w.owner))
			require.False(w.t, w.result(outcome).Success)
			reason, err := v07.UnpackUserOperationRevertReasonEvent(outcome.Logs[len(outcome.Logs)-2])
			require.NoError(w.t, err)
			require.Equal(w.t, contracttest.Error(w.t, v07.GetABI(), "ReentrancyGuardReentrantCall"), reason.RevertReason)
		}),
	}
}

// v08Cases returns the table of the changes in EntryPoint v0.8 since v0.7.
func v08Cases() []tableCase {
	version := entryPoints()[2]
	return []tableCase{
		newActorsCase("hashes as Go does", version, (*actors).hash),
		newActorsCase("a delegated account that is called first", version, func(w *actors) { w.delegatedAccount() }),
		newActorsCase("gas left of a limit costs a tenth above 40,000", version, (*actors).penalty),
	}
}

// v09Cases returns the table of the changes in EntryPoint v0.9 since v0.7.
func v09Cases() []tableCase {
	version := entryPoints()[3]
	return []tableCase{
		newActorsCase("hashes as Go does", version, (*actors).hash),
		newActorsCase("a delegated account that is called first", version, func(w *actors) { w.delegatedAccount("EIP7702AccountInitialized") }),
		newActorsCase("gas left of a limit costs a tenth above 40,000", version, (*actors).penalty),
		newActorsCase("code to create an account that exists is passed over", version, func(w *actors) {
			op := w.operation()
			op.InitCode = append(factory.Bytes(), pack("make", uint8(0), [32]byte{})...)
			names, _ := w.events(w.handle(op))
			require.Equal(w.t, []string{"IgnoredInitCode", "BeforeExecution", "UserOperationEvent"}, names)
		}),
		newActorsCase("a paymaster's signature is not signed by the account", version, func(w *actors) {
			op := w.operation()
			op.PaymasterAndData = append(sponsored(), common.FromHex("00000022e325a297439656")...)
			hash := w.hashOf(op)
			op.PaymasterAndData = append(sponsored(), common.FromHex("000001000122e325a297439656")...)
			signed := w.hashOf(op)
			op.PaymasterAndData[len(sponsored())+2] = 9
			require.NotEqual(w.t, hash, signed)
			require.Equal(w.t, signed, w.hashOf(op))
		}),
	}
}

func (w *actors) hashOf(op entrypoint.PackedUserOperation) common.Hash {
	return common.BytesToHash(w.chain.Read(w.version.address, v09.PackGetUserOpHash(op)))
}

func (w *actors) hash() {
	op := w.operation()
	op.InitCode, op.PaymasterAndData = factory.Bytes(), sponsored(1, 2, 3)
	require.Equal(w.t, op.TypedHash(contracttest.ChainID, w.version.address, common.Address{}), w.hashOf(op))
	op.Sender = delegated.Address
	for _, code := range []string{"7702", "7702000000000000000000000000000000000000", "77020000000000000000000000000000000000001234"} {
		op.InitCode = common.FromHex(code)
		require.Equal(w.t, op.TypedHash(contracttest.ChainID, w.version.address, plain), w.hashOf(op), code)
	}
}

func (w *actors) delegatedAccount(more ...string) {
	op := w.operation()
	op.Sender, op.InitCode = delegated.Address, common.FromHex("7702000000000000000000000000000000000000")
	names, _ := w.events(w.handle(op))
	require.Equal(w.t, []string{"Deposited", "BeforeExecution", "UserOperationEvent"}, names, "nothing is called")
	op.Nonce, op.InitCode = big.NewInt(1), append(op.InitCode, pack("execute", uint8(0), plain, pack("execute", uint8(0), common.Address{}, []byte(nil)))...)
	outcome := w.handle(op)
	names, _ = w.events(outcome)
	require.Equal(w.t, append(more, "Deposited", "BeforeExecution", "UserOperationEvent"), names)
	require.Equal(w.t, delegated.Address, outcome.Logs[0].Address, "the account was called")

	op.Nonce, op.InitCode = big.NewInt(2), append(op.InitCode[:20:20], pack("execute", uint8(10), common.Address{}, []byte(nil))...)
	failed := contracttest.Error(w.t, v07.GetABI(), "FailedOpWithRevert", new(big.Int), "AA13 EIP7702 sender init failed", contracttest.Reason("no"))
	w.chain.RevertsAs(w.handle(op), failed)
}

// penalty compares two operations whose call limits differ.
func (w *actors) penalty() {
	used := func(nonce int64, limit uint64) uint64 {
		op := w.operation()
		op.Nonce, op.CallData, op.AccountGasLimits = big.NewInt(nonce), nil, entrypoint.PackUint128s(700_000, limit)
		_, event := w.events(w.handle(op))
		return event.ActualGasUsed.Uint64()
	}
	used(0, 0) // from now on all touch the same storage
	none := used(1, 0)
	require.InDelta(w.t, none, used(2, 40_000), 500)
	require.InDelta(w.t, none+10_000, used(3, 100_000), 500)
}
