package rpcserver

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

func TestFilters(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	sealed := fetch[string](n, "eth_newFilter", map[string]any{"topics": []any{"0x" + padded("a1")}})
	pending := fetch[string](n, "eth_newFilter", map[string]any{"fromBlock": "pending", "toBlock": "pending"})
	blocks := fetch[string](n, "eth_newBlockFilter")
	pooled := fetch[string](n, "eth_newPendingTransactionFilter")
	require.Equal(t, []string{"0x1", "0x2", "0x3", "0x4"}, []string{sealed, pending, blocks, pooled})

	first, second := n.log(0, "0xa1", "0xb1", 1), n.log(0, "0xa2", "0xb2", 1)
	require.Equal(t, []common.Hash{first.Hash(), second.Hash()}, fetch[[]common.Hash](n, "eth_getFilterChanges", pooled))
	require.Empty(t, fetch[[]common.Hash](n, "eth_getFilterChanges", pooled), "each change is told once")
	n.do("fakenode_preconfirm")
	require.Empty(t, fetch[[]logItem](n, "eth_getFilterChanges", sealed))
	require.Len(t, fetch[[]logItem](n, "eth_getFilterChanges", pending), 2)
	require.Len(t, fetch[[]logItem](n, "eth_getFilterLogs", pending), 2)

	hashes := fetch[[]common.Hash](n, "fakenode_seal", 2)
	require.Equal(t, hashes, fetch[[]common.Hash](n, "eth_getFilterChanges", blocks))
	logs := fetch[[]logItem](n, "eth_getFilterChanges", sealed)
	require.Len(t, logs, 1)
	require.Equal(t, hashes[0], logs[0].BlockHash)
	require.Empty(t, fetch[[]logItem](n, "eth_getFilterChanges", pending), "told when they were pre-confirmed")
	require.Empty(t, fetch[[]logItem](n, "eth_getFilterLogs", sealed), "from latest to latest, which is empty")

	whole := fetch[string](n, "eth_newFilter", map[string]any{"fromBlock": "earliest", "toBlock": "latest"})
	require.Len(t, fetch[[]logItem](n, "eth_getFilterLogs", whole), 2)
	require.Empty(t, fetch[[]logItem](n, "eth_getFilterChanges", whole), "only what came since")

	require.True(t, fetch[bool](n, "eth_uninstallFilter", whole))
	require.False(t, fetch[bool](n, "eth_uninstallFilter", whole))
	n.refuses(api.CodeServer, []string{whole}, "eth_getFilterChanges", whole)
	n.refuses(api.CodeServer, []string{blocks}, "eth_getFilterLogs", blocks)
}

// A snapshot remembers the filters and what they had not told yet.
func TestFiltersAcrossRevert(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	blocks := fetch[string](n, "eth_newBlockFilter")
	hash := fetch[[]common.Hash](n, "fakenode_seal")
	point := fetch[string](n, "fakenode_snapshot")
	require.Equal(t, hash, fetch[[]common.Hash](n, "eth_getFilterChanges", blocks))
	n.do("eth_uninstallFilter", blocks)
	n.do("fakenode_revert", point)
	require.Equal(t, hash, fetch[[]common.Hash](n, "eth_getFilterChanges", blocks))
}
