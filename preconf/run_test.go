package preconf

import (
	"context"
	"math/big"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
)

// A real clock follows the wall's, catches up, and is read when something is due.
func TestFollowTheWallClock(t *testing.T) {
	t.Parallel()
	on := wallChain(t)
	for _, mode := range []control.Mode{control.Interval, control.Manual, control.Instant} {
		timeline, err := New(Config{Chain: on, Mode: mode, Real: true})
		require.NoError(t, err)
		w := new(wall)
		timeline.pace.wall = w.read
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

// Ensure Run ends with the reason why no block can be made.
func TestRunReturnsWhatFails(t *testing.T) {
	t.Parallel()
	on := wallChain(t)
	config := *on.Config()
	config.BogotaTime = new(uint64(1_004))
	ending := *on.Genesis()
	ending.Config = &config
	on, err := chain.New(&ending, chain.Options{})
	require.NoError(t, err)
	timeline, err := New(Config{Chain: on, Mode: control.Interval, Real: true})
	require.NoError(t, err)
	var readings atomic.Int64
	timeline.pace.wall = func() time.Time { return time.Unix(5_000+readings.Add(1), 0) }
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // so that a Run that goes on is seen
	defer cancel()
	err = timeline.Run(ctx)
	require.ErrorContains(t, err, "bogota")
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

// A clock that was set to the end of time stands there; the node goes on.
func TestRunAtTheEndOfTime(t *testing.T) {
	t.Parallel()
	for _, mode := range []control.Mode{control.Interval, control.Manual, control.Instant} {
		timeline, err := New(Config{Chain: wallChain(t), Mode: mode, Real: true})
		require.NoError(t, err)
		require.NoError(t, timeline.SetTime(time.Unix(control.LatestTime-3, 0)))
		wall := time.Unix(5_000, 0)
		timeline.followFrom(wall, 0)
		for range 20 {
			wall = wall.Add(time.Second)
			_, err := timeline.Reach(t.Context(), wall)
			require.NoError(t, err, mode)
		}
		require.LessOrEqual(t, timeline.Moment().Now().Unix(), int64(control.LatestTime), mode)
	}
}

// Ensure Run makes what is due while nobody watches, and ends with its context.
func TestRunGoesByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		timeline, err := New(Config{Chain: wallChain(t), Mode: control.Interval, Real: true})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		ran := make(chan error)
		go func() { ran <- timeline.Run(ctx) }()
		<-time.After(5 * time.Second)
		synctest.Wait()
		require.EqualValues(t, 2, timeline.Moment().Latest().Number())
		cancel()
		require.NoError(t, <-ran)
		require.Zero(t, timeline.pace.watchers)
		m := timeline.Moment()
		<-time.After(5 * time.Second)
		timeline.CatchUp(t.Context())
		require.Same(t, m, timeline.Moment())
	})
}
