package command_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/world"
)

func TestFaultsInForce(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	faults := func() string { return string(servertest.Fetch[json.RawMessage](n, "fakenode_faults")) }
	require.JSONEq(t, `{"calls":[],"flashblocks":[],"feed":[],"holds":[],"operations":[]}`, faults())
	n.Do("fakenode_setFault", map[string]any{"method": "eth_call", "times": 3, "latencyMs": 1})
	n.Do("fakenode_setFault", map[string]any{"method": "*", "nth": 2, "times": -1, "error": map[string]any{"code": -5, "message": "no"}})
	n.Do("fakenode_setFault", map[string]any{"method": "eth_subscription", "kind": "newHeads", "nth": 3, "duplicate": true})
	n.Do("fakenode_flashblockFault", map[string]any{"kind": "stall", "count": 2})
	n.Do("fakenode_flashblockFault", map[string]any{"kind": "lag", "count": 4})
	n.Do("fakenode_feedFault", map[string]any{"kind": "truncate", "nth": 2, "count": 3, "bytes": 10})
	n.Do("fakenode_feedFault", map[string]any{"kind": "disconnect", "code": 1012})
	n.Do("fakenode_hold", map[string]any{"hashes": []common.Hash{{31: 1}}, "milliseconds": 1500})
	n.Do("fakenode_bundlerFault", map[string]any{"kind": "late", "blocks": 3, "count": 2})
	n.Do("eth_call", map[string]any{"to": servertest.Counter})
	require.JSONEq(t, `{"calls":[{"method":"eth_call","nth":1,"times":2,"latencyMs":1},
		{"method":"*","nth":1,"times":-1,"error":{"code":-5,"message":"no"}},
		{"method":"eth_subscription","kind":"newHeads","nth":3,"times":1,"duplicate":true}],
		"flashblocks":[{"kind":"stall","count":2},{"kind":"lag","count":4}],
		"feed":[{"kind":"truncate","nth":2,"count":3,"bytes":10},{"kind":"disconnect","nth":1,"count":1,"code":1012}],
		"holds":[{"hashes":["`+common.Hash{31: 1}.Hex()+`"],"senders":[],"milliseconds":1500}],
		"operations":[{"kind":"late","count":2,"blocks":3}]}`, faults())
	n.Do("fakenode_clearFaults")
	require.JSONEq(t, `{"calls":[],"flashblocks":[],"feed":[],"holds":[],"operations":[]}`, faults())
}

func TestOpenSubscriptions(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
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
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	watcher, err := rpc.Dial(n.Server.URL() + "/?observer")
	require.NoError(t, err)
	t.Cleanup(watcher.Close)
	n.Do("fakenode_setFault", map[string]any{"method": "*", "error": map[string]any{"code": -5, "message": "no"}})
	var number string
	require.NoError(t, watcher.Call(&number, "eth_blockNumber"))
	require.Empty(t, n.Server.Calls(world.Main, ""))
	n.Fails(-5, "eth_blockNumber")
	require.Len(t, n.Server.Calls(world.Main, ""), 1)
}
