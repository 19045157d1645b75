package preconf

import (
	"context"
	"math/big"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
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
	timeline.pace.Wall = w.read
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
		c.pace.Wall = wall.read
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

// Ensure who gets the turn while much is caught up with may ask the clock, too.
func TestCatchUpLendsItsTurn(t *testing.T) {
	t.Parallel()
	timeline, wall := following(t, Config{Mode: control.Interval})
	wall.pass(2 * time.Hour)
	done := make(chan struct{})
	go func() {
		defer close(done)
		timeline.CatchUp(t.Context())
	}()
	for timeline.Moment().Latest().Number() == 0 {
		runtime.Gosched()
	}
	require.NoError(t, timeline.Atomically(func(*Timeline) error {
		timeline.CatchUp(t.Context())
		return nil
	}))
	<-done
	require.EqualValues(t, 3_600, timeline.Moment().Latest().Number())
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
	feed := timeline.Subscribe()
	for range 5 {
		_, err := feed.Next(t.Context())
		require.NoError(t, err)
	}
	feed.Close()
	feed.Close()
	timeline.Rest()
	m := timeline.Moment()
	feed = timeline.Subscribe()
	defer feed.Close()
	_, follows := timeline.pace.Following()
	require.False(t, follows)
	require.Same(t, m, timeline.Moment())
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
	timeline.pace.Wall = w.read
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
		c.pace.Wall = wall.read
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
		require.NoError(t, timeline.Set(BlockTime(blockTime)))
		require.NoError(t, timeline.Set(Mode(control.Interval)))
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

// A real clock follows the wall's, catches up, and is read when something is due.
func TestFollowTheWallClock(t *testing.T) {
	t.Parallel()
	on := wallChain(t)
	for _, mode := range []control.Mode{control.Interval, control.Manual, control.Instant} {
		timeline, err := New(Config{Chain: on, Mode: mode, Real: true})
		require.NoError(t, err)
		w := new(wall)
		timeline.pace.Wall = w.read
		w.pass(5_000 * time.Second)
		timeline.followFrom(w.read(), 0)
		var waits []time.Duration
		// Late by 10 ms, then set back by a second, then asleep.
		for _, at := range []int{0, 210, 400, 9_600, 8_600, 9_000} {
			w.now.Store(int64(5_000*time.Second + time.Duration(at)*time.Millisecond))
			wait, err := timeline.Reach(t.Context(), w.read())
			require.NoError(t, err)
			waits = append(waits, wait)
		}

		m := timeline.Moment()
		require.Equal(t, time.Unix(1_010, 0).UTC(), m.Now(), mode)
		ms := time.Millisecond
		if mode == control.Interval {
			require.EqualValues(t, 5, m.Latest().Number())
			require.Equal(t, 0, m.Pending().FlashblockIndex())
			require.Equal(t, []time.Duration{200 * ms, 190 * ms, 200 * ms, 200 * ms, 200 * ms, 200 * ms}, waits)
		} else {
			require.Zero(t, m.Latest().Number(), mode)
		}
	}
}

// wallChain is a chain that begins at second 1,000.
func wallChain(t *testing.T) *chain.Chain {
	t.Helper()
	config, err := chain.ForkConfig("osaka", 31337)
	require.NoError(t, err)
	on, err := chain.New(&chain.Genesis{
		Config: config, Alloc: chain.SystemContracts(config), GasLimit: 30_000_000,
		Timestamp: 1_000, Difficulty: new(big.Int),
	}, chain.Options{})
	require.NoError(t, err)
	return on
}

// Ensure a clock that somebody waits for goes by itself, and rests when told.
func TestWaitersMoveTheClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		timeline, err := New(Config{Chain: wallChain(t), Mode: control.Interval, Real: true})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		require.NoError(t, timeline.Follow(ctx, 0, nil))
		waited := make(chan error)
		go func() { waited <- timeline.Waiter().Until(ctx, func(*Moment) bool { return false }) }()
		<-time.After(5 * time.Second)
		synctest.Wait()
		require.EqualValues(t, 2, timeline.Moment().Latest().Number())
		cancel()
		require.ErrorIs(t, <-waited, context.Canceled)
		m := timeline.Moment()
		<-time.After(5 * time.Second)
		require.Same(t, m, timeline.Moment(), "nobody waits any more")
		timeline.Rest()
		timeline.CatchUp(t.Context())
		require.Same(t, m, timeline.Moment())
	})
}
