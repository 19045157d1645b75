package chain_test

import (
	"bytes"
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
)

func TestDraftReceiptsAndLogs(t *testing.T) {
	t.Parallel()
	c := grow(t, newChain(t, "osaka"), 1)
	d := draft(t, c, chain.Env{Time: genesisTime + 100})
	d = add(t, d, 0, call(t, 0, 0, storer, 100_000, words(1, 2)))
	early := d
	d = add(t, d, 1, call(t, 1, 0, reverter, 100_000, nil))
	d = add(t, d, 0, call(t, 0, 1, storer, 100_000, words(3, 4)))
	deploy := sign(t, 2, &types.DynamicFeeTx{
		ChainID: big.NewInt(chainID), Gas: 200_000, GasFeeCap: big.NewInt(50 * gwei), GasTipCap: big.NewInt(2 * gwei),
		Data: common.FromHex("6005600c60003960056000f3" + contracts[reverter]),
	})
	d = add(t, d, 2, deploy)

	require.Len(t, early.Logs(), 1, "a draft does not change")
	require.Len(t, early.Receipts(), 1)
	require.Len(t, d.Logs(), 2)
	for i, l := range d.Logs() {
		require.Equal(t, uint(i), l.Index)
		require.Equal(t, uint(2*i), l.TxIndex)
		require.Equal(t, uint64(2), l.BlockNumber)
		require.Equal(t, uint64(genesisTime+100), l.BlockTimestamp)
		require.Zero(t, l.BlockHash)
		require.Equal(t, d.Transactions()[2*i].Hash(), l.TxHash)
	}
	receipts := d.Receipts()
	require.Equal(t, types.ReceiptStatusFailed, receipts[1].Status)
	require.Equal(t, receipts[0].GasUsed+receipts[1].GasUsed+receipts[2].GasUsed+receipts[3].GasUsed, d.GasUsed())
	require.Equal(t, d.GasUsed(), receipts[3].CumulativeGasUsed)
	require.Equal(t, crypto.CreateAddress(address(2), 0), receipts[3].ContractAddress)
	require.Equal(t, common.FromHex(contracts[reverter]), d.State().Code(receipts[3].ContractAddress))
	require.Equal(t, new(big.Int).Add(d.Header().BaseFee, big.NewInt(2*gwei)), receipts[3].EffectiveGasPrice)
	require.Equal(t, big.NewInt(100*gwei), receipts[0].EffectiveGasPrice)

	held := d.Logs()[1]
	c, b := seal(t, d)
	require.Zero(t, held.BlockHash, "a log handed out does not change")
	require.Zero(t, d.Receipts()[0].BlockHash)
	require.Len(t, b.Logs(), 2)
	for i, r := range b.Receipts() {
		require.Equal(t, b.Hash(), r.BlockHash)
		want := *d.Receipts()[i]
		want.BlockHash, want.Logs = b.Hash(), r.Logs
		require.Equal(t, &want, r)
		for _, l := range r.Logs {
			require.Equal(t, b.Hash(), l.BlockHash)
			require.Same(t, b.Logs()[l.Index], l)
		}
	}
	require.Equal(t, address(1), b.Sender(1))
	state, err := c.StateAt(b)
	require.NoError(t, err)
	require.Equal(t, b.Header().Root, state.Root())
	require.Equal(t, word(3), state.Storage(storer, word(4)))
}

