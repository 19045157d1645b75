package stream_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

func TestLogsOfReorg(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"forward", "reverse"} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
			s := n.Socket()
			filter := servertest.Fetch[string](n, "eth_newFilter", map[string]any{"address": servertest.Logger})
			blocks := servertest.Fetch[string](n, "eth_newBlockFilter")
			id, heads := s.Subscribe("logs", map[string]any{"address": servertest.Logger}), s.Subscribe("newHeads")
			n.Logs(0, "0xa1", "0xb1", 2)
			told := s.Told("fakenode_seal")
			n.Logs(0, "0xa2", "0xb2", 1)
			told = append(told, s.Told("fakenode_seal")...)
			sealed := servertest.Items[servertest.LogItem](t, told, id)
			require.Len(t, sealed, 3)
			require.Len(t, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", filter), 3)
			require.Len(t, servertest.Fetch[[]common.Hash](n, "eth_getFilterChanges", blocks), 2)
			orphans := [2]common.Hash{sealed[0].BlockHash, sealed[2].BlockHash}

			answer, told := s.Ask("fakenode_reorg", map[string]any{"depth": 2, "removedOrder": order})
			var did struct{ Removed, Added, Requeued []common.Hash }
			require.NoError(t, json.Unmarshal(answer.Result, &did))
			require.Equal(t, orphans[:], did.Removed)
			require.Len(t, did.Added, 3)

			logs := servertest.Items[servertest.LogItem](t, told, id)
			require.Len(t, logs, 6, "each removed, then each mined again")
			removed := logs[:3]
			if order == "reverse" {
				removed = []servertest.LogItem{logs[2], logs[1], logs[0]}
			}
			for i, log := range removed {
				require.True(t, log.Removed)
				log.Removed = false
				require.Equal(t, sealed[i], log)
			}
			for _, log := range logs[3:] {
				require.False(t, log.Removed)
				require.Contains(t, did.Added, log.BlockHash)
			}
			require.Equal(t, logs, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", filter), "filters tell the same")
			require.Equal(t, did.Added, servertest.Fetch[[]common.Hash](n, "eth_getFilterChanges", blocks))
			told2 := servertest.Items[struct{ Hash common.Hash }](t, told, heads)
			require.Len(t, told2, 3)
			require.Equal(t, did.Added[2], told2[2].Hash)

			byHash := servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"blockHash": orphans[0]})
			require.Len(t, byHash, 2)
			require.True(t, byHash[0].Removed)
		})
	}
}

func TestAnnouncedRevert(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := n.Socket()
	id := s.Subscribe("logs")
	start := servertest.Fetch[string](n, "fakenode_snapshot")
	n.Logs(0, "0xa1", "0xb1", 1)
	sealed := servertest.Items[servertest.LogItem](t, s.Told("fakenode_seal"), id)
	require.Empty(t, s.Told("fakenode_revert", start), "silent unless asked for")

	n.Nonces = make(map[common.Address]uint64)
	n.Logs(0, "0xa1", "0xb1", 1)
	require.Equal(t, sealed, servertest.Items[servertest.LogItem](t, s.Told("fakenode_seal"), id), "the same again, hashes included")
	removed := servertest.Items[servertest.LogItem](t, s.Told("fakenode_revert", start, true), id)
	sealed[0].Removed = true
	require.Equal(t, sealed, removed)
}
