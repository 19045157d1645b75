package bundler_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// statuses are the words of pimlico_getUserOperationStatus for places.
var statuses = map[preconf.Where]string{
	fakenode.Unknown: "not_found", fakenode.Pooled: "submitted", fakenode.Preconfirmed: "included", fakenode.Sealed: "included",
	fakenode.Orphaned: "not_found", fakenode.Dropped: "rejected",
}

// Ensure Go and JSON-RPC name the same place of an operation on its whole way: in the pool, pre-confirmed, sealed,
// removed by a reorg and put back by one, and dropped with a lost pre-confirmation.
func TestOperationPlace(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	l := visit(t, node)
	l.do(nil, "anvil_setCode", tableSender, willing)
	var hash common.Hash
	send := func() {
		t.Helper()
		l.do(&hash, "eth_sendUserOperation", parts{sender: tableSender}.fields("0.7"), entryPoints["0.7"])
	}
	is := func(want preconf.Where, blocks ...uint64) {
		t.Helper()
		place := node.Operation(hash)
		require.Equal(t, want, place.Where)
		var object struct {
			Where           preconf.Where
			Reason          string
			TransactionHash *common.Hash
			BlockHash       *common.Hash
		}
		l.do(&object, "fakenode_operation", hash)
		require.Equal(t, want, object.Where)
		var status struct {
			Status          string
			TransactionHash *common.Hash
		}
		l.do(&status, "pimlico_getUserOperationStatus", hash)
		require.Equal(t, statuses[want], status.Status)
		require.Equal(t, status.Status != "not_found", status.TransactionHash != nil)
		if place.Reason == nil {
			require.Empty(t, object.Reason)
		} else {
			require.Equal(t, place.Reason.Error(), object.Reason)
		}
		if want == fakenode.Unknown {
			require.Nil(t, object.TransactionHash)
			return
		}
		require.Equal(t, place.Bundle, *object.TransactionHash)
		require.Equal(t, want, node.Place(place.Bundle).Where)
		for _, number := range blocks {
			require.Equal(t, number, place.View.Number())
			require.Equal(t, place.View.Hash(), *object.BlockHash)
		}
	}
	is(fakenode.Unknown)
	var prices map[string]struct{ MaxFeePerGas, MaxPriorityFeePerGas string }
	l.do(&prices, "pimlico_getUserOperationGasPrice")
	require.Len(t, prices, 3)
	for _, speed := range []string{"slow", "standard", "fast"} {
		require.Equal(t, "0x3b9aca00", prices[speed].MaxPriorityFeePerGas)
		require.Greater(t, hexutil.MustDecodeUint64(prices[speed].MaxFeePerGas), uint64(2e9))
	}
	send()
	is(fakenode.Pooled)
	node.Preconfirm()
	is(fakenode.Preconfirmed)
	node.Seal()
	latest := func() uint64 { return node.Timeline().Moment().Latest().Number() }
	height := latest()
	is(fakenode.Sealed, height)
	node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	is(fakenode.Orphaned, height)
	require.ErrorIs(t, node.Operation(hash).Reason, pool.ErrReorged)
	send()
	is(fakenode.Pooled)
	node.Seal()
	height = latest()
	node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Requeue})
	is(fakenode.Sealed, height)
	require.NoError(t, node.Timeline().Hold(control.Hold{}))
	node.Reorg(fakenode.ReorgOptions{Depth: int(latest()-height) + 1})
	is(fakenode.Pooled)
	_, err := node.Timeline().Release()
	require.NoError(t, err)
	node.Preconfirm()
	l.do(nil, "fakenode_flashblockFault", object{"kind": "drop", "count": 1, "transactions": "gone"})
	node.Seal()
	is(fakenode.Dropped) // found in the block that held it once
}
