package preconf_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Ensure a transaction's place follows it from the pool into a block, out of it by a reorg, and back.
func TestPlaceFollowsATransaction(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	tx := accounts[0].pay(0, sink, 1)
	place := func() preconf.Place {
		place := timeline.Moment().Place(tx.Hash())
		found := find(t, timeline.Moment(), tx.Hash())
		require.Equal(t, place, preconf.Place{Where: found.Where, Reason: found.Reason, View: found.View})
		known := found.Where != preconf.Unknown && found.Where != preconf.Dropped
		require.Equal(t, known, found.Transaction != nil)
		require.Equal(t, found.View != nil, found.Receipt != nil)
		if known {
			require.Equal(t, tx.Hash(), found.Transaction.Hash())
			require.Equal(t, accounts[0].address, found.Sender)
		}
		if found.View != nil {
			at := found.View.At(found.Index)
			require.Equal(t, found.Where, at.Where)
			require.Same(t, found.Receipt, at.Receipt)
			require.Equal(t, found.View.Hash(), found.Receipt.BlockHash)
		}
		return place
	}
	require.Equal(t, preconf.Place{Where: preconf.Unknown}, place())
	send(t, timeline, tx)
	require.Equal(t, preconf.Place{Where: preconf.Pooled}, place())
	preconfirm(t, timeline)
	require.Equal(t, preconf.Preconfirmed, place().Where)
	require.True(t, place().View.Pending())
	hashes, err := timeline.Seal(1)
	require.NoError(t, err)
	require.Equal(t, preconf.Sealed, place().Where)
	require.Equal(t, hashes[0], place().View.Hash())

	_, err = timeline.Reorg(preconf.ReorgOptions{Depth: 1, Transactions: preconf.Drop})
	require.NoError(t, err)
	require.Equal(t, preconf.Orphaned, place().Where)
	require.ErrorIs(t, place().Reason, pool.ErrReorged)
	require.Equal(t, hashes[0], place().View.Hash())
	require.True(t, place().View.Orphan())

	send(t, timeline, tx)
	require.Equal(t, preconf.Pooled, place().Where)
	timeline.ClearPool()
	require.Equal(t, preconf.Dropped, place().Where)
	require.ErrorIs(t, place().Reason, pool.ErrCleared)
}

// Ensure a transaction that waits in the pool has a reason with its figures, also when an earlier one holds it up.
func TestPlaceSaysWhatIsInTheWay(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	reason := func(tx *types.Transaction) error {
		place := timeline.Moment().Place(tx.Hash())
		require.Equal(t, preconf.Pooled, place.Where)
		return place.Reason
	}
	cheap := accounts[0].sign(types.DynamicFeeTx{To: &sink, Gas: 21_000, GasFeeCap: common.Big1, GasTipCap: common.Big1})
	follower := accounts[0].pay(1, sink, 1)
	gap := accounts[1].pay(2, sink, 1)
	large := accounts[2].sign(types.DynamicFeeTx{To: &sink, Gas: 16_000_000})
	second := accounts[3].sign(types.DynamicFeeTx{To: &emitter, Gas: 16_000_000})
	send(t, timeline, cheap, follower, gap, large)
	require.NoError(t, reason(large))
	preconfirm(t, timeline)
	preconfirm(t, timeline)

	var fee *pool.FeeCapError
	require.ErrorAs(t, reason(cheap), &fee)
	require.Equal(t, common.Big1, fee.FeeCap)
	require.Equal(t, timeline.Moment().Pending().Header().BaseFee, fee.BaseFee)
	require.ErrorAs(t, reason(follower), &fee)
	require.ErrorContains(t, reason(follower), "it follows "+cheap.Hash().Hex())
	require.Equal(t, &pool.NonceGapError{Nonce: 2, Missing: 0}, reason(gap))

	send(t, timeline, second) // gas used so far is 21,000 of 30,000,000
	require.NoError(t, reason(second))
	blocker := accounts[4].sign(types.DynamicFeeTx{Gas: 15_000_000, Data: common.FromHex("5b600056"), GasFeeCap: big.NewInt(200e9)})
	timeline.DropTransaction(second.Hash())
	send(t, timeline, blocker)
	preconfirm(t, timeline)
	send(t, timeline, second)
	require.Equal(t, &pool.RoomError{Gas: 16_000_000, Left: 30_000_000 - 21_000 - 15_000_000}, reason(second))
}