func TestDraftRefusesWhatTheBlockCannotHold(t *testing.T) {
	t.Parallel()
	c := newChain(t, "osaka")
	d := add(t, draft(t, c, chain.Env{GasLimit: 29_990_000}), 0, call(t, 0, 0, looper, 1<<24, nil))
	blob := func(n int) *types.Transaction {
		hashes := make([]common.Hash, n)
		for i := range hashes {
			hashes[i][0] = 1
		}
		return sign(t, 1, &types.BlobTx{
			ChainID: uint256.NewInt(chainID), Gas: 21_000, GasFeeCap: uint256.NewInt(100 * gwei),
			BlobFeeCap: uint256.NewInt(params.Ether), BlobHashes: hashes,
		})
	}
	for name, test := range map[string]struct {
		account int
		tx      *types.Transaction
		want    error
	}{
		"nonce too low":    {0, call(t, 0, 0, storer, 50_000, nil), core.ErrNonceTooLow},
		"nonce too high":   {0, call(t, 0, 2, storer, 50_000, nil), core.ErrNonceTooHigh},
		"gas of the block": {1, call(t, 1, 0, storer, 14_000_000, nil), core.ErrGasLimitReached},
		"gas of a tx":      {1, call(t, 1, 0, storer, 1<<24+1, nil), core.ErrGasLimitTooHigh},
		"intrinsic gas":    {1, call(t, 1, 0, storer, 20_000, nil), core.ErrIntrinsicGas},
		"fee cap":          {1, sign(t, 1, &types.LegacyTx{To: &storer, Gas: 50_000, GasPrice: big.NewInt(1)}), core.ErrFeeCapTooLow},
		"funds":            {1, sign(t, 1, &types.LegacyTx{To: &storer, Gas: 50_000, GasPrice: big.NewInt(gwei), Value: new(big.Int).Lsh(common.Big1, 100)}), core.ErrInsufficientFunds},
		"blobs of a tx":    {1, blob(7), core.ErrTooManyBlobs},
		"no blobs":         {1, blob(0), core.ErrMissingBlobHashes},
	} {
		next, receipt, err := d.Add(test.tx, address(test.account))
		require.ErrorIs(t, err, test.want, name)
		require.Nil(t, next, name)
		require.Nil(t, receipt, name)
	}
	six := add(t, d, 1, blob(6)) // of nine
	more := func(n int) *types.Transaction {
		return sign(t, 2, &types.BlobTx{
			ChainID: uint256.NewInt(chainID), Gas: 21_000, GasFeeCap: uint256.NewInt(100 * gwei),
			BlobFeeCap: uint256.NewInt(params.Ether), BlobHashes: blob(n).BlobHashes(),
		})
	}
	_, _, err := six.Add(more(4), address(2))
	require.ErrorIs(t, err, chain.ErrBlobGasLimitReached)
	require.Equal(t, uint64(6*params.BlobTxBlobGasPerBlob), six.BlobGasUsed())
	require.Equal(t, uint64(9*params.BlobTxBlobGasPerBlob), add(t, six, 2, more(3)).BlobGasUsed())

	_, _, err = draft(t, newChain(t, "shanghai"), chain.Env{}).Add(blob(1), address(1))
	require.ErrorIs(t, err, core.ErrTxTypeNotSupported)
}

func TestDraftContractsAsSenders(t *testing.T) {
	t.Parallel()
	c := newChain(t, "osaka")
	state, err := c.StateAt(c.Head())
	require.NoError(t, err)
	rich := uint256.NewInt(params.Ether)
	d := draft(t, c.WithState(state.WithBalance(storer, rich).WithCode(address(0), []byte{1}).Commit()), chain.Env{})

	// Who impersonates a contract does not sign for it.
	tx := types.NewTx(&types.LegacyTx{Nonce: 1, To: &doubler, Gas: 100_000, GasPrice: big.NewInt(100 * gwei), Data: words(1, 2)})
	next, receipt, err := d.Add(tx, storer)
	require.NoError(t, err)
	require.Equal(t, types.ReceiptStatusSuccessful, receipt.Status)
	require.Equal(t, uint64(2), next.State().Nonce(storer))

	// A key that signs for an address with code is rejected (EIP-3607).
	_, _, err = d.Add(call(t, 0, 0, doubler, 100_000, nil), address(0))
	require.ErrorIs(t, err, core.ErrSenderNoEOA)
}

// Ensure a block has the requests that its header has the hash of (EIP-7002, EIP-7685): sealed here, imported, or read
// from a record.
func TestRequests(t *testing.T) {
	t.Parallel()
	empty := newChain(t, "osaka")
	d := draft(t, empty, chain.Env{})
	key := bytes.Repeat([]byte{0xab}, 48)
	d = add(t, d, 0, sign(t, 0, &types.LegacyTx{
		To: &params.WithdrawalQueueAddress, Gas: 200_000, GasPrice: big.NewInt(100 * gwei), Value: big.NewInt(1),
		Data: append(bytes.Clone(key), 0, 0, 0, 0, 0, 0, 0x03, 0xe8),
	}))
	c, block := seal(t, d)
	sender := address(0)
	want := append(append(append([]byte{1}, sender[:]...), key...), 0xe8, 0x03, 0, 0, 0, 0, 0, 0) // little-endian gwei
	require.Equal(t, [][]byte{want}, block.Requests())
	require.Equal(t, types.CalcRequestsHash(block.Requests()), *block.Header().RequestsHash)
	_, next := seal(t, draft(t, c, chain.Env{}))
	require.Empty(t, next.Requests())

	imported, err := newChain(t, "osaka").ImportBlock(block.Body())
	require.NoError(t, err)
	require.Equal(t, block.Requests(), imported.Head().Requests())
	record, err := block.Record()
	require.NoError(t, err)
	kept, err := chain.BlockFromRecord(record)
	require.NoError(t, err)
	require.Equal(t, block.Requests(), kept.Requests())
}

