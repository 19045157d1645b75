package preconf

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Ensure a filter that nobody reads goes with the wall clock, and one that is read does not.
func TestFiltersExpire(t *testing.T) {
	t.Parallel()
	timeline, pass := onRealClock(t, Config{Real: true, MaxFilters: 2})
	read, err := timeline.NewBlockFilter()
	require.NoError(t, err)
	unread, err := timeline.NewBlockFilter()
	require.NoError(t, err)
	for range 2 {
		pass(DefaultFilterTimeout)
		_, err := timeline.FilterChanges(read)
		require.NoError(t, err)
	}
	next, err := timeline.NewBlockFilter()
	require.NoError(t, err, "the limit counts those in use")
	for _, id := range []uint64{read, next} {
		require.True(t, timeline.UninstallFilter(id))
	}
	require.False(t, timeline.UninstallFilter(unread))
}

// Ensure a filter expires after its time and no sooner, and a revert begins that time anew.
func TestFilterTimeout(t *testing.T) {
	t.Parallel()
	timeline, pass := onRealClock(t, Config{Real: true, FilterTimeout: time.Minute})
	id, err := timeline.NewBlockFilter()
	require.NoError(t, err)
	snapshot := timeline.Snapshot()
	pass(time.Minute)
	_, err = timeline.FilterChanges(id)
	require.NoError(t, err)
	pass(time.Minute + 1)
	var unknown *UnknownFilterError
	_, err = timeline.FilterChanges(id)
	require.ErrorAs(t, err, &unknown)
	require.NoError(t, timeline.Revert(snapshot))
	pass(time.Minute)
	require.True(t, timeline.UninstallFilter(id))
}

// Ensure filters stay where time stands still, and where they are to stay.
func TestFiltersThatDoNotExpire(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]Config{
		"manual clock": {FilterTimeout: time.Second},
		"never":        {Real: true, FilterTimeout: -1},
	} {
		timeline, pass := onRealClock(t, cfg)
		id, err := timeline.NewBlockFilter()
		require.NoError(t, err)
		pass(365 * 24 * time.Hour)
		_, err = timeline.FilterChanges(id)
		require.NoError(t, err, name)
	}
}

// Ensure the list of changes holds no more than the slowest filter needs, and nothing without a filter.
func TestChangesAreForgotten(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: thousands of blocks by one goroutine")
	}
	t.Parallel()
	timeline, pass := onRealClock(t, Config{Real: true})
	kept := func() int { return len(timeline.filters.set.changes.events) }
	sealSome := func() {
		for range 3 * minTrim {
			_, err := timeline.Seal(1)
			require.NoError(t, err)
		}
	}
	sealSome()
	require.Zero(t, kept())
	slow, err := timeline.NewBlockFilter()
	require.NoError(t, err)
	_, err = timeline.NewBlockFilter()
	require.NoError(t, err)
	sealSome()
	require.Equal(t, 3*minTrim, kept())
	changes, err := timeline.FilterChanges(slow)
	require.NoError(t, err)
	require.Len(t, changes.Hashes, 3*minTrim)
	pass(DefaultFilterTimeout)
	_, err = timeline.FilterChanges(slow)
	require.NoError(t, err)
	pass(1)
	sealSome()
	require.Less(t, kept(), 6*minTrim, "the filter that nobody read is gone")
	changes, err = timeline.FilterChanges(slow)
	require.NoError(t, err)
	require.Len(t, changes.Hashes, 3*minTrim)
	require.True(t, timeline.UninstallFilter(slow))
	require.Zero(t, kept())
}

// onRealClock returns a timeline whose wall clock moves only when pass is called.
func onRealClock(t *testing.T, cfg Config) (timeline *Timeline, pass func(time.Duration)) {
	t.Helper()
	cfg.Chain = wallChain(t)
	timeline, err := New(cfg)
	require.NoError(t, err)
	wall := time.Unix(5_000, 0)
	timeline.filters.wall = func() time.Time { return wall }
	return timeline, func(d time.Duration) { wall = wall.Add(d) }
}
