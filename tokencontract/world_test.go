package tokencontract_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm/runtime"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/tokencontract"
)

var (
	ten      = fixtures.USD("10")
	oneUnit  = uint256.NewInt(1)
	maxUint  = new(uint256.Int).SetAllOne()
	nobody   = common.Address{}
	bigOne   = big.NewInt(1)
	bigMax   = maxUint.ToBig()
	startUSD = fixtures.USD("1000")
)

// world is a chain with a fresh token, its roles in separate hands, and a payer and a wallet with 1,000 dollars each.
type world struct {
	t      *testing.T
	chain  *evm
	token  common.Address
	domain tokencontract.Domain
	wallet common.Address // an ERC-1271 wallet; the payer's key signs for it

	payer, merchant, relayer, stranger             fixtures.Account
	owner, masterMinter, pauser, blacklister, mint fixtures.Account
}

func newWorld(t *testing.T, c *evm) *world {
	w := &world{
		t: t, chain: c,
		payer: fixtures.Dev(0), merchant: fixtures.Dev(1), relayer: fixtures.Dev(2), stranger: fixtures.Dev(3),
		owner: fixtures.Dev(4), masterMinter: fixtures.Dev(5), pauser: fixtures.Dev(6), blacklister: fixtures.Dev(7), mint: fixtures.Dev(8),
	}
	w.token = w.deploy(tokencontract.Strict.DeployCode(tokencontract.Params{
		Owner: w.owner.Address, MasterMinter: w.masterMinter.Address, Pauser: w.pauser.Address, Blacklister: w.blacklister.Address,
	}))
	w.domain = tokencontract.Domain{Name: tokencontract.MainnetName, Version: tokencontract.Version, ChainID: c.chainID, VerifyingContract: w.token}
	w.wallet = w.deployWallet(w.payer.Address)
	w.must(w.masterMinter, binding.PackConfigureMinter(w.mint.Address, bigMax))
	w.fund(w.payer.Address, startUSD)
	w.fund(w.wallet, startUSD)
	return w
}

// send sends a transaction to the token.
func (w *world) send(from fixtures.Account, data []byte) ending {
	return w.chain.Send(from, &w.token, data)
}

// must sends a transaction to the token that succeeds.
func (w *world) must(from fixtures.Account, data []byte) ending {
	outcome := w.send(from, data)
	reason, _ := abi.UnpackRevert(outcome.Output)
	require.True(w.t, outcome.Succeeded, "reverted: %q", reason)
	return outcome
}

// reverts sends a transaction to the token that reverts with a reason; "" is without any data.
func (w *world) reverts(from fixtures.Account, data []byte, reason string) {
	w.revertsAs(w.send(from, data), reason)
}

func (w *world) revertsAs(outcome ending, reason string) {
	require.False(w.t, outcome.Succeeded, "succeeded, want %q", reason)
	require.Empty(w.t, outcome.Logs)
	if reason == "" {
		require.Empty(w.t, outcome.Output)
		return
	}
	got, err := abi.UnpackRevert(outcome.Output)
	require.NoError(w.t, err, "revert data %x", outcome.Output)
	require.Equal(w.t, reason, got)
}

// deploy creates a contract as a stranger.
func (w *world) deploy(code []byte) common.Address {
	outcome := w.chain.Send(w.stranger, nil, code)
	reason, _ := abi.UnpackRevert(outcome.Output)
	require.True(w.t, outcome.Succeeded, "creation reverted: %q", reason)
	return outcome.Created
}

func (w *world) deployWallet(owner common.Address) common.Address {
	return w.deploy(contracts.DeployCode(contracts.WalletMetaData.Bin, contracts.NewWallet().PackConstructor(owner)...))
}

func (w *world) fund(account common.Address, amount *uint256.Int) {
	w.must(w.mint, tokencontract.PackMint(account, amount))
}

func (w *world) pause()                          { w.must(w.pauser, binding.PackPause()) }
func (w *world) unpause()                        { w.must(w.pauser, binding.PackUnpause()) }
func (w *world) blacklist(a common.Address)      { w.must(w.blacklister, binding.PackBlacklist(a)) }
func (w *world) unBlacklist(a common.Address)    { w.must(w.blacklister, binding.PackUnBlacklist(a)) }
func (w *world) slot(n common.Hash) *uint256.Int { return new(uint256.Int).SetBytes32(w.word(n)) }