func TestDraftRefusesBadEnvironments(t *testing.T) {
	t.Parallel()
	c := grow(t, newChain(t, "osaka"), 2)
	for want, env := range map[string]chain.Env{
		"block time 5 is before its parent's": {Time: 5},
		"extra data is 33 bytes":              {ExtraData: make([]byte, 33)},
		"is above 9223372036854775807":        {GasLimit: 1 << 63},
		"is not a 256-bit number":             {BaseFee: new(big.Int).Lsh(common.Big1, 256)},
		"base fee -1":                         {BaseFee: big.NewInt(-1)},
		"is not an 80-bit number":             {Difficulty: new(big.Int).Lsh(common.Big1, 80)},
		"want 0 from shanghai on":             {Difficulty: big.NewInt(1)},
	} {
		_, err := c.NewDraft(env)
		require.ErrorContains(t, err, want)
	}
	_, err := c.NewDraft(chain.Env{Difficulty: new(big.Int)})
	require.NoError(t, err, "what every block has since the merge")
	_, err = newChain(t, "paris").NewDraft(chain.Env{Withdrawals: types.Withdrawals{{}}})
	require.ErrorContains(t, err, "withdrawals before shanghai")

	genesis := newGenesis(t, "osaka")
	genesis.Config.BogotaTime = new(uint64(genesisTime + 10))
	later := newChainOf(t, genesis, chain.Options{})
	_, err = later.NewDraft(chain.Env{Time: genesisTime + 10})
	require.ErrorContains(t, err, "fork bogota")
	_, err = later.NewDraft(chain.Env{SlotNumber: new(uint64(7))})
	require.ErrorContains(t, err, "block 1 has slot number 7 before amsterdam")
}

// Ensure a chain whose Prague comes later starts without its contracts: a transaction may still deploy them.
func TestDraftWithoutSystemContractsCannotBeSealed(t *testing.T) {
	t.Parallel()
	genesis := newGenesis(t, "prague")
	*genesis.Config.PragueTime = genesisTime + 3
	delete(genesis.Alloc, params.WithdrawalQueueAddress)
	c := grow(t, newChainOf(t, genesis, chain.Options{}), 2)
	_, _, err := draft(t, c, chain.Env{}).Seal()
	require.ErrorContains(t, err, "sealing block 3")
	require.ErrorContains(t, err, "empty system contract")
}

func TestDraftChoicesOfTheProducer(t *testing.T) {
	t.Parallel()
	c := newChain(t, "osaka")
	env := chain.Env{
		Time: genesisTime + 9, Coinbase: common.Address{0xcb}, GasLimit: 12_345_678, BaseFee: big.NewInt(99),
		PrevRandao: common.Hash{5}, BeaconRoot: &common.Hash{6}, ExtraData: []byte("hello"),
		Withdrawals: types.Withdrawals{{Address: common.Address{0xee}, Amount: 3}},
	}
	d := draft(t, c, env)
	_, b := seal(t, d)
	for _, h := range []*types.Header{d.Header(), b.Header()} {
		require.Equal(t, env.Time, h.Time)
		require.Equal(t, env.Coinbase, h.Coinbase)
		require.Equal(t, env.GasLimit, h.GasLimit)
		require.Equal(t, env.BaseFee, h.BaseFee)
		require.Equal(t, env.PrevRandao, h.MixDigest)
		require.Equal(t, env.BeaconRoot, h.ParentBeaconRoot)
		require.Equal(t, env.ExtraData, h.Extra)
	}
	sealed, _, err := d.Seal()
	require.NoError(t, err)
	state, err := sealed.StateAt(b)
	require.NoError(t, err)
	require.Equal(t, uint256.NewInt(3*gwei), state.Balance(common.Address{0xee}))
	slot := word((genesisTime+9)%8191 + 8191) // EIP-4788 keeps the root there
	require.Equal(t, *env.BeaconRoot, state.Storage(params.BeaconRootsAddress, slot))
	require.Equal(t, c.Head().Hash(), state.Storage(params.HistoryStorageAddress, word(0)))

	next, err := sealed.NewDraft(chain.Env{})
	require.NoError(t, err)
	require.Equal(t, env.GasLimit, next.Header().GasLimit)
	require.Equal(t, env.Time+1, next.Header().Time)
	require.Empty(t, next.Header().Extra)
}

