package rpcserver

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/stream"
)

func TestSubscribeRefusals(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	s := n.socket()
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
		{[]any{"newHeads", true}, []string{"option", "true"}},
		{[]any{"newPendingTransactions", map[string]any{}}, []string{"option", "true or false"}},
		{[]any{"newFlashblockTransactions", "full"}, []string{"option", "true or false"}},
		{[]any{"transactionReceipts", map[string]any{"transactionHashes": "0x1"}}, []string{"transactionHashes"}},
		{[]any{"logs", nil, 1}, []string{"too many"}},
	} {
		answer, _ := s.ask("eth_subscribe", c.params...)
		require.NotNil(t, answer.Error, "%v", c.params)
		require.Equal(t, api.CodeInvalidParams, answer.Error.Code)
		for _, word := range c.words {
			require.Contains(t, answer.Error.Message, word)
		}
	}
	require.Empty(t, s.told("fakenode_seal"), "nothing was subscribed to")

	n.refuses(api.CodeMethodNotFound, nil, "eth_subscribe", "newHeads") // no WebSocket
}

func TestSubscribeWithoutPreconfirmation(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{NoPreconf: true}, Config{Disabled: Preconfirmation})
	s := n.socket()
	for _, kind := range []string{"pendingLogs", "newFlashblocks", "newFlashblockTransactions"} {
		answer, _ := s.ask("eth_subscribe", kind)
		require.Equal(t, api.CodeMethodNotFound, answer.Error.Code)
		require.Contains(t, answer.Error.Message, kind)
	}
	n.refuses(api.CodeMethodNotFound, nil, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{}}}, "latest")
	id := s.subscribe("logs")
	n.log(0, "0xa", "0xb", 1)
	require.Len(t, items[logItem](t, s.told("fakenode_seal"), id), 1)
}

// A network whose streams cannot keep up with its events closes its subscribers' connections with the reason, and
// serves those who subscribe again.
func TestTooManyEvents(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	busy := make(chan struct{})
	withStall := maps.Clone(methods)
	withStall["test_stall"] = public(inSubscriptions, jsonrpc.Params0(func(r *api.Request) (any, error) {
		return r.Caller.Subscribe("eth_subscription", "newHeads", func(sub *jsonrpc.Subscription) (stop func()) {
			return r.Network.Streams.Add(sub, func(*stream.Announcement) []json.RawMessage {
				<-busy
				return nil
			})
		})
	}))
	server := listen(t, Config{Main: &Network{Timeline: n.timeline}}, withStall)
	slow := &socket{network: n, ws: dial(t, server)}
	slow.ask("test_stall")
	for range 8 {
		n.preconfirm()
		n.do("fakenode_flashblockFault", map[string]any{"kind": "duplicate", "count": 10_000})
		n.do("fakenode_seal")
	}
	close(busy)
	_, _, err := slow.ws.ReadMessage()
	var closed *websocket.CloseError
	require.ErrorAs(t, err, &closed)
	require.Equal(t, websocket.CloseTryAgainLater, closed.Code)
	require.Contains(t, closed.Text, "too slow")

	again := &socket{network: n, ws: dial(t, server)}
	id := again.subscribe("newHeads")
	require.Len(t, items[blockSummary](t, again.told("fakenode_seal"), id), 1)
}
