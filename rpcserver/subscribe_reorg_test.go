package rpcserver

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

func TestLogsOfReorg(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"forward", "reverse"} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(t, preconf.Config{}, Config{})
			s := n.socket()
			filter := fetch[string](n, "eth_newFilter", map[string]any{"address": loggerAddress})
			blocks := fetch[string](n, "eth_newBlockFilter")
			id, heads := s.subscribe("logs", map[string]any{"address": loggerAddress}), s.subscribe("newHeads")
			n.log(0, "0xa1", "0xb1", 2)
			told := s.told("fakenode_seal")
			n.log(0, "0xa2", "0xb2", 1)
			told = append(told, s.told("fakenode_seal")...)
			sealed := items[logItem](t, told, id)
			require.Len(t, sealed, 3)
			require.Len(t, fetch[[]logItem](n, "eth_getFilterChanges", filter), 3)
			require.Len(t, fetch[[]common.Hash](n, "eth_getFilterChanges", blocks), 2)
			orphans := [2]common.Hash{sealed[0].BlockHash, sealed[2].BlockHash}

			answer, told := s.ask("fakenode_reorg", map[string]any{"depth": 2, "removedOrder": order})
			var did struct{ Removed, Added, Requeued []common.Hash }
			require.NoError(t, json.Unmarshal(answer.Result, &did))
			require.Equal(t, orphans[:], did.Removed)
			require.Len(t, did.Added, 3)

			logs := items[logItem](t, told, id)
			require.Len(t, logs, 6, "each removed, then each mined again")
			removed := logs[:3]
			if order == "reverse" {
				removed = []logItem{logs[2], logs[1], logs[0]}
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
			require.Equal(t, logs, fetch[[]logItem](n, "eth_getFilterChanges", filter), "filters tell the same")
			require.Equal(t, did.Added, fetch[[]common.Hash](n, "eth_getFilterChanges", blocks))
			told2 := items[struct{ Hash common.Hash }](t, told, heads)
			require.Len(t, told2, 3)
			require.Equal(t, did.Added[2], told2[2].Hash)

			byHash := fetch[[]logItem](n, "eth_getLogs", map[string]any{"blockHash": orphans[0]})
			require.Len(t, byHash, 2)
			require.True(t, byHash[0].Removed)
		})
	}
}

func TestAnnouncedRevert(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	s := n.socket()
	id := s.subscribe("logs")
	start := fetch[string](n, "fakenode_snapshot")
	n.log(0, "0xa1", "0xb1", 1)
	sealed := items[logItem](t, s.told("fakenode_seal"), id)
	require.Empty(t, s.told("fakenode_revert", start), "silent unless asked for")

	n.nonces = make(map[common.Address]uint64)
	n.log(0, "0xa1", "0xb1", 1)
	require.Equal(t, sealed, items[logItem](t, s.told("fakenode_seal"), id), "the same again, hashes included")
	removed := items[logItem](t, s.told("fakenode_revert", start, true), id)
	sealed[0].Removed = true
	require.Equal(t, sealed, removed)
}