func (w *world) word(slot common.Hash) []byte {
	word := w.chain.Storage(w.token, slot)
	return word[:]
}

// read calls the token and returns the only word, as a number.
func (w *world) read(data []byte) *uint256.Int {
	outcome := w.chain.Call(nobody, w.token, data)
	require.True(w.t, outcome.Succeeded)
	require.Len(w.t, outcome.Output, 32)
	return new(uint256.Int).SetBytes(outcome.Output)
}

func (w *world) is(want bool, data []byte) {
	require.Equal(w.t, want, !w.read(data).IsZero())
}

func (w *world) balanceIs(account common.Address, want *uint256.Int) {
	require.Equal(w.t, want.Dec(), w.read(tokencontract.PackBalanceOf(account)).Dec())
}

func (w *world) allowanceIs(owner, spender common.Address, want *uint256.Int) {
	require.Equal(w.t, want.Dec(), w.read(binding.PackAllowance(owner, spender)).Dec())
}

func (w *world) usedIs(want bool, authorizer common.Address, nonce common.Hash) {
	w.is(want, tokencontract.NewToken().PackAuthorizationState(authorizer, nonce))
}

// logs checks a transaction's logs of the token: how many, and the names of their events in order.
func (w *world) logsAre(outcome ending, names ...string) {
	var got []string
	for _, log := range outcome.Logs {
		require.Equal(w.t, w.token, log.Address)
		event, err := tokencontract.ABI().EventByID(log.Topics[0])
		require.NoError(w.t, err)
		got = append(got, event.Name)
	}
	require.Equal(w.t, names, got)
}

func (w *world) transferLogIs(log *types.Log, from, to common.Address, value *uint256.Int) {
	transfer, err := tokencontract.DecodeTransfer(*log)
	require.NoError(w.t, err)
	require.Equal(w.t, tokencontract.Transfer{From: from, To: to, Value: value.Clone()}, transfer)
}

func plus(a *uint256.Int, b *uint256.Int) *uint256.Int  { return new(uint256.Int).Add(a, b) }
func minus(a *uint256.Int, b *uint256.Int) *uint256.Int { return new(uint256.Int).Sub(a, b) }

// ending is how a transaction or call ended.
type ending struct {
	Succeeded bool
	Output    []byte         // return data, also of a revert
	Created   common.Address // the contract, of a creation
	Logs      []*types.Log
}

// tableCase is one row of the table.
type tableCase struct {
	name string
	run  func(t *testing.T, c *evm)
}

// allCases returns the whole table.
func allCases() []tableCase {
	return slices.Concat(
		settlementCases(), boundCases(), orderCases(), cancelCases(), permitCases(), batchCases(), limitCases(),
		allowanceCases(), transferCases(), mintCases(), roleCases(), blacklistCases(), rescueCases(), initializeCases(),
		storageCases(), signatureCases(), delegationCases(),
	)
}

// newCase builds a case that runs in a fresh world.
func newCase(name string, run func(w *world)) tableCase {
	return tableCase{name, func(t *testing.T, c *evm) { run(newWorld(t, c)) }}
}

// signer is a way to pay: the holder of the money, and the form in which its signature reaches the token.
type signer struct {
	name   string
	vrs    bool // v, r, s form; otherwise bytes
	wallet bool // the ERC-1271 wallet; otherwise the payer's own account
}

var signers = []signer{{"EOA v,r,s", true, false}, {"EOA bytes", false, false}, {"ERC-1271 bytes", false, true}}

func (s signer) address(w *world) common.Address {
	if s.wallet {
		return w.wallet
	}
	return w.payer.Address
}

// settlement is one of the two functions that settle an authorization.
type settlement struct {
	name    string
	receive bool
}

var settlements = []settlement{{"transferWithAuthorization", false}, {"receiveWithAuthorization", true}}

func (k settlement) message(a tokencontract.Authorization) tokencontract.Message {
	if k.receive {
		return a.ReceiveMessage()
	}
	return a.TransferMessage()
}

// sender returns an account that may submit: the payee of a capture, anybody for a transfer.
func (k settlement) sender(w *world) fixtures.Account {
	if k.receive {
		return w.merchant
	}
	return w.relayer
}

func (k settlement) pack(w *world, s signer, a tokencontract.Authorization, signature []byte) []byte {
	if !s.vrs {
		if k.receive {
			return a.PackReceiveBytes(signature)
		}
		return a.PackTransferBytes(signature)
	}
	parsed, err := tokencontract.ParseSignature(signature)
	require.NoError(w.t, err)
	if k.receive {
		return a.PackReceive(parsed)
	}
	return a.PackTransfer(parsed)
}

