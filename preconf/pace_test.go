package preconf

import (
	"context"
	"math/big"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
)

// wall is a wall clock that tests move.
type wall struct{ now atomic.Int64 }

func (w *wall) read() time.Time { return time.Unix(0, w.now.Load()) }

func (w *wall) pass(d time.Duration) { w.now.Add(int64(d)) }

// following returns a timeline that follows the wall clock, and that clock.
func following(t *testing.T, config Config) (*Timeline, *wall) {
	t.Helper()
	config.Chain, config.Real = wallChain(t), true
	timeline, err := New(config)
	require.NoError(t, err)
	w := new(wall)
	w.pass(5_000 * time.Second)
	timeline.pace.wall = w.read
	require.NoError(t, timeline.Follow(t.Context(), 0, func(err error) { require.NoError(t, err) }))
	t.Cleanup(timeline.Rest)
	return timeline, w
}

// Ensure a clock that follows stands where Run would have brought it, whenever it is asked.
func TestCatchUp(t *testing.T) {
	t.Parallel()
	for _, mode := range []control.Mode{control.Interval, control.Manual, control.Instant} {
		timeline, wall := following(t, Config{Mode: mode})
		watched, err := New(Config{Chain: wallChain(t), Mode: mode, Real: true})
		require.NoError(t, err)
		watched.followFrom(wall.read(), 0)
		for _, d := range []time.Duration{0, 210, 190, 9_200, -1_000, 400, 0, 60_000} {
			wall.pass(d * time.Millisecond)
			_, err := watched.Reach(t.Context(), wall.read())
			require.NoError(t, err)
			timeline.CatchUp(t.Context())
			if d > 200 { // else nothing may be due
				require.Equal(t, watched.Moment().world.progress(), timeline.Moment().world.progress(), mode)
				require.Equal(t, watched.Moment().Latest().Hash(), timeline.Moment().Latest().Hash(), mode)
			}
		}
		timeline.Rest()
		stood := timeline.Moment()
		wall.pass(time.Hour)
		timeline.CatchUp(t.Context())
		require.Same(t, stood, timeline.Moment(), "it rests")
		require.NoError(t, timeline.Follow(t.Context(), 0, nil))
		wall.pass(time.Second)
		timeline.CatchUp(t.Context())
		require.Equal(t, stood.Now().Add(time.Second), timeline.Moment().Now(), "what passed while it rested does not count")
	}
}

// Ensure nothing moves by itself, and nothing is published, while nothing can be due.
func TestCatchUpIsCheap(t *testing.T) {
	t.Parallel()
	timeline, wall := following(t, Config{Mode: control.Interval})
	timeline.CatchUp(t.Context())
	m := timeline.Moment()
	wall.pass(199 * time.Millisecond)
	timeline.CatchUp(t.Context())
	require.Same(t, m, timeline.Moment())
	wall.pass(time.Millisecond)
	timeline.CatchUp(t.Context())
	require.Zero(t, timeline.Moment().Pending().FlashblockIndex())
}

// Ensure a copy goes on with the clock it was copied from, and one of a snapshot from the snapshot's time.
func TestCopyFollows(t *testing.T) {
	t.Parallel()
	timeline, wall := following(t, Config{Mode: control.Interval})
	wall.pass(time.Second)
	timeline.CatchUp(t.Context())
	id := timeline.Snapshot()
	wall.pass(3 * time.Second)
	now := timeline.Copy()
	then, err := timeline.CopyAt(id)
	require.NoError(t, err)
	for _, c := range []*Timeline{now, then} {
		c.pace.wall = wall.read
		require.NoError(t, c.Follow(t.Context(), 0, nil))
		defer c.Rest()
	}
	wall.pass(3 * time.Second)
	for _, c := range []*Timeline{timeline, now, then} {
		c.CatchUp(t.Context())
	}
	require.Equal(t, timeline.Moment().Latest().Hash(), now.Moment().Latest().Hash())
	require.Equal(t, time.Unix(1_007, 0).UTC(), now.Moment().Now())
	require.Equal(t, time.Unix(1_004, 0).UTC(), then.Moment().Now())
	_, err = now.CopyAt(id)
	require.Error(t, err, "a copy has no snapshots")
}

