package rpcserver_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

func TestSubscribeRefusals(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := n.Socket()
	for _, c := range []struct {
		params []any
		words  []string
	}{
		{[]any{"newPendingBlock"}, []string{`"newPendingBlock"`, "logs, newFlashblockTransactions, newFlashblocks, newHeads, newPendingTransactions, pendingLogs, syncing, transactionReceipts"}},
		{[]any{}, []string{"kind"}},
		{[]any{7}, []string{"kind", "7"}},
		{[]any{"logs", true}, []string{"filter", "true"}},
		{[]any{"logs", "all"}, []string{"filter", "all"}},
		{[]any{"logs", map[string]any{"address": "0x12"}}, []string{"filter", "0x12"}},
		{[]any{"pendingLogs", map[string]any{"topics": []any{nil, nil, nil, nil, nil}}}, []string{"5 topics", "4"}},
		{[]any{"pendingLogs", 3}, []string{"filter", "3"}},
		{[]any{"pendingLogs", map[string]any{"fromBlock": "0x5"}}, []string{"pendingLogs", "fromBlock", "pending"}},
		{[]any{"pendingLogs", map[string]any{"blockHash": common.Hash{1}}}, []string{"blockHash", "eth_getLogs"}},
		{[]any{"logs", map[string]any{"toBlock": "pending"}}, []string{"pending", "pendingLogs"}},
		{[]any{"logs", map[string]any{"toBlock": "finalized"}}, []string{"toBlock", "finalized", "eth_getLogs"}},
		{[]any{"logs", map[string]any{"blockHash": common.Hash{1}}}, []string{"blockHash", "eth_getLogs"}},
		{[]any{"newHeads", true}, []string{"option", "true"}},
		{[]any{"newPendingTransactions", map[string]any{}}, []string{"option", "true or false"}},
		{[]any{"newFlashblockTransactions", "full"}, []string{"option", "true or false"}},
		{[]any{"transactionReceipts", map[string]any{"transactionHashes": "0x1"}}, []string{"transactionHashes"}},
		{[]any{"logs", nil, 1}, []string{"too many"}},
		{[]any{"logs", map[string]any{"Address": nil}}, []string{"filter", `"Address" is unknown, want "address"`}},
		{[]any{"pendingLogs", map[string]any{"TOPICS": nil}}, []string{"filter", `"TOPICS" is unknown, want "topics"`}},
		{[]any{"transactionReceipts", map[string]any{"transactionhashes": nil}}, []string{"option", `"transactionhashes" is unknown, want "transactionHashes"`}},
		{[]any{"logs", json.RawMessage(`{"address":[],"address":[]}`)}, []string{`"address" is given twice`}},
		{[]any{"newFlashblocks", json.RawMessage(`{"a":1,"a":1}`)}, []string{`"a" is given twice`}},
	} {
		answer, _ := s.Ask("eth_subscribe", c.params...)
		require.NotNil(t, answer.Error, "%v", c.params)
		require.Equal(t, api.CodeInvalidParams, answer.Error.Code)
		for _, word := range c.words {
			require.Contains(t, answer.Error.Message, word)
		}
	}
	require.Empty(t, s.Told("fakenode_seal"), "nothing was subscribed to")

	n.Refuses(api.CodeMethodNotFound, nil, "eth_subscribe", "newHeads") // no WebSocket

	geth := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Profile: shape.Geth}})
	geth.Socket().Subscribe("logs", json.RawMessage(`{"Address":null,"topics":[],"topics":null}`))
}

func TestSubscribeWithoutPreconfirmation(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{NoPreconf: true}, rpcserver.Config{Disabled: rpcserver.Preconfirmation})
	s := n.Socket()
	for _, kind := range []string{"pendingLogs", "newFlashblocks", "newFlashblockTransactions"} {
		answer, _ := s.Ask("eth_subscribe", kind)
		require.Equal(t, api.CodeMethodNotFound, answer.Error.Code)
		require.Contains(t, answer.Error.Message, kind)
	}
	n.Refuses(api.CodeMethodNotFound, nil, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{}}}, "latest")
	id := s.Subscribe("logs")
	n.Logs(0, "0xa", "0xb", 1)
	require.Len(t, servertest.Items[servertest.LogItem](t, s.Told("fakenode_seal"), id), 1)
}
