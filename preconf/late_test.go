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
