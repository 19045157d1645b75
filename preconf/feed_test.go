package preconf_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
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
	_, err := timeline.Waiter().Wait(ctx, common.Hash{1})
	require.ErrorIs(t, err, context.Canceled, "nor does waiting")
	within <- struct{}{}
	require.NoError(t, <-done)
	seal(t, timeline, 1)
	require.Equal(t, []string{"head 1"}, drain(t, feed))
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

// idsOf returns "block-index after block-index" of each flashblock.
func idsOf(flashblocks []*preconf.Flashblock) []string {
	var list []string
	for _, f := range flashblocks {
		list = append(list, fmt.Sprintf("%d-%d after %d-%d", f.Number, f.Index, f.Previous.Number, f.Previous.Index))
	}
	return list
}

// Ensure a late reader gets the flashblocks that were announced last, in order, those taken back or repeated among
// them, and goes on with the next.
func TestRecentFlashblocks(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	preconfirm(t, timeline)
	preconfirm(t, timeline)
	fault(t, timeline, control.FlashblockFault{Kind: control.DropFlashblocks})
	preconfirm(t, timeline)
	fault(t, timeline, control.FlashblockFault{Kind: control.DuplicateFlashblock})
	seal(t, timeline, 1)
	preconfirm(t, timeline)
	fault(t, timeline, control.FlashblockFault{Kind: control.DuplicateFlashblock})
	feed, recent := timeline.SubscribeAs(preconf.Reader{})
	defer feed.Close()
	require.Equal(t, []string{
		"1-0 after 0-0", "1-1 after 1-0", "1-1 after 1-0", "1-1 after 1-0", "2-0 after 1-1", "2-0 after 1-1",
	}, idsOf(recent))
	preconfirm(t, timeline)
	event, err := feed.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, preconf.FlashblockID{Number: 2, Index: 1}, event.Flashblock.ID())

	for range 2 * preconf.RecentFlashblocks {
		preconfirm(t, timeline)
	}
	again, recent := timeline.SubscribeAs(preconf.Reader{})
	defer again.Close()
	require.Len(t, recent, preconf.RecentFlashblocks)
	require.Equal(t, 2*preconf.RecentFlashblocks+1, recent[len(recent)-1].Index)
	fault(t, timeline, control.FlashblockFault{Kind: control.DuplicateFlashblock, Count: 100})
	last, recent := timeline.SubscribeAs(preconf.Reader{})
	defer last.Close()
	require.Len(t, recent, preconf.RecentFlashblocks)
	require.Equal(t, recent[0].ID(), recent[len(recent)-1].ID())

	copied, none := timeline.Copy().SubscribeAs(preconf.Reader{})
	defer copied.Close()
	require.Empty(t, none)
}

// Ensure the last flashblock of a block, and the first of the next one in the same step, are kept in their order.
func TestRecentAcrossBlocks(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{Mode: control.Interval})
	for range 3 {
		advance(t, timeline, 1900*time.Millisecond)
		send(t, timeline, accounts[0].pay(timeline.Moment().Latest().Number(), sink, 1))
		advance(t, timeline, 100*time.Millisecond)
	}
	feed, recent := timeline.SubscribeAs(preconf.Reader{})
	defer feed.Close()
	require.NotEmpty(t, recent)
	for i, f := range recent[1:] {
		require.Equal(t, recent[i].ID(), f.Previous, "%v", idsOf(recent))
	}
}