// signed returns the call data of an authorization signed by the payer's key.
func (k settlement) signed(w *world, s signer, a tokencontract.Authorization) []byte {
	return k.signedBy(w, s, a, w.payer)
}

func (k settlement) signedBy(w *world, s signer, a tokencontract.Authorization, key fixtures.Account) []byte {
	return k.pack(w, s, a, key.Sign(w.domain, k.message(a)).Bytes())
}

// terms returns ten dollars for the merchant, valid around now.
func (w *world) terms(s signer) tokencontract.Authorization {
	return tokencontract.Authorization{
		From:        s.address(w),
		To:          w.merchant.Address,
		Value:       ten,
		ValidAfter:  w.chain.Now() - 60,
		ValidBefore: w.chain.Now() + 900,
		Nonce:       tokencontract.NonceFromSeed("order"),
	}
}

// untouched checks that an authorization was not used and moved nothing.
func (w *world) untouched(s signer, a tokencontract.Authorization) {
	w.usedIs(false, a.From, a.Nonce)
	w.balanceIs(s.address(w), startUSD)
	w.balanceIs(w.merchant.Address, new(tokenUnits))
}

const testChainID = 31337

// evm is the smallest chain: go-ethereum's EVM on a state, without blocks.
type evm struct {
	t       *testing.T
	state   *state.StateDB
	chainID uint64
	time    uint64
	sent    int64
}

func newEVM(t *testing.T) *evm {
	t.Helper()
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	require.NoError(t, err)
	return &evm{t: t, state: db, chainID: testChainID, time: 1_700_000_000}
}

func (e *evm) Now() uint64              { return e.time }
func (e *evm) SetTime(timestamp uint64) { e.time = timestamp }

func (e *evm) config(from common.Address) *runtime.Config {
	rules := *params.MergedTestChainConfig
	rules.ChainID = new(big.Int).SetUint64(e.chainID)
	return &runtime.Config{
		ChainConfig: &rules, Origin: from, State: e.state, Time: e.time,
		BlockNumber: big.NewInt(1), GasLimit: 30_000_000, BaseFee: new(big.Int),
	}
}

func (e *evm) Send(from fixtures.Account, to *common.Address, data []byte) ending {
	e.sent++
	hash := common.BigToHash(big.NewInt(e.sent))
	e.state.SetTxContext(hash, int(e.sent), 0)
	config := e.config(from.Address)
	var out ending
	var err error
	if to == nil {
		out.Output, out.Created, _, err = runtime.Create(data, config)
	} else {
		out.Output, _, err = runtime.Call(*to, data, config)
	}
	out.Succeeded = err == nil
	out.Logs = e.state.GetLogs(hash, 1, common.Hash{}, e.time)
	e.state.Finalise(e.rules())
	return out
}

func (e *evm) Call(from, to common.Address, data []byte) ending {
	snapshot := e.state.Snapshot()
	defer e.state.RevertToSnapshot(snapshot)
	output, _, err := runtime.Call(to, data, e.config(from))
	return ending{Succeeded: err == nil, Output: output}
}

func (e *evm) Storage(account common.Address, slot common.Hash) common.Hash {
	return e.state.GetState(account, slot)
}

func (e *evm) Delegate(account fixtures.Account, to common.Address) {
	e.state.SetCode(account.Address, types.AddressToDelegation(to), tracing.CodeChangeAuthorization)
}

// place puts a genesis account on the chain.
func (e *evm) place(address common.Address, account types.Account) {
	e.state.SetCode(address, account.Code, tracing.CodeChangeGenesis)
	e.state.SetNonce(address, account.Nonce, tracing.NonceChangeGenesis)
	for slot, value := range account.Storage {
		e.state.SetState(address, slot, value)
	}
	e.state.Finalise(e.rules())
}

func (e *evm) storageRoot(address common.Address) common.Hash {
	e.state.IntermediateRoot(e.rules())
	return e.state.GetStorageRoot(address)
}

func (e *evm) rules() params.Rules {
	return e.config(common.Address{}).ChainConfig.Rules(big.NewInt(1), true, e.time)
}

// Ensure the token behaves as in the table, in a bare EVM.
func TestToken(t *testing.T) {
	t.Parallel()
	for _, c := range allCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, newEVM(t))
		})
	}
}
