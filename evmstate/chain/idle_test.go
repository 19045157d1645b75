package chain_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// rush seals n blocks by Idles of so many blocks, a second apart; the last one may end early.
func rush(t *testing.T, c *chain.Chain, n, each int) *chain.Chain {
	t.Helper()
	for n > 0 {
		times := make([]uint64, each)
		for i := range times {
			times[i] = c.Head().Time() + uint64(i) + 1
		}
		idle := c.Idle(times)
		require.NotNil(t, idle)
		for range min(n, each) {
			next, b, err := idle.Seal(chain.Env{})
			require.NoError(t, err)
			require.Same(t, b, next.Head())
			state, err := next.StateAt(b)
			require.NoError(t, err)
			require.Equal(t, b.Header().Root, state.Root())
		}
		c, n = idle.End(), n-each
	}
	return c
}

// Ensure blocks that are sealed as idle are those that Drafts seal, with their States: before and after the ring
// buffers are full, on a branch that was cut, and where an Idle ended early.
func TestIdleBlocks(t *testing.T) {
	t.Parallel()
	start := grow(t, newChain(t, "osaka"), 2)
	drafted, idle := grow(t, start, 200), rush(t, start, 200, 64)
	requireGethAccepts(t, idle)
	check := func(c *chain.Chain, from uint64) {
		for n := from; n <= drafted.Head().Number(); n++ {
			b := drafted.BlockByNumber(n)
			want, err := drafted.StateAt(b)
			require.NoError(t, err)
			have, _ := c.BlockByHash(b.Hash())
			require.NotNil(t, have, n)
			require.Equal(t, b.Header(), have.Header())
			require.Equal(t, b.Body().Transactions(), have.Body().Transactions())
			state, err := c.StateAt(have)
			require.NoError(t, err, n)
			require.Equal(t, b.Header().Root, state.Root())
			for _, ring := range []common.Address{params.BeaconRootsAddress, params.HistoryStorageAddress} {
				require.Equal(t, want.StorageRoot(ring), state.StorageRoot(ring))
				require.Equal(t, want.Alloc()[ring], state.Alloc()[ring])
			}
		}
	}
	check(idle, 0)
	cut := idle.Truncate(101)
	require.Equal(t, drafted.BlockByNumber(101).Hash(), cut.Head().Hash())
	check(cut, 0)
	other, _ := seal(t, draft(t, cut, chain.Env{Time: cut.Head().Time() + 7}))
	check(other, 0)
	check(rush(t, other, 100, 50), 0)
}

// Ensure the States of idle blocks are there for as long as those of others, however the history is cut.
func TestIdleBlocksArePruned(t *testing.T) {
	t.Parallel()
	for _, history := range []uint64{1, 40, 100} {
		c, err := chain.New(newChain(t, "osaka").Genesis(), chain.Options{History: history})
		require.NoError(t, err)
		c = grow(t, c, 2)
		for range laboratory.Budget(t, 40, 400) {
			c = rush(t, c, 7, 20)
			for n := range c.Head().Number() + 1 {
				if n+history <= c.Head().Number() && n > 5 && n+history+5 < c.Head().Number() {
					continue
				}
				_, err := c.StateAt(c.BlockByNumber(n))
				if n+history > c.Head().Number() {
					require.NoError(t, err)
				} else {
					require.ErrorAs(t, err, new(*chain.PrunedError))
				}
			}
		}
	}
}

// Ensure an Idle is refused where blocks may do more, and refuses blocks that it was not made for.
func TestIdleIsRefused(t *testing.T) {
	t.Parallel()
	c := grow(t, newChain(t, "osaka"), 2)
	next := []uint64{c.Head().Time() + 1}
	require.Nil(t, newChain(t, "cancun").Idle(next))
	require.Nil(t, newChain(t, "osaka").Idle(next), "no block has shown that the queues are calm")
	tracked, err := chain.New(c.Genesis(), chain.Options{Track: true})
	require.NoError(t, err)
	require.Nil(t, grow(t, tracked, 2).Idle(next))
	rollup := grow(t, newChainOf(t, newGenesis(t, "osaka"), chain.Options{Optimism: optimism.Karst.DefaultRules()}), 3)
	require.Nil(t, rollup.Idle([]uint64{rollup.Head().Time() + 12}), "nobody knows what deposits change without L1Block")
	root := common.Hash{1}
	rooted, _ := seal(t, draft(t, c, chain.Env{BeaconRoot: &root}))
	require.NotNil(t, rooted.Idle([]uint64{rooted.Head().Time() + 1}))
	require.Nil(t, rooted.Idle([]uint64{rooted.Head().Time() + 8191}), "the root is to be cleared")
	for _, env := range []chain.Env{{Time: next[0] + 1}, {BeaconRoot: &root}, {Withdrawals: types.Withdrawals{{Amount: 1}}}} {
		idle := c.Idle(next)
		got, _, err := idle.Seal(env)
		require.NoError(t, err)
		require.Nil(t, got)
		require.Equal(t, c.Head(), idle.End().Head())
	}
}
