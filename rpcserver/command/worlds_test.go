package command_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure worlds are made, listed and closed by their names, with the URLs that the client reaches them by.
func TestWorldsByCommand(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	snapshot := servertest.Fetch[string](n, "fakenode_snapshot")
	n.Seal(3)
	require.Equal(t, "[]", string(servertest.Fetch[json.RawMessage](n, "fakenode_worlds")))
	type made struct{ Name, URL, WebSocketURL, TestnetURL, L1URL string }
	shop := servertest.Fetch[made](n, "fakenode_newWorld", map[string]any{"name": "shop"})
	http := n.Server.URL()
	require.Equal(t, made{"shop", http + "/w/shop", strings.Replace(http, "http", "ws", 1) + "/w/shop", "", ""}, shop)
	other := servertest.Fetch[made](n, "fakenode_newWorld", map[string]any{"snapshot": snapshot})
	require.NotEmpty(t, other.Name)
	type world struct {
		Name        string
		BlockNumber uint64
		Clients     int
	}
	require.Equal(t, []world{{"shop", 3, 0}, {other.Name, 0, 0}}, servertest.Fetch[[]world](n, "fakenode_worlds"))
	require.Positive(t, servertest.Fetch[[]struct{ CreatedMs int64 }](n, "fakenode_worlds")[0].CreatedMs)
	_, body := servertest.Post(t, shop.URL, `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`)
	require.Contains(t, body, `"result":"0x3"`)
	n.Refuses(api.CodeInvalidParams, []string{"fakenode_newWorld: ", "a b"}, "fakenode_newWorld", map[string]any{"name": "a b"})
	n.Refuses(api.CodeServer, []string{"shop"}, "fakenode_newWorld", map[string]any{"name": "shop"})
	n.Refuses(api.CodeServer, []string{"unknown snapshot 0x63"}, "fakenode_newWorld", map[string]any{"snapshot": 99})
	n.Do("fakenode_closeWorld", "shop")
	n.Refuses(api.CodeServer, []string{"shop"}, "fakenode_closeWorld", "shop")
	require.Len(t, servertest.Fetch[[]world](n, "fakenode_worlds"), 1)
	require.NotEmpty(t, servertest.Fetch[made](n, "fakenode_newWorld").Name, "neither name nor snapshot is needed")
}

// Ensure a new world has URLs for the networks that it has, and no others.
func TestURLsOfWorlds(t *testing.T) {
	t.Parallel()
	for _, config := range []fakenode.Config{{}, {Preset: fakenode.Base, L1: true}} {
		node := fakenode.RunConfigT(t, config)
		client, err := rpc.Dial(node.URL())
		require.NoError(t, err)
		t.Cleanup(client.Close)
		made := ask[map[string]string](t, client, "fakenode_newWorld", map[string]any{"name": "shop"})
		http := node.URL() + "/w/shop"
		ws := strings.Replace(http, "http", "ws", 1)
		want := map[string]string{"name": "shop", "url": http, "webSocketUrl": ws}
		if config.L1 {
			want["l1Url"], want["l1WebSocketUrl"] = http+"/l1", ws+"/l1"
		} else {
			want["testnetUrl"], want["testnetWebSocketUrl"] = http+"/testnet", ws+"/testnet"
		}
		for name, url := range want {
			require.Equal(t, url, made[name], name)
		}
	}
}
