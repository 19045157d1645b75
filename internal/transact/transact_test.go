package transact_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/internal/transact"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

const gwei = 1_000_000_000

var alice, bob, carol, dave = fixtures.Dev(0), fixtures.Dev(1), fixtures.NamedAccount("carol"), fixtures.NamedAccount("dave")

// The contracts of the chains.
var (
	reverter = common.Address{0xc1} // reverts with the call data
	spinner  = common.Address{0xc2} // never ends
	burner   = common.Address{0xc3} // writes to memory where the call data says, which costs gas for all that is before
	picky    = common.Address{0xc4} // fails if it was called before
	paid     = common.Address{0xc5} // fails if it gets 7 wei
	ofAlice  = common.Address{0xc6} // fails if Alice calls
	priced   = common.Address{0xc7} // fails if gas has a price
	warm     = common.Address{0xc8} // fails if slot 0 is warm
	counter  = common.Address{0xc9}
	drainer  = common.Address{0xca} // sends all it has to its caller; Dave's code
)

// declared is the data of an error that a contract of the fixtures declares.
var declared = crypto.Keccak256([]byte("ExcessiveInvalidation()"))[:4]

const reverted = "execution reverted: ExcessiveInvalidation()"

// failsIf returns code that reverts with declared if what the given code leaves on the stack is not 0.
func failsIf(condition []byte) []byte {
	p := program.New().Append(condition)
	p.Push(len(condition)+4).Op(vm.JUMPI, vm.STOP, vm.JUMPDEST)
	return p.Push(declared).Push(0xe0).Op(vm.SHL).Push0().Op(vm.MSTORE).Push(4).Push0().Op(vm.REVERT).Bytes()
}

// newTimeline returns the timeline of a chain whose blocks have a gas limit.
func newTimeline(t *testing.T, upgrade string, gasLimit uint64, mode control.Mode) *preconf.Timeline {
	t.Helper()
	config, err := chain.ForkConfig(upgrade, 31337)
	require.NoError(t, err)
	alloc := chain.SystemContracts(config)
	if alloc == nil {
		alloc = make(types.GenesisAlloc)
	}
	for _, account := range []fixtures.Account{alice, bob} {
		alloc[account.Address] = types.Account{Balance: fixtures.Ether("10").ToBig()}
	}
	slot := program.New().Push0().Op(vm.SLOAD, vm.DUP1).Push(1).Push0().Op(vm.SSTORE).Bytes()
	cost := program.New().Op(vm.GAS).Push0().Op(vm.SLOAD, vm.POP, vm.GAS, vm.SWAP1, vm.SUB).Push(500).Op(vm.GT).Bytes()
	for address, code := range map[common.Address][]byte{
		reverter: labcode.Reverter(), spinner: labcode.Spinner(), burner: program.New().Push0().Push0().Op(vm.CALLDATALOAD, vm.MSTORE, vm.STOP).Bytes(), picky: failsIf(slot), counter: labcode.Counter(),
		paid: failsIf(program.New().Op(vm.CALLVALUE).Push(7).Op(vm.EQ).Bytes()), priced: failsIf([]byte{byte(vm.GASPRICE)}), warm: failsIf(cost),
		ofAlice: failsIf(program.New().Op(vm.CALLER).Push(alice.Address).Op(vm.EQ).Bytes()),
	} {
		alloc[address] = types.Account{Balance: new(big.Int), Code: code, Nonce: 1}
	}
	alloc[drainer] = types.Account{
		Balance: new(big.Int), Code: program.New().Push0().Push0().Push0().Push0().Op(vm.SELFBALANCE, vm.CALLER, vm.GAS, vm.CALL).Bytes(),
	}
	alloc[dave.Address] = types.Account{Balance: fixtures.Ether("10").ToBig(), Code: types.AddressToDelegation(drainer)}
	c, err := chain.New(&chain.Genesis{Config: config, GasLimit: gasLimit, Alloc: alloc, BaseFee: big.NewInt(gwei), Difficulty: new(big.Int)}, chain.Options{})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: c, Start: time.Unix(1_700_000_000, 0), Mode: mode})
	require.NoError(t, err)
	return timeline
}

