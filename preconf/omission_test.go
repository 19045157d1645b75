package preconf_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
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
