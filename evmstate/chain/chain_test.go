package chain_test

import (
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
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

func TestWithStateReplacesTheHeadsState(t *testing.T) {
	t.Parallel()
	c := grow(t, newChain(t, "osaka"), 2)
	state, err := c.StateAt(c.Head())
	require.NoError(t, err)
	rich := common.Address{0x77}
	edited := c.WithState(state.WithBalance(rich, uint256.NewInt(5)).Commit())
	require.Equal(t, c.Head(), edited.Head())
	next := grow(t, edited, 1)
	for _, of := range []*chain.Chain{edited, next} {
		state, err = of.StateAt(of.Head())
		require.NoError(t, err)
		require.Equal(t, uint64(5), state.Balance(rich).Uint64())
	}
	state, err = c.StateAt(c.Head())
	require.NoError(t, err)
	require.True(t, state.Balance(rich).IsZero())
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
	require.Equal(t, 1, fast.Head().TotalDifficulty().Cmp(slow.Head().TotalDifficulty()))

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