// Ensure withdrawals of the beacon chain do not wrap the balance of an account near 2^256 wei (contract D-amounts).
func TestWithdrawalsDoNotWrap(t *testing.T) {
	t.Parallel()
	most := new(uint256.Int).SetAllOne()
	rich, full := common.Address{0xee}, common.Address{0xef}
	genesis := newGenesis(t, "osaka")
	genesis.Alloc[rich] = types.Account{Balance: new(uint256.Int).SubUint64(most, 3*gwei).ToBig()}
	genesis.Alloc[full] = types.Account{Balance: most.ToBig()}
	c, b := seal(t, draft(t, newChainOf(t, genesis, chain.Options{}), chain.Env{Withdrawals: types.Withdrawals{
		{Index: 0, Address: rich, Amount: 3}, {Index: 1, Address: full, Amount: 1}, {Index: 2, Address: rich, Amount: math.MaxUint64},
	}}))
	state, err := c.StateAt(b)
	require.NoError(t, err)
	require.Equal(t, most, state.Balance(rich))
	require.Equal(t, most, state.Balance(full))
}

// newDenim returns a chain of blocks of 200 ms, with its system's contracts.
func newDenim(t *testing.T) *chain.Chain {
	t.Helper()
	g, rules := newGenesis(t, "osaka"), optimism.Denim.DefaultRules()
	predeploys.Place(g, rules)
	return newChainOf(t, g, chain.Options{Optimism: rules})
}

// Ensure blocks of a fixed distance have a time in milliseconds on its lattice, and are refused beside it.
func TestBlocksOfMilliseconds(t *testing.T) {
	t.Parallel()
	c := newDenim(t)
	begun := uint64(genesisTime * 1000)
	ms, ok := c.Milliseconds(c.Head())
	require.True(t, ok)
	require.Equal(t, begun, ms)
	for i, env := range []chain.Env{{}, {}, {}, {}, {}, {Time: genesisTime + 2, Millis: 200}, {Time: genesisTime + 2, Millis: 400}, {}} {
		d := draft(t, c, env)
		want := begun + []uint64{200, 400, 600, 800, 1000, 2200, 2400, 2600}[i]
		view, err := c.Forecast(env)
		require.NoError(t, err)
		require.Equal(t, d.Header(), view.Header)
		require.EqualValues(t, want%1000, view.State.Storage(optimism.BaseTimeAddress, common.Hash{}).Big().Uint64())
		next, err := c.NextHeader(env)
		require.NoError(t, err)
		require.Equal(t, d.Header(), next)
		l1, err := c.NextL1(env)
		require.NoError(t, err)
		require.Equal(t, l1, d.L1())
		c, _ = seal(t, d)
		ms, ok = c.Milliseconds(c.Head())
		require.True(t, ok)
		require.Equal(t, want, ms)
		require.Equal(t, time.UnixMilli(int64(want)).UTC(), c.Time(c.Head()))
		require.Equal(t, want/1000, c.Head().Time())
	}
	for want, env := range map[string]chain.Env{
		"block time 1700000002.600 is neither 1700000002.800 nor a multiple of 200ms later": {Time: genesisTime + 2, Millis: 600},
		"block time 1700000002.900 is neither 1700000002.800 nor a multiple of 200ms later": {Time: genesisTime + 2, Millis: 900},
		"block time 1700000002.000 is neither 1700000002.800 nor a multiple of 200ms later": {Time: genesisTime + 2},
		"block time 1700000009.001 is neither 1700000002.800 nor a multiple of 200ms later": {Time: genesisTime + 9, Millis: 1},
	} {
		_, err := c.NewDraft(env)
		require.EqualError(t, err, want)
	}
	plain := newChain(t, "osaka")
	_, err := plain.NewDraft(chain.Env{Time: genesisTime + 5, Millis: 7})
	require.EqualError(t, err, "block time 1700000005.007 has milliseconds, which the rules of the chain have none of")
}
