package rpcserver

import (
	"encoding/json"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// headNumbers decodes the block numbers that a newHeads subscription sent.
func headNumbers(t *testing.T, messages []wireMessage, id string) []string {
	t.Helper()
	var numbers []string
	for _, head := range items[struct{ Number string }](t, messages, id) {
		numbers = append(numbers, head.Number)
	}
	return numbers
}

// Ensure fakenode_setFault spoils the notifications of one kind of subscription.
func TestSubscriptionFaults(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	s := n.socket()
	heads, logs := s.subscribe("newHeads"), s.subscribe("logs")

	n.do("fakenode_setFault", map[string]any{"method": "eth_subscription", "kind": "newHeads", "nth": 2, "reorder": true})
	n.do("fakenode_setFault", map[string]any{"method": "eth_subscription", "kind": "newHeads", "nth": 4, "drop": true})
	n.do("fakenode_setFault", map[string]any{"method": "eth_subscription", "kind": "newHeads", "nth": 5, "duplicate": true})
	n.log(0, "0xa1", "0xb1", 1)
	told := s.told("fakenode_seal", 6)
	require.Equal(t, []string{"0x1", "0x3", "0x2", "0x5", "0x5", "0x6"}, headNumbers(t, told, heads))
	require.Len(t, items[logItem](t, told, logs), 1)

	n.do("fakenode_setFault", map[string]any{"method": "eth_subscription", "latencyMs": 3_600_000})
	require.Empty(t, s.told("fakenode_seal"))
	n.refuses(api.CodeInvalidParams, []string{"want one of", "pendingLogs"}, "fakenode_setFault", map[string]any{"method": "eth_subscription", "kind": "heads", "drop": true})
	n.refuses(api.CodeInvalidParams, []string{"for notifications"}, "fakenode_setFault", map[string]any{"method": "eth_chainId", "drop": true})
}

// Ensure fakenode_disconnect cuts the connections that subscribed to a kind, and its own behind the answer.
func TestDisconnectOnCommand(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	heads, logs := n.socket(), n.socket()
	id := heads.subscribe("newHeads")
	logs.subscribe("logs")
	n.do("fakenode_seal")
	require.Equal(t, 1, fetch[int](n, "fakenode_disconnect", map[string]any{"kind": "newHeads"}))
	require.Equal(t, []string{"0x1"}, headNumbers(t, []wireMessage{heads.read()}, id), "what was before the cut arrives")
	_, _, err := heads.ws.ReadMessage()
	require.True(t, websocket.IsCloseError(err, websocket.CloseAbnormalClosure), "%v", err)

	answer, _ := logs.ask("fakenode_disconnect", map[string]any{"code": 1012})
	require.Equal(t, json.RawMessage("1"), answer.Result)
	_, _, err = logs.ws.ReadMessage()
	require.True(t, websocket.IsCloseError(err, websocket.CloseServiceRestart), "%v", err)
	require.Zero(t, fetch[int](n, "fakenode_disconnect"))
	n.refuses(api.CodeInvalidParams, []string{"close code is 7"}, "fakenode_disconnect", map[string]any{"code": 7})
	n.refuses(api.CodeInvalidParams, []string{"unknown kind"}, "fakenode_disconnect", map[string]any{"kind": "tails"})
}
