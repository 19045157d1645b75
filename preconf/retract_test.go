package preconf_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure the logs that are retracted are those that were announced, whatever pending was executed again for in between.
func TestRetractedLogsAreThoseAnnounced(t *testing.T) {
	t.Parallel()
	dropped := control.FlashblockFault{Kind: control.DropFlashblocks, Retract: true}
	for name, test := range map[string]struct {
		remake  func(*preconf.Timeline) error
		retract func(*testing.T, *preconf.Timeline)
	}{
		"drop after the block's time changed": {
			func(tl *preconf.Timeline) error { return tl.Set(preconf.NextBlockTime(uint64(start.Unix()) + 50)) },
			func(t *testing.T, tl *preconf.Timeline) { fault(t, tl, dropped) },
		},
		"drop after a reorg": {
			func(tl *preconf.Timeline) error {
				_, err := tl.Reorg(control.ReorgOptions{Depth: 1, Length: new(3)})
				return err
			},
			func(t *testing.T, tl *preconf.Timeline) { fault(t, tl, dropped) },
		},
		"drop after a block that changed the state": {
			func(tl *preconf.Timeline) error {
				return tl.EditState(func(s *evmstate.State) *evmstate.State { return s.WithNonce(sink, 7) })
			},
			func(t *testing.T, tl *preconf.Timeline) { fault(t, tl, dropped) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeline := newTimeline(t, preconf.Config{})
			seal(t, timeline, 2)
			send(t, timeline, accounts[0].emit(0, 1, 1))
			announced := preconfirm(t, timeline).Logs
			require.NoError(t, test.remake(timeline))
			feed := timeline.Subscribe()
			defer feed.Close()
			test.retract(t, timeline)
			require.Equal(t, removed(announced), retracted(t, feed))
		})
	}
}

// Ensure a log that was announced again is retracted as it was announced last, and one that was not announced not at
// all.
func TestRetractedLogsAfterSecondAnnouncement(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	send(t, timeline, accounts[0].emit(0, 1, 1))
	preconfirm(t, timeline)
	require.NoError(t, timeline.Set(preconf.NextBlockTime(uint64(start.Unix())+50)))
	feed := timeline.Subscribe()
	defer feed.Close()
	fault(t, timeline, control.FlashblockFault{Kind: control.DuplicateFlashblock})
	event, err := feed.Poll()
	require.NoError(t, err)
	fault(t, timeline, control.FlashblockFault{Kind: control.DropFlashblocks, Retract: true, Gone: true})
	require.Equal(t, removed(event.Flashblock.Logs), retracted(t, feed))

	// A stall swallows the last flashblock of a block, so nobody was told of what is left out of it.
	fault(t, timeline, control.FlashblockFault{Kind: control.StallFlashblocks})
	fault(t, timeline, control.FlashblockFault{Kind: control.OmitTransactions, Retract: true})
	send(t, timeline, accounts[0].emit(0, 1, 2))
	seal(t, timeline, 1)
	require.Nil(t, retracted(t, feed), "no event at all")
	require.Equal(t, 1, timeline.Moment().PoolSize())
}

// retracted returns the logs that the next LogsRetracted of a feed holds, or nil.
func retracted(t *testing.T, feed *preconf.Feed) []*types.Log {
	t.Helper()
	for {
		e, err := feed.Poll()
		require.NoError(t, err)
		if e == nil {
			return nil
		}
		if e.Kind == preconf.LogsRetracted {
			return e.Logs
		}
	}
}

// removed returns copies of logs with Removed set.
func removed(logs []*types.Log) []*types.Log {
	var all []*types.Log
	for _, l := range logs {
		gone := *l
		gone.Removed = true
		all = append(all, &gone)
	}
	return all
}