// Ensure a transaction that is sent has the account's next nonce, twice the base fee as its price, and what it was
// told to have, and that nothing is sent of an account without a key.
func TestSend(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, "", 30_000_000, control.Manual)
	fee := timeline.Moment().Pending().Header().BaseFee
	require.Positive(t, fee.Sign())
	for nonce, tx := range []transact.Tx{
		{To: &bob.Address}, {To: &bob.Address, Value: uint256.NewInt(5), Gas: 50_000}, {Data: labcode.Deployment([]byte{1})}, {To: &counter, Data: []byte{1, 2}},
	} {
		signed, err := tx.Send(timeline, alice)
		require.NoError(t, err)
		require.EqualValues(t, nonce, signed.Nonce())
		require.Equal(t, tx.To, signed.To())
		require.Equal(t, string(tx.Data), string(signed.Data()))
		require.Zero(t, new(big.Int).Mul(fee, big.NewInt(2)).Cmp(signed.GasPrice()))
		from, err := types.Sender(timeline.Moment().Signer(), signed)
		require.NoError(t, err)
		require.Equal(t, alice.Address, from)
		switch nonce {
		case 0:
			require.EqualValues(t, 26_250, signed.Gas(), "a quarter more than it needs")
			require.Zero(t, signed.Value().Sign())
		case 1:
			require.EqualValues(t, 50_000, signed.Gas())
			require.EqualValues(t, 5, signed.Value().Int64())
		}
		found, err := timeline.Moment().Find(signed.Hash())
		require.NoError(t, err)
		require.True(t, found.Present())
		require.False(t, found.Executed())
	}
	_, err := transact.Tx{To: &bob.Address}.Send(timeline, fixtures.Account{Address: carol.Address})
	require.EqualError(t, err, fmt.Sprintf("account %s has no key", carol.Address))
	_, err = transact.Tx{To: &bob.Address, Value: uint256.NewInt(1)}.Send(timeline, carol)
	require.ErrorContains(t, err, "insufficient funds")

	old := newTimeline(t, "berlin", 30_000_000, control.Manual)
	signed, err := transact.Tx{To: &bob.Address}.Send(old, alice)
	require.NoError(t, err)
	require.Zero(t, signed.GasPrice().Sign(), "there is no base fee")
}

// Ensure the quarter that is added to an estimate exceeds neither the limit of a transaction nor that of a block.
func TestGasOfEstimates(t *testing.T) {
	t.Parallel()
	words := func(n int64) []byte { return common.BigToHash(big.NewInt(32 * (n - 1))).Bytes() } // 3n + n²/512 gas
	for _, test := range []struct {
		upgrade  string
		gasLimit uint64
		tx       transact.Tx
		want     uint64
	}{
		{"", 21_000, transact.Tx{To: &bob.Address}, 21_000},
		{"", 25_000, transact.Tx{To: &bob.Address}, 25_000},
		{"", 26_250, transact.Tx{To: &bob.Address}, 26_250},
		{"", 60_000_000, transact.Tx{To: &burner, Data: words(87_000)}, params.MaxTxGas},
		{"prague", 18_000_000, transact.Tx{To: &burner, Data: words(90_000)}, 18_000_000},
	} {
		signed, err := test.tx.Send(newTimeline(t, test.upgrade, test.gasLimit, control.Manual), alice)
		require.NoError(t, err)
		require.Equal(t, test.want, signed.Gas(), "%s %d", test.upgrade, test.gasLimit)
	}
	timeline := newTimeline(t, "", 30_000_000, control.Manual)
	_, err := transact.Tx{To: &reverter, Data: declared}.Send(timeline, alice)
	require.EqualError(t, err, reverted)
	var revert *evmstate.RevertError
	require.ErrorAs(t, err, &revert)
	require.Equal(t, declared, revert.Data)
	_, err = transact.Tx{To: &reverter, Data: []byte{1, 2, 3, 4}}.Send(timeline, alice)
	require.EqualError(t, err, "execution reverted", "nobody declares it")
	panicked := append(crypto.Keccak256([]byte("Panic(uint256)"))[:4], common.Hash{31: 0x12}.Bytes()...)
	_, err = transact.Tx{To: &reverter, Data: panicked}.Send(timeline, alice)
	require.EqualError(t, err, "execution reverted: division or modulo by zero")
	require.ErrorAs(t, err, &revert)
	require.Empty(t, revert.Declared)
	_, err = transact.Tx{To: &paid, Value: uint256.NewInt(7)}.Send(timeline, alice)
	require.EqualError(t, err, reverted, "the value counts")
	_, err = transact.Tx{To: &ofAlice}.Send(timeline, alice)
	require.EqualError(t, err, reverted, "the sender counts")
	_, err = transact.Tx{To: &ofAlice}.Send(timeline, bob)
	require.NoError(t, err)
	require.Zero(t, timeline.Moment().PoolNonce(alice.Address))
}

