package eth_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

func TestFilters(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	sealed := servertest.Fetch[string](n, "eth_newFilter", map[string]any{"topics": []any{"0x" + servertest.Padded("a1")}})
	pending := servertest.Fetch[string](n, "eth_newFilter", map[string]any{"fromBlock": "pending", "toBlock": "pending"})
	blocks := servertest.Fetch[string](n, "eth_newBlockFilter")
	pooled := servertest.Fetch[string](n, "eth_newPendingTransactionFilter")
	require.Equal(t, []string{"0x1", "0x2", "0x3", "0x4"}, []string{sealed, pending, blocks, pooled})

	first, second := n.Logs(0, "0xa1", "0xb1", 1), n.Logs(0, "0xa2", "0xb2", 1)
	require.Equal(t, []common.Hash{first.Hash(), second.Hash()}, servertest.Fetch[[]common.Hash](n, "eth_getFilterChanges", pooled))
	require.Empty(t, servertest.Fetch[[]common.Hash](n, "eth_getFilterChanges", pooled), "each change is told once")
	n.Do("fakenode_preconfirm")
	require.Empty(t, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", sealed))
	require.Len(t, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", pending), 2)
	require.Len(t, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterLogs", pending), 2)

	hashes := servertest.Fetch[[]common.Hash](n, "fakenode_seal", 2)
	require.Equal(t, hashes, servertest.Fetch[[]common.Hash](n, "eth_getFilterChanges", blocks))
	logs := servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", sealed)
	require.Len(t, logs, 1)
	require.Equal(t, hashes[0], logs[0].BlockHash)
	require.Empty(t, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", pending), "told when they were pre-confirmed")
	require.Empty(t, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterLogs", sealed), "from latest to latest, which is empty")

	whole := servertest.Fetch[string](n, "eth_newFilter", map[string]any{"fromBlock": "earliest", "toBlock": "latest"})
	require.Len(t, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterLogs", whole), 2)
	require.Empty(t, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", whole), "only what came since")

	require.True(t, servertest.Fetch[bool](n, "eth_uninstallFilter", whole))
	require.False(t, servertest.Fetch[bool](n, "eth_uninstallFilter", whole))
	n.Refuses(api.CodeServer, []string{whole}, "eth_getFilterChanges", whole)
	n.Refuses(api.CodeServer, []string{blocks}, "eth_getFilterLogs", blocks)
}

// A snapshot keeps the filters and their undelivered items.
func TestFiltersAcrossRevert(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	blocks := servertest.Fetch[string](n, "eth_newBlockFilter")
	hash := servertest.Fetch[[]common.Hash](n, "fakenode_seal")
	point := servertest.Fetch[string](n, "fakenode_snapshot")
	require.Equal(t, hash, servertest.Fetch[[]common.Hash](n, "eth_getFilterChanges", blocks))
	n.Do("eth_uninstallFilter", blocks)
	n.Do("fakenode_revert", point)
	require.Equal(t, hash, servertest.Fetch[[]common.Hash](n, "eth_getFilterChanges", blocks))
}

// Ensure a filter brings nothing of blocks that evm_revert took back unread, as clients act on every log that they get,
// and goes on with what comes then.
func TestFiltersForgetRevertedBlocks(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	var filters []string
	for _, bounds := range []map[string]any{{}, {"toBlock": "pending"}, {"fromBlock": "pending"}} {
		filters = append(filters, servertest.Fetch[string](n, "eth_newFilter", bounds))
	}
	changes := func(filter string) int {
		return len(servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", filter))
	}
	n.Logs(0, "0xa1", "0xb1", 1)
	n.Seal(1)
	snapshot := servertest.Fetch[string](n, "evm_snapshot")
	require.Equal(t, 1, changes(filters[0]), "read before the revert, the others are not")
	n.Logs(0, "0xa2", "0xb2", 1)
	n.Seal(1)
	n.Logs(0, "0xa3", "0xb3", 1)
	n.Preconfirm()
	n.Do("evm_revert", snapshot)
	for i, want := range []int{0, 2, 1} {
		require.Equal(t, want, changes(filters[i]), "those of before the snapshot")
	}
	n.Logs(1, "0xa4", "0xb4", 1) // the revert undid the nonce of the other
	n.Seal(1)
	for i, want := range []int{1, 2, 1} {
		require.Equal(t, want, changes(filters[i]))
	}
}

// Ensure the bounds of a filter mean the same to eth_getLogs, eth_getFilterLogs, eth_getFilterChanges and the
// subscription logs, for blocks that come after the filter.
func TestBoundsOfFilters(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := n.Socket()
	type channel struct {
		bounds               map[string]any
		filter, subscription string
		changes, told        int
	}
	var channels []*channel
	for _, bounds := range []map[string]any{
		{"fromBlock": "0x1"}, {"fromBlock": "0x2"}, {"fromBlock": "0x2", "toBlock": "0x3"}, {"fromBlock": "earliest", "toBlock": "0x2"},
		{"fromBlock": "finalized", "toBlock": "latest"}, {"fromBlock": "earliest", "toBlock": "earliest"},
	} {
		channels = append(channels, &channel{
			bounds: bounds, filter: servertest.Fetch[string](n, "eth_newFilter", bounds), subscription: s.Subscribe("logs", bounds),
		})
	}
	for range 4 {
		n.Logs(0, "0xa1", "0xb1", 1)
		told := s.Told("fakenode_seal")
		for _, c := range channels {
			c.told += len(servertest.Items[servertest.LogItem](t, told, c.subscription))
			c.changes += len(servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", c.filter))
		}
	}
	for _, c := range channels {
		want := len(servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", c.bounds))
		require.Len(t, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterLogs", c.filter), want, c.bounds)
		require.Equal(t, want, c.changes, c.bounds)
		require.Equal(t, want, c.told, c.bounds)
	}
	n.Refuses(api.CodeInvalidParams, []string{"toBlock", "safe", "eth_getLogs"}, "eth_newFilter", map[string]any{"toBlock": "safe"})
}
