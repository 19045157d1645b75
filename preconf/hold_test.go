package preconf_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure a held transaction stays in the pool, with later ones of its sender, while others pass, and says why.
func TestHoldUntilReleased(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	kept, behind, passing := accounts[0].pay(0, sink, 1), accounts[0].pay(1, sink, 2), accounts[1].pay(0, sink, 4)
	require.NoError(t, timeline.Hold(control.Hold{Hashes: []common.Hash{kept.Hash()}}), "before it is sent")
	send(t, timeline, kept, behind, passing)
	preconfirm(t, timeline)
	seal(t, timeline, 3)
	require.EqualValues(t, 4, balance(t, timeline.Moment().Latest(), sink))
	var held *control.HeldError
	require.ErrorAs(t, timeline.Moment().Place(kept.Hash()).Reason, &held)
	require.Zero(t, held.Until)
	require.ErrorContains(t, timeline.Moment().Place(behind.Hash()).Reason, "it follows "+kept.Hash().Hex()+" of the same sender: it is held on command")

	id := timeline.Snapshot()
	released, err := timeline.Release()
	require.NoError(t, err)
	require.Equal(t, 1, released, "the one behind it only waited")
	preconfirm(t, timeline)
	require.EqualValues(t, 7, balance(t, timeline.Moment().Pending(), sink))

	require.NoError(t, timeline.Revert(id))
	seal(t, timeline, 1)
	require.EqualValues(t, 4, balance(t, timeline.Moment().Latest(), sink), "held again, as at the snapshot")
	timeline.ClearFlashblockFaults()
	require.Empty(t, timeline.Moment().Holds())
	seal(t, timeline, 1)
	require.EqualValues(t, 7, balance(t, timeline.Moment().Latest(), sink))
}

// Ensure a hold for a time ends by the clock, on the way of Advance.
func TestHoldForATime(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	require.NoError(t, timeline.Hold(control.Hold{Senders: []common.Address{accounts[0].address}, For: 3 * time.Second}))
	tx := accounts[0].pay(0, sink, 1)
	send(t, timeline, tx)
	advance(t, timeline, 2900*time.Millisecond)
	require.Equal(t, preconf.Pooled, timeline.Moment().Place(tx.Hash()).Where)
	require.Equal(t, 100*time.Millisecond, timeline.Moment().Holds()[0].For)
	require.ErrorContains(t, timeline.Moment().Place(tx.Hash()).Reason, "until "+start.Add(3*time.Second).Format(time.RFC3339))
	advance(t, timeline, 100*time.Millisecond)
	require.Equal(t, preconf.Preconfirmed, timeline.Moment().Place(tx.Hash()).Where)
	require.Empty(t, timeline.Moment().Holds())
}

// Ensure a hold for so many blocks ends by their number, and moves to the transaction that stands for another.
func TestHoldForBlocks(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	old, tx := accounts[0].pay(0, sink, 1), accounts[0].pay(0, sink, 2)
	require.NoError(t, timeline.Hold(control.Hold{Hashes: []common.Hash{old.Hash()}, Blocks: 2}))
	timeline.MoveHold(old.Hash(), tx.Hash())
	send(t, timeline, tx)
	seal(t, timeline, 1)
	require.EqualError(t, timeline.Moment().Place(tx.Hash()).Reason, "it is held on command, until block 3")
	require.EqualValues(t, 1, timeline.Moment().Holds()[0].Blocks)
	seal(t, timeline, 2)
	found, err := timeline.Moment().Find(tx.Hash())
	require.NoError(t, err)
	require.EqualValues(t, 3, found.View.Number())
	require.Empty(t, timeline.Moment().Holds())
}

// Ensure a hold in Instant mode ends with Release, which seals.
func TestHoldInInstantMode(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{Mode: control.Instant})
	require.ErrorContains(t, timeline.Hold(control.Hold{For: -1}), "not between 0")
	require.NoError(t, timeline.Hold(control.Hold{}), "all")
	send(t, timeline, accounts[0].pay(0, sink, 1), accounts[1].pay(0, sink, 2))
	require.Zero(t, timeline.Moment().Latest().Number())
	released, err := timeline.Release()
	require.NoError(t, err)
	require.Equal(t, 2, released)
	require.EqualValues(t, 2, timeline.Moment().Latest().Number())
}

// Ensure holds for a time end in Instant mode, too: by Advance at their times, each with a block of its own, and with
// the next transaction where the time was set.
func TestHoldForATimeInInstantMode(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{Mode: control.Instant})
	second, first, third := accounts[0].pay(0, sink, 1), accounts[1].pay(0, sink, 2), accounts[2].pay(0, sink, 4)
	require.NoError(t, timeline.Hold(control.Hold{Hashes: []common.Hash{second.Hash()}, For: 5 * time.Second}))
	require.NoError(t, timeline.Hold(control.Hold{Hashes: []common.Hash{first.Hash()}, For: 3 * time.Second}))
	require.NoError(t, timeline.Hold(control.Hold{Hashes: []common.Hash{third.Hash()}, For: time.Hour}))
	send(t, timeline, second, first, third)
	advance(t, timeline, 2999*time.Millisecond)
	require.Zero(t, timeline.Moment().Latest().Number())
	advance(t, timeline, 3*time.Second)
	require.EqualValues(t, 3, balance(t, timeline.Moment().Latest(), sink))
	for i, tx := range []*types.Transaction{first, second} {
		found, err := timeline.Moment().Find(tx.Hash())
		require.NoError(t, err)
		require.EqualValues(t, i+1, found.View.Number())
		require.EqualValues(t, start.Unix()+3+2*int64(i), found.View.Header().Time)
	}
	require.Equal(t, start.Add(5999*time.Millisecond), timeline.Moment().Now())
	require.Len(t, timeline.Moment().Holds(), 1)

	require.NoError(t, timeline.IncreaseTime(time.Hour))
	require.Equal(t, preconf.Pooled, timeline.Moment().Place(third.Hash()).Where)
	send(t, timeline, accounts[0].pay(1, sink, 8))
	require.EqualValues(t, 15, balance(t, timeline.Moment().Latest(), sink))
}

// Ensure the blocks of a reorg take nothing that is held: it waits in the pool, also where a hold for so many blocks
// was over before the reorg and is not over below it.
func TestHoldThroughAReorg(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	kept, late, passing := accounts[0].pay(0, sink, 1), accounts[1].pay(0, sink, 2), accounts[2].pay(0, sink, 4)
	require.NoError(t, timeline.Hold(control.Hold{Hashes: []common.Hash{late.Hash()}, Blocks: 2}))
	send(t, timeline, kept, late, passing)
	seal(t, timeline, 3)
	require.EqualValues(t, 7, balance(t, timeline.Moment().Latest(), sink))
	require.NoError(t, timeline.Hold(control.Hold{Hashes: []common.Hash{kept.Hash()}}))

	at := timeline.Moment().Chain().Head().Number()
	result, err := timeline.Reorg(preconf.ReorgOptions{Depth: 3})
	require.NoError(t, err)
	require.Equal(t, []common.Hash{kept.Hash()}, result.Requeued)
	require.Equal(t, preconf.Pooled, timeline.Moment().Place(kept.Hash()).Where)
	require.EqualValues(t, 6, balance(t, timeline.Moment().Latest(), sink))
	require.Equal(t, at, timeline.Moment().Place(late.Hash()).View.Number(), "not before the third block")
	released, err := timeline.Release()
	require.NoError(t, err)
	require.Equal(t, 1, released)
	seal(t, timeline, 1)
	require.EqualValues(t, 7, balance(t, timeline.Moment().Latest(), sink))
}
