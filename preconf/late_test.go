package preconf_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
)

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
	require.ErrorIs(t, err, preconf.ErrUnknownBlock)

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

// A late block without transactions is the pending block, too.
func TestLateEmptyBlock(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	fault(t, timeline, control.FlashblockFault{Kind: control.LateBlock})
	seal(t, timeline, 1)
	requirePendingOnLatest(t, timeline.Moment())
	require.EqualValues(t, start.Unix()+2, timeline.Moment().Pending().Time())

	seal(t, timeline, 1)
	require.EqualValues(t, 2, timeline.Moment().Latest().Number())
	requirePendingOnLatest(t, timeline.Moment())
}

// requirePendingOnLatest: the pending block comes next, and its parent is known.
func requirePendingOnLatest(t *testing.T, m *preconf.Moment) {
	t.Helper()
	require.Equal(t, m.Latest().Number()+1, m.Pending().Number())
	require.Equal(t, m.Latest().Hash(), m.Pending().Header().ParentHash)
}

// A late block is what pending shows under a stall: nothing that was sealed is out of sight.
func TestLateBlockUnderStall(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][]control.FaultKind{
		"stall first":      {control.StallFlashblocks, control.LateBlock},
		"late block first": {control.LateBlock, control.StallFlashblocks},
	} {
		timeline, txs, feed := twoFlashblocks(t)
		for _, kind := range order {
			fault(t, timeline, control.FlashblockFault{Kind: kind, Count: 1})
		}
		seal(t, timeline, 1)
		m := timeline.Moment()
		requirePendingOnLatest(t, m)
		require.Len(t, m.PendingBlocks(), 1, name)
		require.Equal(t, []string{"1 1", "1 2"}, logsIn(t, m, earliest, pending), name)
		require.Zero(t, m.PoolSize(), name)
		for i, tx := range txs {
			found := find(t, m, tx.Hash())
			require.True(t, found.Executed(), name)
			require.Equal(t, common.Hash{}, found.Receipt.BlockHash, name)
			require.EqualValues(t, 1, m.PoolNonce(accounts[i].address), name)
			require.EqualValues(t, 1, nonce(t, m.Pending(), accounts[i].address), name)
			require.ErrorIs(t, timeline.Send(tx), txpool.ErrAlreadyKnown, name)
		}
		require.Empty(t, drain(t, feed), name)
		seal(t, timeline, 1)
		require.Equal(t, []string{"head 1", "logs 1: [1 1 1 2]", "head 2"}, drain(t, feed), name)
	}
}

// A stall that begins while a block is late takes back what came after it.
func TestStallAfterLateBlock(t *testing.T) {
	t.Parallel()
	timeline, _, _ := twoFlashblocks(t)
	fault(t, timeline, control.FlashblockFault{Kind: control.LateBlock})
	seal(t, timeline, 1)
	later := accounts[0].emit(1, 1, 3)
	send(t, timeline, later)
	preconfirm(t, timeline)
	r := fault(t, timeline, control.FlashblockFault{Kind: control.StallFlashblocks})
	require.Equal(t, []common.Hash{later.Hash()}, r.Transactions)
	m := timeline.Moment()
	requirePendingOnLatest(t, m)
	require.Equal(t, []string{"1 1", "1 2"}, logsIn(t, m, earliest, pending))
	require.Equal(t, 1, m.PoolSize())
}

// What a fault leaves out of a late block is not in it for readers either.
func TestOmissionFromLateBlock(t *testing.T) {
	t.Parallel()
	for _, gone := range []bool{false, true} {
		timeline, txs, _ := twoFlashblocks(t)
		fault(t, timeline, control.FlashblockFault{Kind: control.OmitTransactions, Hashes: []common.Hash{txs[0].Hash()}, Gone: gone})
		fault(t, timeline, control.FlashblockFault{Kind: control.LateBlock})
		seal(t, timeline, 1)
		m := timeline.Moment()
		require.Equal(t, []string{"1 2"}, logsIn(t, m, earliest, pending))
		require.Zero(t, nonce(t, m.Pending(), accounts[0].address))
		found := find(t, m, txs[0].Hash())
		require.False(t, found.Executed())
		if gone {
			require.Zero(t, m.PoolNonce(accounts[0].address))
			require.Zero(t, m.PoolSize())
			continue
		}
		require.EqualValues(t, 1, m.PoolNonce(accounts[0].address))
		require.Equal(t, 1, m.PoolSize())
		preconfirm(t, timeline)
		m = timeline.Moment()
		require.Equal(t, []string{"1 2", "1 1"}, logsIn(t, m, earliest, pending))
		found = find(t, m, txs[0].Hash())
		require.True(t, found.Executed())
		require.EqualValues(t, 2, found.Receipt.BlockNumber.Uint64())
		seal(t, timeline, 1)
		require.Equal(t, []string{"1 2", "1 1"}, logsIn(t, timeline.Moment(), earliest, pending))
	}
}

// The logs of a late block are those that were announced, until it is head.
func TestAlteredLogsOfLateBlock(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	fault(t, timeline, control.FlashblockFault{Kind: control.AlterLogs})
	altered, omitted := accounts[0].emit(0, 1, 8), accounts[1].pay(0, sink, 1)
	send(t, timeline, altered, omitted)
	preconfirm(t, timeline)
	fault(t, timeline, control.FlashblockFault{Kind: control.OmitTransactions})
	fault(t, timeline, control.FlashblockFault{Kind: control.LateBlock})
	seal(t, timeline, 1)
	require.Equal(t, []string{"1 9"}, logsIn(t, timeline.Moment(), earliest, pending))
	seal(t, timeline, 1)
	require.Equal(t, []string{"1 8"}, logsIn(t, timeline.Moment(), earliest, pending))
}
