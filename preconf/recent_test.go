package preconf_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

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
	feed, recent := timeline.SubscribeRecent()
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
	again, recent := timeline.SubscribeRecent()
	defer again.Close()
	require.Len(t, recent, preconf.RecentFlashblocks)
	require.Equal(t, 2*preconf.RecentFlashblocks+1, recent[len(recent)-1].Index)
	fault(t, timeline, control.FlashblockFault{Kind: control.DuplicateFlashblock, Count: 100})
	last, recent := timeline.SubscribeRecent()
	defer last.Close()
	require.Len(t, recent, preconf.RecentFlashblocks)
	require.Equal(t, recent[0].ID(), recent[len(recent)-1].ID())

	copied, none := timeline.Copy().SubscribeRecent()
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
	feed, recent := timeline.SubscribeRecent()
	defer feed.Close()
	require.NotEmpty(t, recent)
	for i, f := range recent[1:] {
		require.Equal(t, recent[i].ID(), f.Previous, "%v", idsOf(recent))
	}
}

// Ensure a pending block tells its flashblocks apart, and which of them another one has, too.
func TestSharedFlashblocks(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	empty := timeline.Moment().Pending()
	var views []*preconf.View
	for range 3 {
		preconfirm(t, timeline)
		views = append(views, timeline.Moment().Pending())
	}
	for i, v := range views {
		require.Zero(t, v.SharedFlashblocks(empty))
		require.Zero(t, empty.SharedFlashblocks(v))
		require.Equal(t, i, v.FlashblockIndex())
		require.Equal(t, i+1, v.SharedFlashblocks(v))
		require.Equal(t, i+1, views[2].SharedFlashblocks(v))
		require.Equal(t, i+1, v.SharedFlashblocks(views[2]))
		require.Len(t, v.Flashblocks(0), i+1)
		for j, earlier := range v.Flashblocks(1) {
			require.Equal(t, j+1, earlier.FlashblockIndex())
		}
		require.Empty(t, v.Flashblocks(i+1))
	}
	fault(t, timeline, control.FlashblockFault{Kind: control.DropFlashblocks})
	preconfirm(t, timeline)
	require.Equal(t, 2, timeline.Moment().Pending().SharedFlashblocks(views[2]))
	seal(t, timeline, 1)
	require.Zero(t, timeline.Moment().Latest().SharedFlashblocks(views[2]))
	require.Empty(t, timeline.Moment().Latest().Flashblocks(0))
	preconfirm(t, timeline)
	require.Zero(t, timeline.Moment().Pending().SharedFlashblocks(views[2]))
}
