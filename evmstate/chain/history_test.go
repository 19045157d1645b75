package chain_test

import (
	"math"
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

func TestHistoryOfAllBlocks(t *testing.T) {
	t.Parallel()
	c := grow(t, newChainOf(t, newGenesis(t, "osaka"), chain.Options{History: math.MaxUint64}), 40)
	removed := c.Head()
	c = grow(t, c.Truncate(20), 30)
	for _, b := range []*chain.Block{c.BlockByNumber(0), c.BlockByNumber(20), removed, c.Head()} {
		state, err := c.StateAt(b)
		require.NoError(t, err, b.Number())
		require.Equal(t, b.Header().Root, state.Root())
	}
}

func TestStatesOutsideHistoryArePruned(t *testing.T) {
	t.Parallel()
	const history = 8
	c := newChainOf(t, newGenesis(t, "osaka"), chain.Options{History: history})
	snapshots := []*chain.Chain{c}
	for range 100 {
		c = grow(t, c, 1)
		snapshots = append(snapshots, c)
	}
	for n := range uint64(101) {
		state, err := c.StateAt(c.BlockByNumber(n))
		if n > 100-history {
			require.NoError(t, err)
			require.Equal(t, c.BlockByNumber(n).Header().Root, state.Root())
			continue
		}
		var pruned *chain.PrunedError
		require.ErrorAs(t, err, &pruned)
		require.Equal(t, n, pruned.Number)
	}
	// A snapshot keeps its own.
	state, err := snapshots[50].StateAt(c.BlockByNumber(44))
	require.NoError(t, err)
	require.Equal(t, c.BlockByNumber(44).Header().Root, state.Root())

	// Nothing can be built on a head whose State is gone.
	_, err = c.Truncate(3).NewDraft(chain.Env{})
	require.EqualError(t, err, "state of block 3 is pruned")
	require.Equal(t, uint64(99), grow(t, c.Truncate(98), 1).Head().Number())

	// Orphans go with the rest.
	orphan := c.Head()
	fork := c.Truncate(99)
	_, err = fork.StateAt(orphan)
	require.NoError(t, err)
	for range 3 * history {
		fork, _ = seal(t, draft(t, fork, chain.Env{Time: fork.Head().Time() + 2}))
	}
	_, err = fork.StateAt(orphan)
	require.EqualError(t, err, "state of block 100 is pruned")

	// Of many reorgs at one height the last ones stay.
	var orphans []*chain.Block
	for i := range uint64(3 * history) {
		fork, orphan = seal(t, draft(t, c, chain.Env{Time: c.Head().Time() + 2 + i}))
		orphans = append(orphans, orphan)
		c = fork.Truncate(100)
		_, err = c.StateAt(orphan)
		require.NoError(t, err)
	}
	_, err = c.StateAt(orphans[0])
	require.EqualError(t, err, "state of block 101 is pruned")
}

func TestPrunedStatesAreFreed(t *testing.T) {
	t.Parallel()
	const history = 32
	c := newChainOf(t, newGenesis(t, "osaka"), chain.Options{History: history})
	var states []weak.Pointer[evmstate.State]
	add := func(seconds uint64) {
		c, _ = seal(t, draft(t, c, chain.Env{Time: c.Head().Time() + seconds}))
		state, err := c.StateAt(c.Head())
		require.NoError(t, err)
		states = append(states, weak.Make(state))
	}
	requireFew := func() {
		runtime.GC()
		alive := 0
		for _, state := range states {
			if state.Value() != nil {
				alive++
			}
		}
		require.GreaterOrEqual(t, alive, history)
		require.Less(t, alive, 6*history, "of %d", len(states))
		runtime.KeepAlive(c)
	}
	blocks := laboratory.Budget[uint64](t, 300, 1000)
	for range blocks {
		add(1)
	}
	requireFew()
	for i := range blocks / 2 { // reorgs at one height, each to another block
		c = c.Truncate(blocks - 2)
		add(2 + i)
		add(1)
	}
	requireFew()
	for range blocks / 5 { // reorgs on the way up
		c = c.Truncate(c.Head().Number() - 2)
		for range 5 {
			add(3)
		}
	}
	requireFew()
}
