package command_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/world"
)

func TestOpenSubscriptions(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	first := n.Client()
	var id string
	require.NoError(t, first.Call(&id, "eth_subscribe", "newHeads"))
	watcher, err := rpc.Dial(n.Server.WebSocketURL() + "/?observer")
	require.NoError(t, err)
	t.Cleanup(watcher.Close)
	require.NoError(t, watcher.Call(&id, "eth_subscribe", "logs", map[string]any{}))
	type entry struct {
		Connection uint64
		ID, Kind   string
		Option     json.RawMessage
		Observer   bool
	}
	require.Equal(t, []entry{{Connection: 1, ID: "0x1", Kind: "newHeads"}, {2, "0x2", "logs", json.RawMessage("{}"), true}},
		servertest.Fetch[[]entry](n, "fakenode_subscriptions"))
}

// Ensure who observes neither shows in the journal nor suffers what is meant for others.
func TestObserver(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	watcher, err := rpc.Dial(n.Server.URL() + "/?observer")
	require.NoError(t, err)
	t.Cleanup(watcher.Close)
	n.Do("fakenode_setFault", map[string]any{"method": "*", "error": map[string]any{"code": -5, "message": "no"}})
	var number string
	require.NoError(t, watcher.Call(&number, "eth_blockNumber"))
	require.Empty(t, n.Server.Network(world.Main).Endpoint.CallsSince(0, ""))
	n.Fails(-5, "eth_blockNumber")
	require.Len(t, n.Server.Network(world.Main).Endpoint.CallsSince(0, ""), 1)
}

// Ensure the journal has the calls since one, of a method if that is asked for.
func TestCalls(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	type call struct {
		Number uint64
		Method string
	}
	for _, method := range []string{"eth_chainId", "eth_blockNumber", "eth_chainId", "eth_chainId"} {
		n.Do(method)
	}
	all := servertest.Fetch[[]call](n, "fakenode_calls")
	require.Equal(t, []call{{1, "eth_chainId"}, {2, "eth_blockNumber"}, {3, "eth_chainId"}, {4, "eth_chainId"}}, all)
	require.Equal(t, all[2:], servertest.Fetch[[]call](n, "fakenode_calls", map[string]any{"since": 2})[:2])
	require.Equal(t, all[2:], servertest.Fetch[[]call](n, "fakenode_calls", map[string]any{"since": 2, "method": "eth_chainId"}))
}