// Ensure a clock that stood still for very long does not make all that it missed.
func TestCatchUpIsBounded(t *testing.T) {
	t.Parallel()
	timeline, wall := following(t, Config{Mode: control.Interval})
	wall.pass(30 * 24 * time.Hour)
	timeline.turn.Lock()
	require.NoError(t, timeline.skip(wall.read()))
	timeline.turn.Unlock()
	m := timeline.Moment()
	require.Zero(t, m.Latest().Number())
	made := maxIdleSteps * 2 * time.Second / 11 // in 2 s
	require.WithinDuration(t, time.Unix(1_000, 0).Add(30*24*time.Hour-made), m.Now(), time.Second)
	require.EqualValues(t, 1, mustSeal(t, timeline).Number())
}

func mustSeal(t *testing.T, timeline *Timeline) *View {
	t.Helper()
	_, err := timeline.Seal(1)
	require.NoError(t, err)
	return timeline.Moment().Latest()
}

// Ensure a reader inside Atomically is not made to wait for itself, and that the clock stands still meanwhile.
func TestCatchUpInsideAtomically(t *testing.T) {
	t.Parallel()
	timeline, wall := following(t, Config{Mode: control.Interval})
	require.NoError(t, timeline.Atomically(func(own *Timeline) error {
		wall.pass(time.Hour)
		timeline.CatchUp(t.Context())
		own.CatchUp(t.Context())
		require.Zero(t, own.Moment().Latest().Number())
		return nil
	}))
	timeline.CatchUp(t.Context())
	require.EqualValues(t, 1_800, timeline.Moment().Latest().Number())
}

// Ensure what was made before a client left counts, and no time is lost or counted twice.
func TestCatchUpIsInterrupted(t *testing.T) {
	t.Parallel()
	timeline, wall := following(t, Config{Mode: control.Interval})
	wall.pass(time.Minute)
	gone, leave := context.WithCancel(t.Context())
	leave()
	timeline.CatchUp(gone)
	require.Zero(t, timeline.Moment().Latest().Number())
	timeline.CatchUp(t.Context())
	require.EqualValues(t, 30, timeline.Moment().Latest().Number())
	require.Equal(t, time.Unix(1_060, 0).UTC(), timeline.Moment().Now())
}

// Ensure the clock ticks by itself while a feed is open or a wait waits, and not otherwise.
func TestFollowTicksForWatchers(t *testing.T) {
	t.Parallel()
	timeline, err := New(Config{Chain: wallChain(t), Mode: control.Interval, Real: true, FlashblockTime: time.Millisecond})
	require.NoError(t, err)
	require.NoError(t, timeline.Follow(t.Context(), 0, nil))
	defer timeline.Rest()
	require.Nil(t, timeline.pace.timer)
	feed := timeline.Subscribe()
	for range 5 {
		_, err := feed.Next(t.Context())
		require.NoError(t, err)
	}
	feed.Close()
	feed.Close()
	require.Zero(t, timeline.pace.watchers)
	timeline.Rest()
	m := timeline.Moment()
	feed = timeline.Subscribe()
	defer feed.Close()
	require.Nil(t, timeline.pace.timeline)
	require.Same(t, m, timeline.Moment())
}

// Ensure a Run ticks for a feed that was open before, and that one ticks after it.
func TestFollowAfterRun(t *testing.T) {
	t.Parallel()
	timeline, err := New(Config{Chain: wallChain(t), Mode: control.Interval, Real: true, FlashblockTime: time.Millisecond})
	require.NoError(t, err)
	feed := timeline.Subscribe()
	defer feed.Close()
	tick := func() {
		for range 5 {
			_, err := feed.Next(t.Context())
			require.NoError(t, err)
		}
	}
	for range 2 {
		ctx, end := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- timeline.Run(ctx) }()
		tick()
		end()
		require.NoError(t, <-ran)
		require.NoError(t, timeline.Follow(t.Context(), 0, nil))
		tick()
		timeline.Rest()
	}
	require.Equal(t, 1, timeline.pace.watchers)
}

