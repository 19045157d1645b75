package chain_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
)

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
	restored, err := newChainOf(t, g, chain.Options{Optimism: c.Optimism(), Track: true}).Restore(kept)
	require.NoError(t, err)
	return restored
}

// TestBlockFromWrongRecord checks that a record with too few senders or receipts is rejected.
func TestBlockFromWrongRecord(t *testing.T) {
	t.Parallel()
	c := sealOne(t, newChain(t, "osaka"), call(t, 0, 0, address(1), 100_000, nil))
	record, err := c.Head().Record()
	require.NoError(t, err)
	_, err = chain.BlockFromRecord(record[1:])
	require.ErrorContains(t, err, "block record: ")
	for field, line := range map[int]string{
		3: "block record: 1 transactions, 0 senders, 1 receipts",
		6: "block record: 1 transactions, 1 senders, 0 receipts",
	} {
		var fields []rlp.RawValue
		require.NoError(t, rlp.DecodeBytes(record, &fields))
		fields[field] = rlp.EmptyList
		wrong, err := rlp.EncodeToBytes(fields)
		require.NoError(t, err)
		_, err = chain.BlockFromRecord(wrong)
		require.EqualError(t, err, line)
	}
}

// Ensure a restored chain asks for the States of its blocks when they are needed: to read, and to branch off below.
func TestRestorePast(t *testing.T) {
	t.Parallel()
	g := newGenesis(t, "osaka")
	c := newChainOf(t, g, chain.Options{})
	for range 5 {
		c = sealOne(t, c)
	}
	untracked, err := c.StateAt(c.Head())
	require.NoError(t, err)
	require.Zero(t, untracked.ChangedFrom())
	state := func(b *chain.Block) *evmstate.State {
		s, err := c.StateAt(c.BlockByNumber(b.Number()))
		require.NoError(t, err)
		return s
	}
	var kept chain.Kept
	for n := uint64(1); n <= 5; n++ {
		kept.Blocks = append(kept.Blocks, c.BlockByNumber(n))
	}
	kept.Head, kept.Past = state(c.Head()), state
	restored, err := newChainOf(t, g, chain.Options{}).Restore(kept)
	require.NoError(t, err)
	at, err := restored.StateAt(restored.BlockByNumber(2))
	require.NoError(t, err)
	require.Equal(t, restored.BlockByNumber(2).Header().Root, at.Root())
	branch := sealOne(t, restored.Truncate(3))
	require.Equal(t, uint64(4), branch.Head().Number())
	gone, canonical := branch.BlockByHash(c.Head().Hash())
	require.False(t, canonical)
	at, err = branch.StateAt(gone)
	require.NoError(t, err)
	require.Equal(t, gone.Header().Root, at.Root())
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
