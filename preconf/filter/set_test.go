package filter

import (
	"math"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
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
	short, pass := onWall(1, 1)
	soon := add(t, short)
	_, err := short.Get(soon)
	require.NoError(t, err)
	pass(2)
	require.False(t, short.Remove(soon), "after a nanosecond, too")
	set, pass := onWall(1, time.Minute)
	id := add(t, set)
	saved := set.Copy()
	pass(time.Minute)
	take(t, set, id)
	pass(time.Minute + 1)
	var unknown *UnknownError
	_, err = set.Take(id, math.MaxUint64)
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
	for range 3 {
		note(set, 1)
	}
	saved := set.Copy()
	note(set, 2)
	note(&saved, 3)
	require.Equal(t, []common.Hash{{1}, {1}, {1}, {2}}, take(t, set, id).Hashes)
	require.Equal(t, []common.Hash{{1}, {1}, {1}, {3}}, take(t, &saved, id).Hashes)
	emptied := set.Emptied()
	require.False(t, emptied.Remove(id))
	require.Equal(t, id+1, add(t, &emptied))
}

// Ensure the addresses and topics of all filters take 64 MiB and no more, and those of a filter that is gone count no
// more.
func TestFiltersHaveABudget(t *testing.T) {
	t.Parallel()
	set, pass := onWall(9, timeout)
	sized := func(addresses, topics int) Filter {
		return Filter{Logs: chain.LogFilter{
			Addresses: make([]common.Address, addresses), Topics: [][]common.Hash{make([]common.Hash, topics/2), nil, make([]common.Hash, topics-topics/2)},
		}}
	}
	const addresses, topics = 1_000_000, (control.MaxHeld - 20*1_000_000) / 32
	want := "the filters of this network would take more than 67108864 bytes: end those that are not needed"
	for _, f := range []Filter{sized(addresses, topics+1), sized(addresses+1, topics)} {
		_, err := set.Add(f)
		require.EqualError(t, err, want)
	}
	most, err := set.Add(sized(addresses, topics))
	require.NoError(t, err)
	_, err = set.Add(sized(1, 0))
	require.EqualError(t, err, want)
	add(t, set)
	require.True(t, set.Remove(most))
	_, err = set.Add(sized(addresses, topics))
	require.NoError(t, err)
	pass(timeout + 1)
	_, err = set.Add(sized(addresses, topics))
	require.NoError(t, err, "the one that nobody read is gone")
	require.Equal(t, 1, set.Len())
}

// Ensure a filter goes that more than 1,048,576 changes happen for before it is read, each log counted, and none that
// is read in time.
func TestFiltersWithTooManyChanges(t *testing.T) {
	t.Parallel()
	set, _ := onWall(3, 0)
	note := func(logs int) { set.Note(Event{Kind: Logs, Logs: make([]*types.Log, logs)}) }
	early := add(t, set)
	note(1)
	late := add(t, set)
	note(1<<20 - 1)
	set.Note(Event{Kind: Blocks, Hash: common.Hash{1}})
	_, err := set.Get(late)
	require.NoError(t, err)
	_, err = set.Get(early)
	require.EqualError(t, err, "filter not found: 0x1")
	require.Equal(t, 1, set.Len())
	_, err = set.Take(9, math.MaxUint64)
	require.EqualError(t, err, "filter not found: 0x9")
	require.Equal(t, []common.Hash{{1}}, take(t, set, late).Hashes)
	set.Note(Event{Kind: Blocks})
	require.True(t, set.Remove(late))
	require.False(t, set.Remove(late))
}

// Ensure what is read at a moment ends at the newest event of that moment, and goes on from there.
func TestTakeUpTo(t *testing.T) {
	t.Parallel()
	set, _ := onWall(2, 0)
	id := add(t, set)
	note := func(n byte) { set.Note(Event{Kind: Blocks, Hash: common.Hash{n}}) }
	note(1)
	moment := set.Noted()
	require.EqualValues(t, 1, moment)
	note(2)
	note(3)
	collect, err := set.Take(id, moment)
	require.NoError(t, err)
	note(4)
	require.Equal(t, []common.Hash{{1}}, collect().Hashes)
	require.Equal(t, []common.Hash{{2}, {3}, {4}}, take(t, set, id).Hashes)
	note(5)
	collect, err = set.Take(id, moment)
	require.NoError(t, err)
	require.Empty(t, collect().Hashes)
	require.Equal(t, []common.Hash{{5}}, take(t, set, id).Hashes)
}

// Ensure events that are taken back are read by none, whether it had read them or not, and later ones by all.
func TestForget(t *testing.T) {
	t.Parallel()
	set, _ := onWall(3, 0)
	behind, ahead := add(t, set), add(t, set)
	note := func(n byte) { set.Note(Event{Kind: Blocks, Hash: common.Hash{n}}) }
	note(1)
	before := set.Copy()
	note(2)
	note(3)
	require.Len(t, take(t, set, ahead).Hashes, 3)
	set.Forget(before)
	note(4)
	require.EqualValues(t, 4, set.Noted(), "an id is given out once")
	require.Equal(t, []common.Hash{{1}, {4}}, take(t, set, behind).Hashes)
	require.Equal(t, []common.Hash{{4}}, take(t, set, ahead).Hashes)
	set.Restore(before)
	require.EqualValues(t, 4, set.Noted())
	note(5)
	require.Equal(t, []common.Hash{{1}, {5}}, take(t, set, behind).Hashes)
	note(6)
	set.Forget(Set{})
	require.Empty(t, take(t, set, behind).Hashes)
	set.Note(Event{Kind: Logs, Logs: make([]*types.Log, 1<<20)})
	_, err := set.Get(behind)
	require.NoError(t, err, "changes that were taken back do not count")
}

// onWall returns a set whose wall clock moves only when pass is called.
func onWall(limit int, timeout time.Duration) (set *Set, pass func(time.Duration)) {
	wall := time.Unix(5_000, 0)
	s := New(Limits{limit, timeout}, timeout > 0)
	s.wall = func() time.Time { return wall }
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
