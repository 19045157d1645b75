package preconf_test

import (
	"errors"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
)

func fault(t testing.TB, timeline *preconf.Timeline, f control.FlashblockFault) control.FaultResult {
	t.Helper()
	r, err := timeline.FlashblockFault(f)
	require.NoError(t, err)
	return r
}

// twoFlashblocks has "1 1" in flashblock 0 and "1 2" in flashblock 1, of two senders, on an empty chain, and a feed of
// what comes.
func twoFlashblocks(t *testing.T) (*preconf.Timeline, []*types.Transaction, *preconf.Feed) {
	timeline := newTimeline(t, preconf.Config{})
	txs := []*types.Transaction{accounts[0].emit(0, 1, 1), accounts[1].emit(0, 1, 2)}
	for _, tx := range txs {
		send(t, timeline, tx)
		preconfirm(t, timeline)
	}
	feed := timeline.Subscribe()
	t.Cleanup(feed.Close)
	return timeline, txs, feed
}

func TestDroppedFlashblock(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault  control.FlashblockFault
		events []string
		sealed []string
	}{
		{control.FlashblockFault{}, nil, []string{"1 1", "1 2"}},
		{control.FlashblockFault{Gone: true}, nil, []string{"1 1"}},
		{control.FlashblockFault{Gone: true, Retract: true}, []string{"retracted: [1 2 removed]"}, []string{"1 1"}},
		{control.FlashblockFault{Count: 2, Gone: true}, nil, nil},
	} {
		timeline, txs, feed := twoFlashblocks(t)
		test.fault.Kind = control.DropFlashblocks
		r := fault(t, timeline, test.fault)
		require.Equal(t, max(test.fault.Count, 1), r.Flashblocks)
		require.Equal(t, txs[1].Hash(), r.Transactions[len(r.Transactions)-1])
		found := find(t, timeline.Moment(), txs[1].Hash())
		require.False(t, found.Executed())
		require.Equal(t, test.events, drain(t, feed))
		seal(t, timeline, 1)
		require.Equal(t, test.sealed, logsIn(t, timeline.Moment(), earliest, latest))
	}
}

// Same transaction, other logs: what was announced never happens, and the block is a valid one.
func TestAlteredLogs(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	feed := timeline.Subscribe()
	defer feed.Close()
	fault(t, timeline, control.FlashblockFault{Kind: control.AlterLogs})
	send(t, timeline, accounts[0].emit(0, 1, 8))
	f := preconfirm(t, timeline)
	require.Equal(t, []string{"1 9"}, names(f.Logs))
	send(t, timeline, accounts[0].emit(1, 1, 8))
	require.Equal(t, []string{"1 8"}, names(preconfirm(t, timeline).Logs), "one flashblock only")

	m := timeline.Moment()
	require.Equal(t, []string{"1 9", "1 8"}, logsIn(t, m, pending, pending))
	found := find(t, m, accounts[0].emit(0, 1, 8).Hash())
	require.True(t, found.Executed())
	require.Equal(t, []string{"1 9"}, names(found.Receipt.Logs))

	// It lasts while the pending block is made again.
	require.NoError(t, timeline.Set(preconf.Coinbase(sink)))
	require.Equal(t, []string{"1 9", "1 8"}, logsIn(t, timeline.Moment(), pending, pending))

	seal(t, timeline, 1)
	m = timeline.Moment()
	require.Equal(t, []string{"1 8", "1 8"}, logsIn(t, m, earliest, latest))
	require.Equal(t, types.DeriveSha(m.Latest().Receipts(), newHasher()), m.Latest().Header().ReceiptHash)

	third := accounts[0].emit(2, 1, 4)
	fault(t, timeline, control.FlashblockFault{Kind: control.AlterLogs, Hashes: []common.Hash{third.Hash()}})
	send(t, timeline, third)
	require.Equal(t, []string{"1 5"}, names(preconfirm(t, timeline).Logs))
}

// A second transaction with the nonce of a pre-confirmed one is taken on command, waits for the block, and is in none.
func TestReplacementIsTaken(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	first, second := accounts[0].pay(0, sink, 1), accounts[0].pay(0, sink, 2)
	send(t, timeline, first)
	preconfirm(t, timeline)
	require.ErrorIs(t, timeline.Send(second), core.ErrNonceTooLow)
	require.True(t, fault(t, timeline, control.FlashblockFault{Kind: control.TakeReplacements}).Armed)
	send(t, timeline, second)
	require.ErrorIs(t, timeline.Send(accounts[0].pay(0, sink, 3)), core.ErrNonceTooLow, "one only")
	preconfirm(t, timeline)
	require.Equal(t, preconf.Pooled, find(t, timeline.Moment(), second.Hash()).Where)
	fault(t, timeline, control.FlashblockFault{Kind: control.TakeReplacements})
	seal(t, timeline, 1)
	require.Equal(t, preconf.Sealed, find(t, timeline.Moment(), first.Hash()).Where)
	require.Equal(t, preconf.Dropped, find(t, timeline.Moment(), second.Hash()).Where)
	require.ErrorIs(t, timeline.Send(second), core.ErrNonceTooLow, "its nonce is in a block")
}

