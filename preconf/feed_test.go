package preconf_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

// A thousand readers get every event, in order, and share its encoding.
func TestFeedFansOut(t *testing.T) {
	t.Parallel()
	const readers, blocks = 1000, 20
	timeline := newTimeline(t, preconf.Config{})
	var wait sync.WaitGroup
	var encodings atomic.Int64
	for range readers {
		feed := timeline.Subscribe()
		wait.Go(func() {
			defer feed.Close()
			for n := uint64(1); n <= blocks; n++ {
				e, err := feed.Next(context.Background())
				if err != nil || e.Kind != preconf.HeadAdded || e.View.Number() != n {
					t.Errorf("want head %d, got %+v, %v", n, e, err)
					return
				}
				got := e.Encoded("number", func() any { encodings.Add(1); return e.View.Number() })
				if got != n {
					t.Errorf("encoded %v, want %d", got, n)
				}
			}
		})
	}
	for range blocks {
		seal(t, timeline, 1)
	}
	wait.Wait()
	require.EqualValues(t, blocks, encodings.Load())
}

// Who falls behind by more than the buffer is told so; others and the writer do
// not notice.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{FeedBuffer: 10})
	slow, quick := timeline.Subscribe(), timeline.Subscribe()
	defer slow.Close()
	defer quick.Close()
	for range 10 {
		seal(t, timeline, 1)
	}
	_, err := slow.Poll()
	require.NoError(t, err, "ten behind is allowed")
	require.Len(t, drain(t, quick), 10)
	seal(t, timeline, 2)
	require.Equal(t, []string{"head 11", "head 12"}, drain(t, quick))
	_, err = slow.Poll()
	require.ErrorIs(t, err, preconf.ErrSlow)
	<-slow.Ready()
	_, err = slow.Next(context.Background())
	require.ErrorIs(t, err, preconf.ErrSlow)
}

func TestFeedCloseAndCancel(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	feed := timeline.Subscribe()
	done := make(chan error)
	go func() {
		_, err := feed.Next(context.Background())
		done <- err
	}()
	feed.Close()
	feed.Close()
	require.ErrorIs(t, <-done, preconf.ErrFeedClosed)
	_, err := feed.Poll()
	require.ErrorIs(t, err, preconf.ErrFeedClosed)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	other := timeline.Subscribe()
	defer other.Close()
	_, err = other.Next(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// A feed tells of what comes after it was made, not before.
func TestFeedStartsNow(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	first := timeline.Subscribe()
	defer first.Close()
	seal(t, timeline, 2)
	second := timeline.Subscribe()
	defer second.Close()
	advance(t, timeline, 200*time.Millisecond)
	require.Equal(t, []string{"head 1", "head 2", "flashblock 3.0"}, drain(t, first))
	require.Equal(t, []string{"flashblock 3.0"}, drain(t, second))
}

// Coming and going leaves nothing behind, also with a reader that never reads.
func TestFeedsLeaveNothingBehind(t *testing.T) {
	timeline := newTimeline(t, preconf.Config{FeedBuffer: 16})
	stuck := timeline.Subscribe()
	defer stuck.Close()
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	cycle := func(n int) {
		for range n {
			feed := timeline.Subscribe()
			_, err := timeline.Preconfirm()
			require.NoError(t, err)
			e, err := feed.Poll()
			require.NoError(t, err)
			require.NotNil(t, e)
			feed.Close()
			_, err = timeline.Fault(preconf.FlashblockFault{Kind: preconf.DropFlashblocks})
			require.NoError(t, err)
		}
	}
	preconfirm(t, timeline) // a block for the cycles to add a flashblock to
	cycle(1000)
	before, goroutines := heap(), runtime.NumGoroutine()
	cycle(100_000)
	require.LessOrEqual(t, runtime.NumGoroutine(), goroutines)
	require.Less(t, heap(), before+1<<20)
}
