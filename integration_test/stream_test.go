package integration_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// stream holds the report of a stream script about the life of one transfer.
type stream struct {
	Transaction common.Hash
	PendingLog  struct {
		Transaction, BlockHash common.Hash
		Removed                bool
	}
	Flashblock struct {
		Number       int
		Transactions []common.Hash
	}
	Preconfirmed struct {
		Status    string
		BlockHash common.Hash
	}
	PendingRead []struct {
		From, To    common.Address
		Value       string
		Transaction common.Hash
	}
	Sealed struct {
		Block     int
		BlockHash common.Hash
	}
	Watched map[string]streamWatched
	Gone    map[string]streamLog
	Logs    []streamLog
	Reorg   struct{ Removed, Added []common.Hash }
}

// streamWatched holds the blocks and the log that the watchers of one transport have seen once the transfer is sealed
// and confirmed.
type streamWatched struct {
	Blocks []int
	Log    streamLog
}

type streamLog struct {
	BlockHash common.Hash
	Value     string
	Removed   bool
}

// Ensure the libraries' own watchers, polling over HTTP and subscribed over WebSocket, and subscriptions they have no
// name for, follow a transfer from its pre-confirmation into a block and out of it by a reorg.
func TestStreamJavaScript(t *testing.T) {
	t.Parallel()
	for library, script := range map[string]string{"viem": "viem_stream.mjs", "ethers": "ethers_stream.mjs"} {
		t.Run(library, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			payer, merchant := node.Account(0).Address, node.Account(1).Address

			got := runScript[stream](t, node, script)

			require.Equal(t, got.Transaction, got.PendingLog.Transaction)
			require.Zero(t, got.PendingLog.BlockHash)
			require.False(t, got.PendingLog.Removed)
			require.Equal(t, 1, got.Flashblock.Number)
			require.Equal(t, []common.Hash{got.Transaction}, got.Flashblock.Transactions)
			require.Equal(t, "success", got.Preconfirmed.Status)
			require.Zero(t, got.Preconfirmed.BlockHash)
			require.Len(t, got.PendingRead, 1)
			require.Equal(t, payer, got.PendingRead[0].From)
			require.Equal(t, merchant, got.PendingRead[0].To)
			require.Equal(t, "7", got.PendingRead[0].Value)
			require.Equal(t, got.Transaction, got.PendingRead[0].Transaction)

			require.Len(t, got.Reorg.Removed, 2)
			require.Len(t, got.Reorg.Added, 3)
			block := got.Reorg.Removed[0]
			require.Equal(t, 1, got.Sealed.Block)
			require.Equal(t, block, got.Sealed.BlockHash)
			seen := streamWatched{Blocks: []int{1, 2}, Log: streamLog{BlockHash: block, Value: "7"}}
			require.Equal(t, map[string]streamWatched{"polled": seen, "pushed": seen}, got.Watched)

			removed := streamLog{BlockHash: block, Removed: true}
			require.Equal(t, map[string]streamLog{"polled": removed, "pushed": removed}, got.Gone)
			require.Equal(t, []streamLog{{BlockHash: block}, removed}, got.Logs)
			_, err := node.Moment().ByHash(block)
			require.NoError(t, err) // an orphan stays readable
			require.Equal(t, uint64(3), node.BlockNumber())
			require.False(t, node.Moment().Pending().Hash() == block)
		})
	}
}