// Ensure a transaction is sealed in one block, also where blocks come at once and faults wait, and that all is as
// before where it fails.
func TestSeal(t *testing.T) {
	t.Parallel()
	for _, mode := range []control.Mode{control.Manual, control.Instant} {
		timeline := newTimeline(t, "", 30_000_000, mode)
		_, err := timeline.FlashblockFault(control.FlashblockFault{Kind: control.OmitTransactions, Count: 1})
		require.NoError(t, err)
		receipt, err := transact.Tx{To: &counter}.Seal(timeline, alice)
		require.NoError(t, err)
		require.EqualValues(t, 1, receipt.Status)
		require.Len(t, receipt.Logs, 1)
		require.EqualValues(t, 1, receipt.BlockNumber.Uint64())
		require.Equal(t, timeline.Moment().Latest().Hash(), receipt.BlockHash)
		require.EqualValues(t, 1, timeline.Moment().Latest().Number())

		for _, tx := range []transact.Tx{
			{To: &reverter, Data: declared},              // fails while it is estimated
			{To: &reverter, Data: declared, Gas: 50_000}, // in its block
		} {
			_, err = tx.Seal(timeline, alice)
			require.ErrorContains(t, err, reverted)
			var revert *evmstate.RevertError
			require.ErrorAs(t, err, &revert)
			if tx.Gas != 0 {
				require.Regexp(t, "^transaction 0x[0-9a-f]{64} of "+alice.Address.Hex()+" failed: "+`execution reverted: ExcessiveInvalidation\(\)$`, err.Error())
			}
			require.EqualValues(t, 1, timeline.Moment().Latest().Number())
			require.EqualValues(t, 1, timeline.Moment().PoolNonce(alice.Address))
		}
		_, err = transact.Tx{}.Seal(timeline, fixtures.Account{Address: alice.Address})
		require.ErrorContains(t, err, "has no key")
		require.Equal(t, mode == control.Instant, timeline.Moment().Mode() == control.Instant)
		receipt, err = transact.Tx{To: &counter}.Seal(timeline, alice)
		require.NoError(t, err)
		require.EqualValues(t, 2, receipt.BlockNumber.Uint64())
	}
}

