package chain_test

import (
	"errors"
	"math"
	"math/big"
	"runtime"
	"testing"
	"weak"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

func TestTruncateLeavesReadableOrphans(t *testing.T) {
	t.Parallel()
	c := newChain(t, "osaka")
	tx := call(t, 0, 0, storer, 100_000, words(7, 1))
	c, first := seal(t, draft(t, c, chain.Env{}))
	c, orphan := seal(t, add(t, draft(t, c, chain.Env{}), 0, tx))
	c = grow(t, c, 3)

	cut := c.Truncate(1)
	require.Equal(t, first, cut.Head())
	require.Nil(t, cut.BlockByNumber(2))
	b, canonical := cut.BlockByHash(orphan.Hash())
	require.Equal(t, orphan, b)
	require.False(t, canonical)
	_, _, ok := cut.Find(tx.Hash())
	require.False(t, ok)
	require.Empty(t, collect(t, cut, chain.LogFilter{Addresses: []common.Address{storer}}, 0, 100))
	state, err := cut.StateAt(orphan)
	require.NoError(t, err)
	require.Equal(t, word(7), state.Storage(storer, word(1)))
	state, err = cut.StateAt(cut.Head())
	require.NoError(t, err)
	require.Zero(t, state.Storage(storer, word(1)))

	// The same transaction in another block, at another height.
	again := grow(t, cut, 2)
	again, moved := seal(t, add(t, draft(t, again, chain.Env{}), 0, tx))
	b, index, ok := again.Find(tx.Hash())
	require.True(t, ok)
	require.Equal(t, moved, b)
	require.Zero(t, index)
	require.Len(t, collect(t, again, chain.LogFilter{Addresses: []common.Address{storer}}, 0, 100), 1)

	b, _, ok = c.Find(tx.Hash())
	require.True(t, ok)
	require.Equal(t, orphan, b, "the chain before is as it was")
	require.Same(t, c, c.Truncate(99))
}

// Ensure a chain takes over another's blocks as orphans, including its orphans, with their States and logs, and that
// its own blocks stay canonical.
func TestOrphansOfAnotherChain(t *testing.T) {
	t.Parallel()
	c := grow(t, newChain(t, "osaka"), 2)
	store := func(value uint64) *types.Transaction { return call(t, 0, 0, storer, 100_000, words(value, 1)) }
	other, cut := seal(t, add(t, draft(t, c, chain.Env{}), 0, store(7)))
	other, removed := seal(t, add(t, draft(t, other.Truncate(2), chain.Env{}), 0, store(8)))
	other, newest := seal(t, draft(t, other, chain.Env{}))

	both := c.WithOrphansOf(other)
	require.Same(t, c.Head(), both.Head())
	for _, test := range []struct {
		block *chain.Block
		value uint64
	}{{cut, 7}, {removed, 8}, {newest, 8}} {
		b, canonical := both.BlockByHash(test.block.Hash())
		require.Same(t, test.block, b)
		require.False(t, canonical)
		state, err := both.StateAt(b)
		require.NoError(t, err)
		require.Equal(t, word(test.value), state.Storage(storer, word(1)))
		unknown, _ := c.BlockByHash(b.Hash())
		require.Nil(t, unknown, "the chain it was made of does not change")
	}
	// Both kinds are its own now: they are handed on.
	state, err := c.WithOrphansOf(both).StateAt(cut)
	require.NoError(t, err)
	require.Equal(t, word(7), state.Storage(storer, word(1)))
}

// Ensure the orphans since an earlier chain come once, each after its parent.
func TestOrphansSince(t *testing.T) {
	t.Parallel()
	earlier := grow(t, newChain(t, "osaka"), 1)
	later := grow(t, earlier, 5).Truncate(1)
	later = grow(t, later, 3).Truncate(0)
	orphans := later.OrphansSince(earlier)
	var numbers []uint64
	for _, b := range orphans {
		numbers = append(numbers, b.Number())
	}
	require.Equal(t, []uint64{1, 2, 2, 3, 3, 4, 4, 5, 6}, numbers)
}

// work returns the sum of the difficulties of a chain's blocks.
func work(c *chain.Chain) *big.Int {
	sum := new(big.Int)
	for n := range c.Head().Number() + 1 {
		sum.Add(sum, c.BlockByNumber(n).Header().Difficulty)
	}
	return sum
}

func TestImportSideChains(t *testing.T) {
	t.Parallel()
	// Before the merge the branch with more difficulty wins: shorter block times make it.
	base := grow(t, newChain(t, "london"), 2)
	branch := func(c *chain.Chain, n int, seconds uint64) *chain.Chain {
		for range n {
			c, _ = seal(t, draft(t, c, chain.Env{Time: c.Head().Time() + seconds}))
		}
		return c
	}
	slow, fast := branch(base, 3, 30), branch(base, 3, 1)
	require.Equal(t, 1, work(fast).Cmp(work(slow)))

	c := base
	importAll := func(from *chain.Chain) {
		for n := uint64(3); n <= 5; n++ {
			next, err := c.ImportBlock(from.BlockByNumber(n).Body())
			require.NoError(t, err)
			c = next
		}
	}
	importAll(slow)
	importAll(fast)
	require.Equal(t, fast.Head().Hash(), c.Head().Hash())
	for n := uint64(3); n <= 5; n++ {
		state, err := c.StateAt(slow.BlockByNumber(n))
		require.NoError(t, err, "the other branch stays readable")
		require.Equal(t, slow.BlockByNumber(n).Header().Root, state.Root())
	}
	c = base
	importAll(fast)
	importAll(slow)
	require.Equal(t, fast.Head().Hash(), c.Head().Hash(), "the lighter branch does not win")
	b, canonical := c.BlockByHash(slow.Head().Hash())
	require.NotNil(t, b)
	require.False(t, canonical)
	c = branch(c, 1, 5)
	require.Equal(t, uint64(6), c.Head().Number())

	// After the merge the branch imported last wins.
	merged := grow(t, newChain(t, "osaka"), 2)
	left, right := branch(merged, 3, 30), branch(merged, 3, 1)
	c = merged
	importAll(left)
	importAll(right)
	require.Equal(t, right.Head().Hash(), c.Head().Hash())

	_, err := base.ImportBlock(slow.Head().Body())
	var refused *chain.ImportError
	require.True(t, errors.As(err, &refused))
	require.Equal(t, "parent hash", refused.Field)
}

func TestBlockHashOfEveryBranch(t *testing.T) {
	t.Parallel()
	base := grow(t, newChain(t, "osaka"), 3)
	left := grow(t, base, 300)
	right := base
	for range 5 {
		right, _ = seal(t, draft(t, right, chain.Env{Time: right.Head().Time() + 2}))
	}
	hash := left.HashFunc(left.Head().Header())
	require.Equal(t, left.BlockByNumber(302).Hash(), hash(302))
	require.Equal(t, left.BlockByNumber(0).Hash(), hash(0))
	require.Zero(t, hash(303), "a block does not know its own hash")

	// An orphan of a chain that went another way resolves on its own branch.
	orphan := left.Head().Header()
	switched := left.Truncate(3)
	for n := uint64(4); n <= 8; n++ {
		next, err := switched.ImportBlock(right.BlockByNumber(n).Body())
		require.NoError(t, err)
		switched = next
	}
	hash = switched.HashFunc(orphan)
	require.Equal(t, left.BlockByNumber(6).Hash(), hash(6))
	require.Equal(t, left.BlockByNumber(2).Hash(), hash(2))
	require.Equal(t, right.BlockByNumber(6).Hash(), switched.HashFunc(switched.Head().Header())(6))

	// And so does the opcode.
	d := add(t, draft(t, switched, chain.Env{}), 0, call(t, 0, 0, historian, 100_000, nil))
	require.Equal(t, right.BlockByNumber(8).Hash(), d.State().Storage(historian, word(9)))
}

// Ensure every block and transaction is found by its hash on a long chain, as an orphan after a reorg, again when the
// chain has grown beyond it, and never on a chain that does not have it.
func TestHashesOfALongChain(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	short := newChain(t, "osaka")
	d := draft(t, short, chain.Env{})
	for i := range 5 {
		d = add(t, d, i, call(t, i, 0, storer, 100_000, words(3, uint64(i))))
	}
	short, with := seal(t, d)
	long := grow(t, short, 4_200)
	cut := long.Truncate(100)
	again := grow(t, cut, 1_500)
	other := grow(t, long.Truncate(0), 10)
	for n := range long.Head().Number() + 1 {
		b := long.BlockByNumber(n)
		for name, at := range map[string]struct {
			on        *chain.Chain
			known     bool
			canonical bool
		}{
			"short": {short, n <= 1, n <= 1}, "long": {long, true, true}, "cut": {cut, true, n <= 100},
			"again": {again, true, n <= 100 || n <= 1_600}, "other": {other, true, n == 0},
		} {
			found, canonical := at.on.BlockByHash(b.Hash())
			require.Equal(t, at.known, found != nil, "block %d on %s", n, name)
			if at.known {
				require.Equal(t, b.Hash(), found.Hash(), "block %d on %s", n, name)
			}
			require.Equal(t, at.canonical, canonical, "block %d on %s", n, name)
		}
	}
	for i, tx := range with.Transactions() {
		for on, canonical := range map[*chain.Chain]bool{short: true, long: true, again: true, other: false} {
			b, at, ok := on.Find(tx.Hash())
			require.Equal(t, with.Hash(), b.Hash())
			require.Equal(t, i, at)
			require.Equal(t, canonical, ok)
		}
		b, _, _ := newChain(t, "osaka").Find(tx.Hash())
		require.Nil(t, b)
	}
	require.Empty(t, long.Orphans())
	require.Len(t, cut.Orphans(), 4_101)
	require.Len(t, other.Orphans(), 4_201)
}

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
