package chain_test

import (
	"bytes"
	"maps"
	"math/big"
	"runtime"
	"slices"
	"testing"
	"weak"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
)

// Ensure a block that is read from its record has the header it had, whichever of its values are those of most
// blocks.
func TestHeadersOfRecords(t *testing.T) {
	t.Parallel()
	root := common.Hash{7}
	request := &types.LegacyTx{
		To: &params.WithdrawalQueueAddress, Gas: 200_000, GasPrice: big.NewInt(100 * gwei), Value: big.NewInt(1), Data: bytes.Repeat([]byte{1}, 56),
	}
	blob := &types.BlobTx{
		ChainID: uint256.NewInt(chainID), Gas: 100_000, GasFeeCap: uint256.NewInt(100 * gwei), BlobFeeCap: uint256.NewInt(gwei), To: storer, BlobHashes: []common.Hash{{1}},
	}
	for name, test := range map[string]struct {
		fork string
		env  chain.Env
		txs  []types.TxData
	}{
		"empty":              {fork: "osaka"},
		"beacon root":        {fork: "osaka", env: chain.Env{BeaconRoot: &root}},
		"withdrawals":        {fork: "osaka", env: chain.Env{Withdrawals: types.Withdrawals{{Address: common.Address{1}, Amount: 1}}}},
		"requests":           {fork: "osaka", txs: []types.TxData{request}},
		"blobs":              {fork: "osaka", txs: []types.TxData{blob}},
		"proof of work":      {fork: "london"},
		"no withdrawals yet": {fork: "paris"},
		"slots and accesses": {fork: "amsterdam"},
	} {
		d := draft(t, newChain(t, test.fork), test.env)
		for _, tx := range test.txs {
			d = add(t, d, 0, sign(t, 0, tx))
		}
		_, block := seal(t, d)
		data, err := block.Record()
		require.NoError(t, err)
		read, err := chain.BlockFromRecord(data)
		require.NoError(t, err)
		require.Equal(t, block.Header().Hash(), read.Header().Hash(), name)
		require.Equal(t, block.Header().ParentBeaconRoot, read.Header().ParentBeaconRoot, name)
		require.Equal(t, block.Header().Difficulty.String(), read.Header().Difficulty.String(), name)
		requireSameBlock(t, block, read)
	}
	_, err := chain.BlockFromRecord([]byte{0xc0})
	require.ErrorContains(t, err, "block record: ")
}

// Ensure a chain that was written as records and restored answers as before, under every fork, and goes on alike.
func TestRestore(t *testing.T) {
	t.Parallel()
	for _, fork := range []string{"frontier", "byzantium", "london", "shanghai", "osaka"} {
		t.Run(fork, func(t *testing.T) {
			t.Parallel()
			g := newGenesis(t, fork)
			c := newChainOf(t, g, chain.Options{Track: true})
			for i := range uint64(6) {
				c = sealOne(t, c, call(t, 0, i, address(1), 100_000, nil), call(t, 1, i, slices.SortedFunc(maps.Keys(contracts), common.Address.Cmp)[int(i)%len(contracts)], 200_000, []byte{1, 2, 3, 4}))
			}
			orphan := c.Head()
			require.Empty(t, c.Orphans())
			c = sealOne(t, c.Truncate(5))
			require.Equal(t, []*chain.Block{orphan}, c.Orphans())

			restored := restore(t, c, []*chain.Block{orphan}, g)
			require.Equal(t, c.Head().Hash(), restored.Head().Hash())
			for n := uint64(1); n <= c.Head().Number(); n++ {
				requireSameBlock(t, c.BlockByNumber(n), restored.BlockByNumber(n))
				state, err := c.StateAt(c.BlockByNumber(n))
				require.NoError(t, err)
				require.Equal(t, c.BlockByNumber(n-1).Header().Root, state.ChangedFrom(), "every block is tracked by itself")
			}
			logsOf := func(c *chain.Chain) []*types.Log {
				return collect(t, c, chain.LogFilter{Addresses: slices.Collect(maps.Keys(contracts))}, 0, 6)
			}
			require.NotEmpty(t, logsOf(c))
			require.Equal(t, logsOf(c), logsOf(restored))
			got, canonical := restored.BlockByHash(orphan.Hash())
			require.False(t, canonical)
			requireSameBlock(t, orphan, got)
			for _, tx := range orphan.Transactions() {
				was, i, ok := c.Find(tx.Hash())
				is, j, found := restored.Find(tx.Hash())
				require.Equal(t, ok, found)
				require.Equal(t, i, j)
				require.Equal(t, was.Hash(), is.Hash())
			}
			head, err := restored.StateAt(restored.Head())
			require.NoError(t, err)
			require.Equal(t, restored.Head().Header().Root, head.ChangedFrom())
			_, err = restored.StateAt(restored.BlockByNumber(2))
			require.ErrorContains(t, err, "state of block 2 is pruned")
			require.Equal(t, sealOne(t, c).Head().Hash(), sealOne(t, restored).Head().Hash())
		})
	}
}