// Ensure a clock stands still, and reports why, where no block can be made.
func TestFollowReportsWhatFails(t *testing.T) {
	t.Parallel()
	on := wallChain(t)
	config := *on.Config()
	config.BogotaTime = new(uint64(1_004))
	on, err := chain.New(&chain.Genesis{
		Config: &config, Alloc: chain.SystemContracts(&config), GasLimit: 30_000_000, Timestamp: 1_000, Difficulty: new(big.Int),
	}, chain.Options{})
	require.NoError(t, err)
	timeline, err := New(Config{Chain: on, Mode: control.Interval, Real: true})
	require.NoError(t, err)
	w := new(wall)
	timeline.pace.wall = w.read
	w.pass(5_000 * time.Second)
	var failures []error
	require.NoError(t, timeline.Follow(t.Context(), 0, func(err error) { failures = append(failures, err) }))
	for range 20 {
		w.pass(time.Second)
		timeline.CatchUp(t.Context())
	}
	require.Len(t, failures, 1)
	require.ErrorContains(t, failures[0], "bogota")

	manual, err := New(Config{Chain: wallChain(t)})
	require.NoError(t, err)
	require.ErrorIs(t, manual.Follow(t.Context(), 0, nil), ErrManualClock)
}

// Ensure a clock that begins later stands still for so long and then goes on like any other, also when it is asked
// meanwhile.
func TestFollowBeginsLater(t *testing.T) {
	t.Parallel()
	for _, mode := range []control.Mode{control.Interval, control.Instant} {
		timeline, wall := following(t, Config{Mode: mode})
		wall.pass(time.Second)
		timeline.CatchUp(t.Context())
		c := timeline.Copy()
		c.pace.wall = wall.read
		require.NoError(t, c.Follow(t.Context(), 150*time.Millisecond, nil))
		defer c.Rest()
		stood := c.Moment().Now()
		wall.pass(100 * time.Millisecond)
		c.CatchUp(t.Context())
		require.Equal(t, stood, c.Moment().Now())
		wall.pass(250 * time.Millisecond)
		c.CatchUp(t.Context())
		require.Equal(t, stood.Add(200*time.Millisecond), c.Moment().Now())
		wall.pass(-time.Hour)
		c.CatchUp(t.Context())
		wall.pass(300 * time.Millisecond)
		c.CatchUp(t.Context())
		require.Equal(t, stood.Add(500*time.Millisecond), c.Moment().Now(), "a wall clock that is set back moves nothing, and is followed from there")
	}
}

// Ensure an interval counts from the moment it was set, however long nobody has looked at the clock, and that somebody
// looks again when its first block is due.
func TestIntervalBegins(t *testing.T) {
	t.Parallel()
	timeline, wall := following(t, Config{Mode: control.Instant, Behaviour: Behaviour{PendingPool: true, EqualTimestamps: true}})
	timeline.CatchUp(t.Context())
	set := func(blockTime time.Duration) {
		timeline.CatchUpNow(t.Context())
		require.NoError(t, timeline.SetBlockTime(blockTime))
		require.NoError(t, timeline.SetMode(control.Interval))
		timeline.CatchUpNow(t.Context())
	}
	steps := func(millisecondsAndNumbers ...uint64) {
		t.Helper()
		for step := range slices.Chunk(millisecondsAndNumbers, 2) {
			wall.pass(time.Duration(step[0]) * time.Millisecond)
			timeline.CatchUp(t.Context())
			require.Equal(t, step[1], timeline.Moment().Latest().Number(), "after %d ms", step[0])
		}
	}
	steps(150, 0)
	set(50 * time.Millisecond)
	steps(0, 0, 49, 0, 1, 1, 49, 1, 1, 2, 100, 4)
	set(time.Second)
	steps(649, 4, 1, 5, 850, 5) // slots of a second are those of the clock
	set(10 * time.Millisecond)
	steps(0, 6, 9, 6, 1, 7)
}