func TestDuplicatedFlashblock(t *testing.T) {
	t.Parallel()
	timeline, _, feed := twoFlashblocks(t)
	fault(t, timeline, control.FlashblockFault{Kind: control.DuplicateFlashblock, Count: 2})
	require.Equal(t, []string{"flashblock 1.1", "flashblock 1.1"}, drain(t, feed))
}

// Pending falls back to latest, and what was pre-confirmed is announced again when the stall ends, or sealed.
func TestStall(t *testing.T) {
	t.Parallel()
	timeline, txs, feed := twoFlashblocks(t)
	r := fault(t, timeline, control.FlashblockFault{Kind: control.StallFlashblocks, Count: 2})
	require.Len(t, r.Transactions, 2)
	id := timeline.Snapshot()

	m := timeline.Moment()
	require.Empty(t, m.Pending().Transactions())
	require.Empty(t, logsIn(t, m, pending, pending))
	require.EqualValues(t, 1, m.PoolNonce(accounts[0].address))
	advance(t, timeline, 400*time.Millisecond)
	require.Empty(t, drain(t, feed))
	advance(t, timeline, 200*time.Millisecond)
	require.Equal(t, []string{"flashblock 1.0"}, drain(t, feed))
	require.Len(t, timeline.Moment().Pending().Transactions(), len(txs))

	require.NoError(t, timeline.Revert(id))
	seal(t, timeline, 1)
	require.Equal(t, []string{"head 1", "logs 1: [1 1 1 2]"}, drain(t, feed), "sealed without being announced again")
}

func TestContextLag(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{Behaviour: preconf.Behaviour{Lags: preconf.Lags{PendingLag: 1}}})
	seal(t, timeline, 5)
	send(t, timeline, accounts[0].pay(0, sink, 4))
	preconfirm(t, timeline)
	number := func() uint64 {
		v, err := timeline.Moment().Pending().CallView()
		require.NoError(t, err)
		require.EqualValues(t, 4, v.State.Balance(sink).Uint64(), "the state does not lag")
		return v.Header.Number.Uint64()
	}
	require.EqualValues(t, 5, number())
	fault(t, timeline, control.FlashblockFault{Kind: control.LagContext, Count: 3})
	require.EqualValues(t, 3, number())
	require.EqualValues(t, 6, timeline.Moment().Pending().Number(), "the pending block does not lag")
	fault(t, timeline, control.FlashblockFault{Kind: control.LagContext, Count: 100})
	require.EqualValues(t, 0, number())
	timeline.ClearFlashblockFaults()
	require.EqualValues(t, 5, number())

	v, err := timeline.Moment().Pending().SimulateView()
	require.NoError(t, err)
	require.EqualValues(t, 5, v.Header.Number.Uint64())
	require.EqualValues(t, 4, v.State.Balance(sink).Uint64())
}

func TestFaultRefused(t *testing.T) {
	t.Parallel()
	timeline, txs, _ := twoFlashblocks(t)
	sealed := accounts[2].pay(0, sink, 1)
	send(t, timeline, sealed)
	seal(t, timeline, 1)
	announced := accounts[0].emit(1, 1, 3)
	send(t, timeline, announced)
	preconfirm(t, timeline)
	known := []common.Hash{announced.Hash()}
	before := timeline.Moment()
	for want, f := range map[string]control.FlashblockFault{
		`unknown fault kind "explode": want one of [alterLogs drop duplicate lag lateBlock omit replace stall]`: {Kind: "explode"},
		"cannot drop 3: not that many flashblocks in the pending block: fakenode_preconfirm makes the next":     {Kind: control.DropFlashblocks, Count: 3},
		"the limit is 10000":               {Kind: control.DuplicateFlashblock, Count: 10_001},
		"is pre-confirmed already":         {Kind: control.AlterLogs, Hashes: known},
		"is sealed already, in block 1":    {Kind: control.AlterLogs, Hashes: []common.Hash{txs[0].Hash()}},
		sealed.Hash().Hex() + " is sealed": {Kind: control.OmitTransactions, Hashes: []common.Hash{announced.Hash(), sealed.Hash()}},
	} {
		_, err := timeline.FlashblockFault(f)
		require.ErrorContains(t, err, want)
		require.Same(t, before, timeline.Moment(), want)
	}
	_, err := newTimeline(t, preconf.Config{}).FlashblockFault(control.FlashblockFault{Kind: control.DuplicateFlashblock})
	require.ErrorIs(t, err, preconf.ErrNoFlashblock)
	_, err = newTimeline(t, preconf.Config{NoPreconf: true}).FlashblockFault(control.FlashblockFault{Kind: control.LateBlock})
	require.ErrorIs(t, err, preconf.ErrNoPreconf)
}