// restore writes the blocks of a chain as records and makes a chain of them again.
func restore(t *testing.T, c *chain.Chain, orphans []*chain.Block, g *chain.Genesis) *chain.Chain {
	t.Helper()
	copied := func(b *chain.Block) *chain.Block {
		data, err := b.Record()
		require.NoError(t, err)
		decoded, err := chain.BlockFromRecord(data)
		require.NoError(t, err)
		return decoded
	}
	var kept chain.Kept
	for n := uint64(1); n <= c.Head().Number(); n++ {
		kept.Blocks = append(kept.Blocks, copied(c.BlockByNumber(n)))
	}
	for _, b := range orphans {
		kept.Orphans = append(kept.Orphans, copied(b))
	}
	state, err := c.StateAt(c.Head())
	require.NoError(t, err)
	kept.Head = evmstate.NewState().With(state.All()).Commit()
	restored, err := newChainOf(t, g, chain.Options{Optimism: c.Optimism, Track: true}).Restore(kept)
	require.NoError(t, err)
	return restored
}

func sealOne(t *testing.T, c *chain.Chain, txs ...*types.Transaction) *chain.Chain {
	t.Helper()
	d, err := c.NewDraft(chain.Env{})
	require.NoError(t, err)
	for _, tx := range txs {
		from, err := types.Sender(types.MakeSigner(c.Config(), d.Header().Number, d.Header().Time), tx)
		require.NoError(t, err)
		d, _, err = d.Add(tx, from)
		require.NoError(t, err)
	}
	next, _, err := d.Seal()
	require.NoError(t, err)
	return next
}

// requireSameBlock compares all that a user can read of two blocks.
func requireSameBlock(t *testing.T, want, got *chain.Block) {
	t.Helper()
	require.Equal(t, want.Hash(), got.Hash())
	require.Equal(t, want.Hash(), got.Header().Hash())
	wanted, err := rlp.EncodeToBytes(want.Body())
	require.NoError(t, err)
	body, err := rlp.EncodeToBytes(got.Body())
	require.NoError(t, err)
	require.Equal(t, wanted, body)
	require.Len(t, got.Requests(), len(want.Requests()))
	require.Equal(t, want.Withdrawals() == nil, got.Withdrawals() == nil)
	require.Len(t, got.Receipts(), len(want.Receipts()))
	for i := range want.Receipts() {
		require.Equal(t, want.Sender(i), got.Sender(i))
		was, err := want.Receipts()[i].MarshalJSON()
		require.NoError(t, err)
		is, err := got.Receipts()[i].MarshalJSON()
		require.NoError(t, err)
		require.JSONEq(t, string(was), string(is))
	}
	require.Len(t, got.Logs(), len(want.Logs()))
	require.Equal(t, want.Count(), got.Count())
	for i, tx := range want.Transactions() {
		require.Equal(t, tx.Hash(), got.Transaction(i).Hash())
		require.Equal(t, tx.Nonce(), got.Transaction(i).Nonce())
		require.Equal(t, want.Sender(i), got.Sender(i))
	}
}

// Blocks give large transactions back, byte for byte, after everybody let go of them, small ones between them in order.
func TestLargeTransactionsComeBack(t *testing.T) {
	t.Parallel()
	var (
		c       = newChain(t, "osaka")
		blocks  []*chain.Block
		encoded [][]byte
		sealed  weak.Pointer[types.Transaction]
	)
	code := make([]byte, 9_104) // with it the second large one is of nine pieces and a byte
	for i := range code {
		code[i] = byte(i * i / 3)
	}
	for n := range uint64(3) {
		d := draft(t, c, chain.Env{})
		for _, data := range [][]byte{code, nil, append(bytes.Clone(code), byte(n)), words(n)} {
			tx := sign(t, 0, &types.DynamicFeeTx{
				ChainID: big.NewInt(chainID), Nonce: nonce(d, 0), To: &reverter, Gas: 600_000, GasFeeCap: big.NewInt(50 * gwei), Data: data,
			})
			d = add(t, d, 0, tx)
			raw, err := tx.MarshalBinary()
			require.NoError(t, err)
			encoded = append(encoded, raw)
			if len(data) >= len(code) && sealed.Value() == nil { // the others stay with their block
				sealed = weak.Make(tx)
			}
		}
		var b *chain.Block
		c, b = seal(t, d)
		blocks = append(blocks, b)
	}
	runtime.GC()
	runtime.GC()
	require.Nil(t, sealed.Value(), "nobody holds the transaction that was sealed")

	for i, raw := range encoded {
		b := blocks[i/4]
		tx := b.Transactions()[i%4]
		again, err := tx.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, raw, again)
		require.Equal(t, b.Receipts()[i%4].TxHash, tx.Hash())
		in, index, ok := c.Find(tx.Hash())
		require.True(t, ok)
		require.Same(t, b, in)
		require.Equal(t, i%4, index)
		require.Same(t, tx, b.Transactions()[i%4], "put together once while somebody holds it")
	}
	for _, b := range blocks {
		record, err := b.Record()
		require.NoError(t, err)
		kept, err := chain.BlockFromRecord(record)
		require.NoError(t, err)
		require.Equal(t, types.DeriveSha(b.Transactions(), newHasher()), types.DeriveSha(kept.Transactions(), newHasher()))
		require.Equal(t, b.Header().TxHash, types.DeriveSha(kept.Transactions(), newHasher()))
	}
	requireGethAccepts(t, c)
}
