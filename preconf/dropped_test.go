package preconf_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// A transaction that cannot execute any more is dropped, and the reason kept.
func TestDropReason(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	poor := accounts[0].pay(0, sink, 1e18)
	stale := accounts[1].pay(0, sink, 1)
	send(t, timeline, poor, stale)
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithBalance(accounts[0].address, uint256.NewInt(5)).WithNonce(accounts[1].address, 7)
	}))
	require.Empty(t, preconfirm(t, timeline).Transactions)
	m := timeline.Moment()
	require.Zero(t, m.PoolSize())
	require.ErrorIs(t, find(t, m, poor.Hash()).Reason, core.ErrInsufficientFunds)
	require.ErrorIs(t, find(t, m, stale.Hash()).Reason, core.ErrNonceTooLow)
	require.NoError(t, find(t, m, common.Hash{1}).Reason)

	_, err := timeline.WaitReceipt(context.Background(), poor.Hash())
	require.ErrorIs(t, err, preconf.ErrDropped)
	require.ErrorIs(t, err, core.ErrInsufficientFunds)
}

// A transaction that a fault lost has that reason, until it is sent again.
func TestDropReasonOfFaults(t *testing.T) {
	t.Parallel()
	timeline, txs, _ := twoFlashblocks(t)
	fault(t, timeline, control.FlashblockFault{Kind: control.DropFlashblocks, Gone: true})
	require.ErrorIs(t, find(t, timeline.Moment(), txs[1].Hash()).Reason, pool.ErrGone)
	fault(t, timeline, control.FlashblockFault{Kind: control.OmitTransactions, Gone: true})
	require.NoError(t, find(t, timeline.Moment(), txs[0].Hash()).Reason, "not yet")
	seal(t, timeline, 1)
	require.ErrorIs(t, find(t, timeline.Moment(), txs[0].Hash()).Reason, pool.ErrGone)

	send(t, timeline, txs...)
	for _, tx := range txs {
		require.NoError(t, find(t, timeline.Moment(), tx.Hash()).Reason)
	}
}

// A transaction that a reorg lost has that reason; one that it brought back has none, whatever became of it before.
func TestDropReasonOfReorgs(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	first := accounts[0].pay(0, sink, 1)
	dear := accounts[0].sign(types.DynamicFeeTx{
		Nonce: 0, GasTipCap: big.NewInt(1e10), GasFeeCap: big.NewInt(1e12), Gas: 21_000, To: &sink,
	})
	send(t, timeline, first, dear)
	seal(t, timeline, 1)
	require.Error(t, find(t, timeline.Moment(), first.Hash()).Reason, "replaced")

	one, none := 1, 0
	_, err := timeline.Reorg(preconf.ReorgOptions{Depth: 1, Length: &one, Transactions: preconf.Drop, Blocks: [][]*types.Transaction{{first}}})
	require.NoError(t, err)
	require.ErrorIs(t, find(t, timeline.Moment(), dear.Hash()).Reason, pool.ErrReorged)
	_, err = timeline.WaitReceipt(t.Context(), dear.Hash())
	require.ErrorIs(t, err, pool.ErrReorged)

	_, err = timeline.Reorg(preconf.ReorgOptions{Depth: 1, Length: &none})
	require.NoError(t, err)
	require.NoError(t, find(t, timeline.Moment(), first.Hash()).Reason, "it waits")
	seal(t, timeline, 1)
	_, err = timeline.WaitReceipt(t.Context(), first.Hash())
	require.NoError(t, err)
}