// Ensure faults that were armed are armed again after Undisturbed, also if what it ran failed or panicked.
func TestWithoutFaults(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	fault(t, timeline, control.FlashblockFault{Kind: control.StallFlashblocks, Count: 4})
	failure := errors.New("no")
	preconfirmOnce := func() { require.False(t, preconfirm(t, timeline).Stalled) }
	require.NoError(t, timeline.WithoutFaults(func() error { preconfirmOnce(); return nil }))
	require.True(t, preconfirm(t, timeline).Stalled)
	require.Equal(t, failure, timeline.WithoutFaults(func() error { preconfirmOnce(); return failure }))
	require.True(t, preconfirm(t, timeline).Stalled)
	require.Panics(t, func() { _ = timeline.WithoutFaults(func() error { preconfirmOnce(); panic("no") }) })
	require.True(t, preconfirm(t, timeline).Stalled)
}

func TestOmittedTransaction(t *testing.T) {
	t.Parallel()
	timeline, txs, feed := twoFlashblocks(t)
	require.True(t, fault(t, timeline, control.FlashblockFault{Kind: control.OmitTransactions, Hashes: []common.Hash{txs[0].Hash()}, Retract: true}).Armed)
	require.Equal(t, []string{"1 1", "1 2"}, logsIn(t, timeline.Moment(), pending, pending), "nothing shows yet")
	seal(t, timeline, 1)
	require.Equal(t, []string{"1 2"}, logsIn(t, timeline.Moment(), earliest, latest))
	require.Equal(t, []string{"retracted: [1 1 removed]", "head 1", "logs 1: [1 2]"}, drain(t, feed))
	seal(t, timeline, 1)
	require.Equal(t, []string{"1 2", "1 1"}, logsIn(t, timeline.Moment(), earliest, latest), "it came a block later")

	// With those that need it: the sender's next nonce goes back to the pool.
	timeline, txs, _ = twoFlashblocks(t)
	send(t, timeline, accounts[0].emit(1, 1, 3))
	fault(t, timeline, control.FlashblockFault{Kind: control.OmitTransactions, Hashes: []common.Hash{txs[0].Hash()}, Gone: true})
	seal(t, timeline, 1)
	m := timeline.Moment()
	require.Equal(t, []string{"1 2"}, logsIn(t, m, earliest, latest))
	require.Equal(t, 1, m.PoolSize())
	require.Zero(t, m.PoolNonce(accounts[0].address))
}

// A late block leaves two pending blocks until the block after it is sealed.
func TestLateBlock(t *testing.T) {
	t.Parallel()
	timeline, txs, feed := twoFlashblocks(t)
	fault(t, timeline, control.FlashblockFault{Kind: control.LateBlock})
	hash := seal(t, timeline, 1)[0]
	m := timeline.Moment()
	require.Zero(t, m.Latest().Number())
	require.EqualValues(t, 1, m.Pending().Number(), "still what was announced")
	_, err := m.ByHash(hash)
	require.ErrorAs(t, err, new(*preconf.UnknownBlockError))

	send(t, timeline, accounts[0].emit(1, 1, 3))
	preconfirm(t, timeline)
	m = timeline.Moment()
	require.Zero(t, m.Latest().Number())
	require.EqualValues(t, 2, m.Pending().Number())
	require.Len(t, m.PendingBlocks(), 2)
	require.Equal(t, []string{"1 1", "1 2", "1 3"}, logsIn(t, m, pending, pending))
	require.Equal(t, []string{"1 3"}, logsIn(t, m, filter.At(2), pending))
	require.EqualValues(t, 2, m.PoolNonce(accounts[0].address))
	found := find(t, m, txs[0].Hash())
	require.True(t, found.Executed())
	require.Equal(t, common.Hash{}, found.Receipt.BlockHash)
	require.Equal(t, []string{"pooled 1", "flashblock 2.0"}, drain(t, feed))

	seal(t, timeline, 1)
	require.Equal(t, []string{"head 1", "logs 1: [1 1 1 2]", "head 2", "logs 2: [1 3]"}, drain(t, feed))
	m = timeline.Moment()
	require.Equal(t, []string{"1 1", "1 2", "1 3"}, logsIn(t, m, earliest, pending))
	v, err := m.ByNumber(1)
	require.NoError(t, err)
	require.Equal(t, hash, v.Hash())
}

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
	require.EqualError(t, timeline.Moment().Place(kept.Hash()).Reason, "it is held on command, until released")
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

	require.NoError(t, timeline.Hold(control.Hold{}))
	send(t, timeline, accounts[0].pay(2, sink, 16))
	released, err := timeline.Release()
	require.NoError(t, err)
	require.Equal(t, 1, released)
	require.EqualValues(t, 31, balance(t, timeline.Moment().Latest(), sink))
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
	result, err := timeline.Reorg(control.ReorgOptions{Depth: 3})
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
