package command_test

import (
	"encoding/json"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// headNumbers decodes the block numbers that a newHeads subscription sent.
func headNumbers(t *testing.T, messages []servertest.Message, id string) []string {
	t.Helper()
	var numbers []string
	for _, head := range servertest.Items[struct{ Number string }](t, messages, id) {
		numbers = append(numbers, head.Number)
	}
	return numbers
}

// Ensure fakenode_setFault spoils the notifications of one kind of subscription.
func TestSubscriptionFaults(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	s := n.Socket()
	heads, logs := s.Subscribe("newHeads"), s.Subscribe("logs")

	n.Do("fakenode_setFault", map[string]any{"method": "eth_subscription", "kind": "newHeads", "nth": 2, "reorder": true})
	n.Do("fakenode_setFault", map[string]any{"method": "eth_subscription", "kind": "newHeads", "nth": 4, "drop": true})
	n.Do("fakenode_setFault", map[string]any{"method": "eth_subscription", "kind": "newHeads", "nth": 5, "duplicate": true})
	n.Logs(0, "0xa1", "0xb1", 1)
	told := s.Told("fakenode_seal", 6)
	require.Equal(t, []string{"0x1", "0x3", "0x2", "0x5", "0x5", "0x6"}, headNumbers(t, told, heads))
	require.Len(t, servertest.Items[servertest.LogItem](t, told, logs), 1)

	n.Do("fakenode_setFault", map[string]any{"method": "eth_subscription", "latencyMs": 3_600_000})
	require.Empty(t, s.Told("fakenode_seal"))
	n.Refuses(api.CodeInvalidParams, []string{"want one of", "pendingLogs"}, "fakenode_setFault", map[string]any{"method": "eth_subscription", "kind": "heads", "drop": true})
	n.Refuses(api.CodeInvalidParams, []string{"for notifications"}, "fakenode_setFault", map[string]any{"method": "eth_chainId", "drop": true})
}

// Ensure fakenode_disconnect cuts the connections that subscribed to a kind, and its own behind the answer.
func TestDisconnectOnCommand(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	heads, logs := n.Socket(), n.Socket()
	id := heads.Subscribe("newHeads")
	logs.Subscribe("logs")
	n.Do("fakenode_seal")
	require.Equal(t, 1, servertest.Fetch[int](n, "fakenode_disconnect", map[string]any{"kind": "newHeads"}))
	require.Equal(t, []string{"0x1"}, headNumbers(t, []servertest.Message{heads.Read()}, id), "what was before the cut arrives")
	_, _, err := heads.Conn.ReadMessage()
	require.True(t, websocket.IsCloseError(err, websocket.CloseAbnormalClosure), "%v", err)

	answer, _ := logs.Ask("fakenode_disconnect", map[string]any{"code": 1012})
	require.Equal(t, json.RawMessage("1"), answer.Result)
	_, _, err = logs.Conn.ReadMessage()
	require.True(t, websocket.IsCloseError(err, websocket.CloseServiceRestart), "%v", err)
	require.Zero(t, servertest.Fetch[int](n, "fakenode_disconnect"))
	n.Refuses(api.CodeInvalidParams, []string{"close code is 7"}, "fakenode_disconnect", map[string]any{"code": 7})
	n.Refuses(api.CodeInvalidParams, []string{"unknown kind"}, "fakenode_disconnect", map[string]any{"kind": "tails"})
}

// Ensure a fault strikes the notification of who subscribed first, whoever is answered first.
func TestFaultsCountInTheOrderOfSubscribers(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	first, second := n.Socket(), n.Socket()
	of, own := first.Subscribe("newHeads"), second.Subscribe("newHeads")
	for range 20 {
		n.Do("fakenode_setFault", map[string]any{"method": "eth_subscription", "times": 1, "drop": true})
		require.Len(t, headNumbers(t, second.Told("fakenode_seal"), own), 1)
		require.Empty(t, headNumbers(t, first.Told("eth_chainId"), of))
	}
}
