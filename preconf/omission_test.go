package preconf_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

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

// Each of several armed omissions has its own fate, whatever the order.
func TestOmissionsOfDifferentFates(t *testing.T) {
	t.Parallel()
	for name, gone := range map[string][2]bool{"first gone": {true, false}, "second gone": {false, true}} {
		timeline, txs, feed := twoFlashblocks(t)
		for i, tx := range txs {
			fault(t, timeline, control.FlashblockFault{Kind: control.OmitTransactions, Hashes: []common.Hash{tx.Hash()}, Gone: gone[i], Retract: gone[i]})
		}
		seal(t, timeline, 1)
		lost, kept := txs[0], txs[1]
		if gone[1] {
			lost, kept = kept, lost
		}
		m := timeline.Moment()
		require.Empty(t, m.Latest().Transactions(), name)
		require.Equal(t, 1, m.PoolSize(), name)
		require.ErrorIs(t, find(t, m, lost.Hash()).Reason, pool.ErrGone, name)
		require.NoError(t, find(t, m, kept.Hash()).Reason, name)
		require.Len(t, drain(t, feed), 2, "one retraction and the head")
		seal(t, timeline, 1)
		require.Equal(t, kept.Hash(), timeline.Moment().Latest().Transactions()[0].Hash(), name)
	}

	// By count: each leaves out the last of what the one before left in, and what finds nothing stays armed.
	timeline, txs, _ := twoFlashblocks(t)
	for _, gone := range []bool{true, false, true} {
		fault(t, timeline, control.FlashblockFault{Kind: control.OmitTransactions, Gone: gone})
	}
	seal(t, timeline, 1)
	require.Equal(t, 1, timeline.Moment().PoolSize())
	seal(t, timeline, 1)
	m := timeline.Moment()
	require.Zero(t, m.PoolSize())
	require.Empty(t, logsIn(t, m, earliest, latest))
	for _, tx := range txs {
		require.ErrorIs(t, find(t, m, tx.Hash()).Reason, pool.ErrGone)
	}
}

// A fault is silent: Send succeeds, and the transaction is in no block.
func TestOmissionInInstantMode(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{Mode: control.Instant})
	fault(t, timeline, control.FlashblockFault{Kind: control.OmitTransactions, Gone: true})
	tx := accounts[0].pay(0, sink, 1)
	send(t, timeline, tx)
	require.EqualValues(t, 1, timeline.Moment().Latest().Number())
	found := find(t, timeline.Moment(), tx.Hash())
	require.False(t, found.Present())
}

// What needs an omitted transaction leaves the block with it, and is retracted with it.
func TestOmissionTakesDependents(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	first, second := accounts[0].emit(0, 1, 1), accounts[0].emit(1, 1, 3)
	send(t, timeline, first, accounts[1].emit(0, 1, 2), second)
	preconfirm(t, timeline)
	feed := timeline.Subscribe()
	defer feed.Close()
	id := timeline.Snapshot()
	for _, gone := range []bool{false, true} {
		require.NoError(t, timeline.Revert(id))
		fault(t, timeline, control.FlashblockFault{Kind: control.OmitTransactions, Hashes: []common.Hash{first.Hash()}, Retract: true, Gone: gone})
		seal(t, timeline, 1)
		require.Equal(t, []string{"retracted: [1 1 removed 1 3 removed]", "head 1", "logs 1: [1 2]"}, drain(t, feed))
		found := find(t, timeline.Moment(), second.Hash())
		require.True(t, found.Present(), "it waits for its nonce")
	}
	require.NoError(t, timeline.Revert(id))
	fault(t, timeline, control.FlashblockFault{Kind: control.OmitTransactions, Hashes: []common.Hash{first.Hash()}})
	seal(t, timeline, 2)
	require.Equal(t, []string{"1 2", "1 1", "1 3"}, logsIn(t, timeline.Moment(), earliest, latest))
}
