package filter

import (
	"math"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
)

const timeout = 5 * time.Minute

// Ensure a filter that nobody reads goes with the wall clock, and one that is read does not.
func TestFiltersExpire(t *testing.T) {
	t.Parallel()
	set, pass := onWall(2, timeout)
	read, unread := add(t, set), add(t, set)
	for range 2 {
		pass(timeout)
		take(t, set, read)
	}
	next, err := set.Add(Filter{Kind: Blocks})
	require.NoError(t, err, "the limit counts those in use")
	for _, id := range []uint64{read, next} {
		require.True(t, set.Remove(id))
	}
	require.False(t, set.Remove(unread))
}

// Ensure a filter expires after its time and no sooner, and restoring a set begins that time anew.
func TestFilterTimeout(t *testing.T) {
	t.Parallel()
	set, pass := onWall(1, time.Minute)
	id := add(t, set)
	saved := set.Copy()
	pass(time.Minute)
	take(t, set, id)
	pass(time.Minute + 1)
	var unknown *UnknownError
	_, err := set.Take(id, math.MaxUint64)
	require.ErrorAs(t, err, &unknown)
	set.Restore(saved)
	pass(time.Minute)
	require.True(t, set.Remove(id))
}

// Ensure filters without a timeout stay.
func TestFiltersThatDoNotExpire(t *testing.T) {
	t.Parallel()
	set, pass := onWall(1, 0)
	id := add(t, set)
	pass(365 * 24 * time.Hour)
	take(t, set, id)
}

// Ensure the list of events holds no more than the slowest filter needs, and nothing without a filter.
func TestEventsAreForgotten(t *testing.T) {
	t.Parallel()
	set, pass := onWall(2, timeout)
	noteSome := func() {
		for i := range 3 * minTrim {
			set.Note(Event{Kind: Blocks, Hash: common.Hash{byte(i), byte(i >> 8)}})
		}
	}
	noteSome()
	require.Empty(t, set.unread.list)
	slow := add(t, set)
	add(t, set)
	noteSome()
	require.Len(t, set.unread.list, 3*minTrim)
	require.Len(t, take(t, set, slow).Hashes, 3*minTrim)
	pass(timeout)
	take(t, set, slow)
	pass(1)
	noteSome()
	require.Less(t, len(set.unread.list), 6*minTrim, "the filter that nobody read is gone")
	require.Len(t, take(t, set, slow).Hashes, 3*minTrim)
	require.True(t, set.Remove(slow))
	require.Empty(t, set.unread.list)
}

// Ensure copies of a set go on by themselves, and an emptied one gives out other ids.
func TestCopiesAreIndependent(t *testing.T) {
	t.Parallel()
	set, _ := onWall(2, 0)
	id := add(t, set)
	note := func(s *Set, n byte) { s.Note(Event{Kind: Blocks, Hash: common.Hash{n}}) }
	note(set, 1)
	saved := set.Copy()
	note(set, 2)
	note(&saved, 3)
	require.Equal(t, []common.Hash{{1}, {2}}, take(t, set, id).Hashes)
	require.Equal(t, []common.Hash{{1}, {3}}, take(t, &saved, id).Hashes)
	emptied := set.Emptied()
	require.False(t, emptied.Remove(id))
	require.Equal(t, id+1, add(t, &emptied))
}

// onWall returns a set whose wall clock moves only when pass is called.
func onWall(limit int, timeout time.Duration) (set *Set, pass func(time.Duration)) {
	wall := time.Unix(5_000, 0)
	s := New(limit, timeout, func() time.Time { return wall })
	return &s, func(d time.Duration) { wall = wall.Add(d) }
}

// add installs a filter of blocks.
func add(t *testing.T, set *Set) uint64 {
	t.Helper()
	id, err := set.Add(Filter{Kind: Blocks})
	require.NoError(t, err)
	return id
}

func take(t *testing.T, set *Set, id uint64) Changes {
	t.Helper()
	collect, err := set.Take(id, math.MaxUint64)
	require.NoError(t, err)
	return collect()
}
