package store

import (
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
)

// grown returns a log of six blocks: 1 to 3 on the first block, 4 on 1, and 5 and 6 on 4.
func grown() log {
	l := newLog()
	for i, parent := range []position{0, 1, 2, 1, 4, 5} {
		l.add(entry{parent: parent, hash: common.Hash{byte(i + 1)}, base: parent}, 0, 10)
	}
	return l
}

// Ensure a log finds its blocks, their paths and ancestors, and knows which are orphans as the tip moves.
func TestLogOfBranches(t *testing.T) {
	t.Parallel()
	l := grown()
	require.EqualValues(t, 6, l.last())
	require.EqualValues(t, 6, l.tip)
	require.Equal(t, []position{2, 3}, l.sortedOrphans())
	l.moveTo(3)
	require.Equal(t, []position{4, 5, 6}, l.sortedOrphans())
	l.moveTo(1)
	require.Equal(t, []position{2, 3, 4, 5, 6}, l.sortedOrphans())
	l.moveTo(0)
	require.Equal(t, []position{1, 2, 3, 4, 5, 6}, l.sortedOrphans())
	l.moveTo(5)
	require.Equal(t, []position{2, 3, 6}, l.sortedOrphans())
	for block := range position(7) {
		require.Equal(t, block != 0, l.knows(block))
		require.Equal(t, block, l.find(l.at(block).hash))
		require.Equal(t, block, l.newest(block))
	}
	for _, test := range []struct{ a, b, want position }{{3, 6, 1}, {6, 3, 1}, {2, 3, 2}, {6, 4, 4}, {0, 6, 0}, {5, 5, 5}} {
		require.Equal(t, test.want, l.commonAncestor(test.a, test.b), "%+v", test)
	}
	require.Equal(t, []position{1, 4, 5}, l.path(0, 5))
	require.Equal(t, []position{5, 6}, l.path(4, 6))
	require.Empty(t, l.path(6, 6))
	require.EqualValues(t, 6, l.newestBlock())
	for _, gone := range []position{6, 5} {
		require.NoError(t, l.forget(gone))
		require.Zero(t, l.find(common.Hash{byte(gone)}))
	}
	require.EqualValues(t, 4, l.newestBlock())
	require.EqualValues(t, 8, l.last())
	require.Equal(t, []position{2, 3}, l.sortedOrphans())
	empty := newLog()
	require.Zero(t, empty.newestBlock())
	require.Zero(t, empty.last())
	require.Nil(t, empty.block(0))
	require.Nil(t, l.block(8))
}

// Ensure the newest State of a block is found, States follow on the one that was loaded, and a whole one is due after a
// mebibyte of changes, or as many as the last whole one has.
func TestStatesOfALog(t *testing.T) {
	t.Parallel()
	l := grown()
	require.EqualValues(t, 60, l.since)
	require.EqualValues(t, 4, l.baseOf(5), "its parent's")
	l.add(entry{base: 5}, 5, 100)
	require.EqualValues(t, 7, l.newest(5))
	require.EqualValues(t, 4, l.newest(4))
	require.EqualValues(t, 160, l.since)
	require.EqualValues(t, 6, l.tip, "a State moves nothing")
	require.EqualValues(t, 6, l.newestBlock())
	l.read, l.loaded = l.last(), l.states
	require.EqualValues(t, 7, l.baseOf(5), "as it was loaded")
	require.EqualValues(t, 4, l.baseOf(4))
	l.add(entry{base: 7}, 5, 1)
	require.EqualValues(t, 8, l.newest(5))
	require.EqualValues(t, 7, l.baseOf(5))
	l.add(entry{parent: 6, hash: common.Hash{9}, base: 6}, 0, 1)
	require.EqualValues(t, 6, l.baseOf(9))

	for _, test := range []struct {
		since, whole int
		due          bool
	}{{1 << 20, 0, false}, {1<<20 + 1, 0, true}, {1<<20 + 1, 1<<20 + 1, false}, {1<<20 + 2, 1<<20 + 1, true}, {5, 3, false}} {
		l.since, l.whole = test.since, test.whole
		require.Equal(t, test.due, l.due(), "%+v", test)
	}
	l.add(entry{whole: true}, 5, 77)
	require.Equal(t, []int{0, 77}, []int{l.since, l.whole})
	l.add(entry{base: 9}, 5, 3)
	require.Equal(t, []int{3, 77}, []int{l.since, l.whole})
}

// Ensure a branch of a log shares the records that it had and none that come later, and an undone change leaves nothing
// behind.
func TestBranchOfALog(t *testing.T) {
	t.Parallel()
	l := grown()
	b := l.branch()
	require.EqualValues(t, 7, b.from)
	require.EqualValues(t, 6, b.last())
	require.Equal(t, l.sortedOrphans(), b.sortedOrphans())
	l.add(entry{parent: 6, hash: common.Hash{7}}, 0, 1)
	undo := b.snapshot()
	b.add(entry{parent: 3, hash: common.Hash{8}}, 0, 1)
	require.EqualValues(t, 7, b.find(common.Hash{8}))
	require.Zero(t, b.find(common.Hash{7}))
	require.Zero(t, l.find(common.Hash{8}))
	require.Equal(t, []position{4, 5, 6}, b.sortedOrphans())
	require.Equal(t, []common.Hash{{3}, {8}}, []common.Hash{b.at(3).hash, b.at(7).hash})
	require.Equal(t, []position{2, 3, 7}, b.path(1, 7))
	undo()
	require.EqualValues(t, 6, b.last())
	require.Zero(t, b.find(common.Hash{8}))
	require.EqualValues(t, 6, b.tip)
	further := b.branch()
	require.Equal(t, common.Hash{2}, further.at(2).hash, "of its source's source")
	require.True(t, slices.Equal(l.path(0, 3), further.path(0, 3)))
	require.Nil(t, further.block(2))
}
