package preconf_test

import (
	"errors"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

func fault(t testing.TB, timeline *preconf.Timeline, f control.FlashblockFault) preconf.FaultResult {
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

	// It lasts while the pending block is made anew.
	require.NoError(t, timeline.SetCoinbase(sink))
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
	timeline := newTimeline(t, preconf.Config{Behaviour: preconf.Behaviour{PendingLag: 1}})
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
		`unknown fault kind "explode": want one of [alterLogs drop duplicate lag lateBlock omit stall]`: {Kind: "explode"},
		"cannot drop 3":                    {Kind: control.DropFlashblocks, Count: 3},
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
func TestUndisturbed(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	fault(t, timeline, control.FlashblockFault{Kind: control.StallFlashblocks, Count: 4})
	failure := errors.New("no")
	preconfirmOnce := func() { require.False(t, preconfirm(t, timeline).Stalled) }
	require.NoError(t, timeline.Undisturbed(func() error { preconfirmOnce(); return nil }))
	require.True(t, preconfirm(t, timeline).Stalled)
	require.Equal(t, failure, timeline.Undisturbed(func() error { preconfirmOnce(); return failure }))
	require.True(t, preconfirm(t, timeline).Stalled)
	require.Panics(t, func() { _ = timeline.Undisturbed(func() error { preconfirmOnce(); panic("no") }) })
	require.True(t, preconfirm(t, timeline).Stalled)
}
