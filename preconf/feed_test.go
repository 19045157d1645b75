package preconf_test

import (
	"context"
	"runtime"
	"testing"
	"weak"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// tell makes the timeline emit n events: its newest flashblock, over and over.
func tell(t *testing.T, timeline *preconf.Timeline, n int) {
	t.Helper()
	for ; n > 0; n -= 10_000 {
		fault(t, timeline, control.FlashblockFault{Kind: control.DuplicateFlashblock, Count: min(n, 10_000)})
	}
}

// A feed begins and ends while a writer works, and misses nothing of what comes after the Moment there was.
func TestSubscribeDoesNotWaitForWriters(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	within := make(chan struct{})
	done := make(chan error)
	go func() {
		done <- timeline.EditState(func(s *evmstate.State) *evmstate.State {
			within <- struct{}{}
			<-within
			return s
		})
	}()
	<-within
	feed := timeline.Subscribe()
	defer feed.Close()
	timeline.Subscribe().Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := timeline.Wait(ctx, common.Hash{1})
	require.ErrorIs(t, err, context.Canceled, "nor does waiting")
	within <- struct{}{}
	require.NoError(t, <-done)
	seal(t, timeline, 1)
	require.Equal(t, []string{"head 1"}, drain(t, feed))
}

// A reader that subscribes while blocks are sealed receives the first one that the Moment before did not show, and of
// none that the Moment after does not.
func TestSubscribeWhileSealing(t *testing.T) {
	t.Parallel()
	const blocks = 2000
	timeline := newTimeline(t, preconf.Config{})
	done := make(chan error)
	go func() {
		_, err := timeline.Seal(blocks)
		done <- err
	}()
	for number := uint64(0); number < blocks; {
		before := timeline.Moment().Latest().Number()
		feed := timeline.Subscribe()
		after := timeline.Moment().Latest().Number()
		if after == blocks {
			break
		}
		e, err := feed.Next(t.Context())
		require.NoError(t, err)
		number = e.View.Number()
		require.Greater(t, number, before)
		require.LessOrEqual(t, number, after+1)
		feed.Close()
	}
	require.NoError(t, <-done)
}

// An event is forgotten when the last reader has read it. A reader that does not read holds those of its buffer, not
// all that come.
func TestReadEventsAreFreed(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	feed := timeline.Subscribe()
	defer feed.Close()
	next := func() weak.Pointer[preconf.Event] {
		e, err := feed.Poll()
		require.NoError(t, err)
		return weak.Make(e)
	}
	seal(t, timeline, 1)
	read := next()
	seal(t, timeline, 1)
	unread := next()
	runtime.GC()
	require.Nil(t, read.Value())

	stuck := timeline.Subscribe()
	preconfirm(t, timeline)
	tell(t, timeline, 10_000)
	for range 5_000 {
		unread = next()
	}
	drain(t, feed)
	runtime.GC()
	require.NotNil(t, unread.Value(), "the other reader may read it yet")
	for range 10 {
		tell(t, timeline, 10_000)
		drain(t, feed)
	}
	runtime.GC()
	require.Nil(t, unread.Value(), "the other reader is too slow")
	stuck.Close()
}

// Coming and going leaves nothing behind.
func TestFeedsLeaveNothingBehind(t *testing.T) {
	timeline := newTimeline(t, preconf.Config{})
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
			_, err = timeline.FlashblockFault(control.FlashblockFault{Kind: control.DropFlashblocks})
			require.NoError(t, err)
		}
	}
	preconfirm(t, timeline) // a block for the cycles to add a flashblock to
	cycle(1000)
	before, goroutines := heap(), runtime.NumGoroutine()
	cycle(laboratory.Budget(t, 5_000, 100_000))
	require.LessOrEqual(t, runtime.NumGoroutine(), goroutines)
	require.Less(t, heap(), before+1<<20)
}

// Ensure the View of each new head, of a seal as of a reorg, has the block's own state and is where calls at it run.
func TestViewOfAHead(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	feed := timeline.Subscribe()
	defer feed.Close()
	for nonce := range uint64(2) {
		send(t, timeline, accounts[0].pay(nonce, sink, 1))
		seal(t, timeline, 1)
	}
	reorg(t, timeline, preconf.ReorgOptions{Depth: 2, Blocks: [][]*types.Transaction{{accounts[1].pay(0, sink, 5)}}})
	var paid []int64
	for e, err := feed.Poll(); e != nil; e, err = feed.Poll() {
		require.NoError(t, err)
		if e.Kind != preconf.HeadAdded {
			continue
		}
		paid = append(paid, balance(t, e.View, sink))
		call, err := e.View.CallView()
		require.NoError(t, err)
		require.Equal(t, e.View.Hash(), call.Header.Hash())
		require.Equal(t, e.View.Hash(), call.Chain.Head().Hash())
		require.EqualValues(t, paid[len(paid)-1], call.State.Balance(sink).Uint64())
	}
	require.Equal(t, []int64{1, 2, 5, 7, 7}, paid)
}