// Ensure a transaction that gets into no block is an error that says why, and is sent no more.
func TestSealWithoutRoom(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, "", 100_000, control.Manual)
	rich := types.MustSignNewTx(bob.Key, timeline.Moment().Signer(), &types.LegacyTx{GasPrice: big.NewInt(100 * gwei), Gas: 90_000, To: &spinner})
	require.NoError(t, timeline.Send(rich))
	_, err := transact.Tx{To: &carol.Address}.Seal(timeline, alice)
	require.Regexp(t, "^transaction 0x[0-9a-f]{64} of "+alice.Address.Hex()+" did not get into block 1: no gas left there for its 26250$", err.Error())
	require.Zero(t, timeline.Moment().Latest().Number())
	require.Zero(t, timeline.Moment().PoolNonce(alice.Address))
	require.EqualValues(t, 1, timeline.Moment().PoolNonce(bob.Address))

	timeline = newTimeline(t, "", 30_000_000, control.Manual)
	drain := types.MustSignNewTx(bob.Key, timeline.Moment().Signer(), &types.LegacyTx{GasPrice: big.NewInt(100 * gwei), Gas: 90_000, To: &dave.Address})
	require.NoError(t, timeline.Send(drain))
	_, err = transact.Tx{To: &carol.Address, Value: fixtures.Ether("1"), Gas: 21_000}.Seal(timeline, dave)
	require.Regexp(t, "^transaction 0x[0-9a-f]{64} of "+dave.Address.Hex()+" was dropped: .*insufficient funds", err.Error())
	require.Zero(t, timeline.Moment().PoolNonce(dave.Address))
	require.Zero(t, timeline.Moment().Latest().Number())
}

// Ensure the failure of a transaction is the error of its call where it stands in its block, with all that it was
// sent with.
func TestFailure(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, "", 30_000_000, control.Manual)
	signer := timeline.Moment().Signer()
	nonces := make(map[common.Address]uint64)
	send := func(from fixtures.Account, inner func(nonce uint64) types.TxData) common.Hash {
		tx := types.MustSignNewTx(from.Key, signer, inner(nonces[from.Address]))
		nonces[from.Address]++
		require.NoError(t, timeline.Send(tx))
		return tx.Hash()
	}
	legacy := func(from fixtures.Account, to common.Address, wei int64, data []byte) common.Hash {
		return send(from, func(nonce uint64) types.TxData {
			return &types.LegacyTx{Nonce: nonce, GasPrice: big.NewInt(2 * gwei), Gas: 60_000, To: &to, Value: big.NewInt(wei), Data: data}
		})
	}
	listed := func(list types.AccessList) common.Hash {
		return send(bob, func(nonce uint64) types.TxData {
			return &types.AccessListTx{ChainID: signer.ChainID(), Nonce: nonce, GasPrice: big.NewInt(2 * gwei), Gas: 60_000, To: &warm, AccessList: list}
		})
	}
	want := map[common.Hash]string{
		legacy(alice, counter, 0, nil):       "",
		legacy(alice, reverter, 0, declared): reverted,
		legacy(alice, spinner, 0, nil):       vm.ErrOutOfGas.Error(),
		legacy(alice, picky, 0, nil):         "",
		legacy(alice, picky, 0, []byte{1}):   reverted,
		legacy(alice, paid, 7, nil):          reverted,
		legacy(bob, ofAlice, 0, nil):         "",
		legacy(alice, ofAlice, 0, nil):       reverted,
		legacy(alice, priced, 0, nil):        reverted,
		listed(nil):                          "",
		listed(types.AccessList{{Address: warm, StorageKeys: []common.Hash{{}}}}): reverted,
	}
	delegation, err := types.SignSetCode(bob.Key, types.SetCodeAuthorization{ChainID: *uint256.MustFromBig(signer.ChainID()), Address: reverter, Nonce: 3})
	require.NoError(t, err)
	delegated := send(alice, func(nonce uint64) types.TxData {
		return &types.SetCodeTx{
			ChainID: uint256.MustFromBig(signer.ChainID()), Nonce: nonce, GasTipCap: uint256.NewInt(gwei), GasFeeCap: uint256.NewInt(5 * gwei), Gas: 100_000,
			To: bob.Address, Data: declared, AuthList: []types.SetCodeAuthorization{delegation},
		}
	})
	want[delegated] = reverted
	_, err = timeline.Seal(1)
	require.NoError(t, err)
	require.Len(t, timeline.Moment().Latest().Transactions(), len(want))
	for hash, text := range want {
		found, err := timeline.Moment().Find(hash)
		require.NoError(t, err)
		if text == "" {
			require.NoError(t, transact.Failure(found))
		} else {
			require.EqualError(t, transact.Failure(found), text)
		}
	}
}
