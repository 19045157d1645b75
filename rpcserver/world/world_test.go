package world_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// madeWorld is the answer of fakenode_newWorld.
type madeWorld struct {
	Name                string `json:"name"`
	URL                 string `json:"url"`
	WebSocketURL        string `json:"webSocketUrl"`
	TestnetURL          string `json:"testnetUrl"`
	TestnetWebSocketURL string `json:"testnetWebSocketUrl"`
	L1URL               string `json:"l1Url"`
}

// callAt posts a call to a path of the server and returns the HTTP status, the result and the error.
func callAt(n *servertest.Network, path, method string, params ...any) (int, json.RawMessage, *jsonrpc.Error) {
	n.Helper()
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	require.NoError(n, err)
	status, text := servertest.Post(n, n.Server.URL()+path, string(body))
	var answer struct {
		Result json.RawMessage
		Error  *jsonrpc.Error
	}
	require.NoError(n, json.Unmarshal([]byte(text), &answer), text)
	return status, answer.Result, answer.Error
}

// resultAt is callAt for calls that must succeed.
func resultAt(n *servertest.Network, path, method string, params ...any) string {
	n.Helper()
	status, result, failure := callAt(n, path, method, params...)
	require.Nil(n, failure, "%s at %s: %+v", method, path, failure)
	require.Equal(n, http.StatusOK, status)
	return string(result)
}

// errorAt is callAt for calls that must fail.
func errorAt(n *servertest.Network, path, method string, params ...any) *jsonrpc.Error {
	n.Helper()
	_, _, failure := callAt(n, path, method, params...)
	require.NotNil(n, failure, "%s at %s succeeded", method, path)
	return failure
}

// Ensure a new world answers at its announced URLs like the world it was copied from, and that later changes in one do
// not show in the other.
func TestNewWorld(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Do("fakenode_seal")
	var made madeWorld
	require.NoError(t, json.Unmarshal([]byte(resultAt(n, "", "fakenode_newWorld", map[string]any{"name": "shop"})), &made))
	require.Equal(t, madeWorld{Name: "shop", URL: n.Server.URL() + "/w/shop", WebSocketURL: n.Server.WebSocketURL() + "/w/shop"}, made)
	require.Equal(t, resultAt(n, "", "eth_getBlockByNumber", "latest", true), resultAt(n, "/w/shop", "eth_getBlockByNumber", "latest", true))

	resultAt(n, "/w/shop", "fakenode_seal", 2)
	resultAt(n, "/w/shop", "fakenode_setFault", map[string]any{"method": "eth_chainId", "error": map[string]any{"code": 7, "message": "no"}})
	require.Equal(t, `"0x3"`, resultAt(n, "/w/shop/", "eth_blockNumber"))
	require.Equal(t, `"0x1"`, resultAt(n, "/", "eth_blockNumber"))
	require.Equal(t, `"0x7a69"`, resultAt(n, "", "eth_chainId"))
	require.Equal(t, 7, errorAt(n, "/w/shop", "eth_chainId").Code)
	require.Contains(t, resultAt(n, "/w/shop", "fakenode_calls"), "eth_chainId")
	require.Len(t, n.Server.Network(world.Main).Endpoint.CallsSince(0, "eth_chainId"), 1)
}

// Ensure the URLs of a new world begin with the host that the client used, as a mapped port needs.
func TestNewWorldURLsAreTheClients(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Allow: jsonrpc.Allow{Hosts: []string{"chain.test"}}})
	request, err := http.NewRequest(http.MethodPost, n.Server.URL(), strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"fakenode_newWorld","params":[{"name":"a"}]}`))
	require.NoError(t, err)
	request.Host = "chain.test:18545"
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	var got struct{ Result madeWorld }
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&got))
	require.Equal(t, "http://chain.test:18545/w/a", got.Result.URL)
	require.Equal(t, "ws://chain.test:18545/w/a", got.Result.WebSocketURL)

	dialer := websocket.Dialer{}
	ws, _, err := dialer.Dial(n.Server.WebSocketURL(), http.Header{"Host": {"localhost:99"}})
	require.NoError(t, err)
	defer ws.Close()
	require.Contains(t, servertest.Ask(t, ws, `{"jsonrpc":"2.0","id":1,"method":"fakenode_newWorld","params":[{"name":"b"}]}`), `"http://localhost:99/w/b"`)
}

// Ensure numbers up to 65535 are paths of worlds of that name, made by the first request from the world at /.
func TestNumberedWorlds(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	require.Equal(t, `"0x0"`, resultAt(n, "/1", "eth_blockNumber"))
	n.Do("fakenode_seal", 3)
	require.Equal(t, `"0x3"`, resultAt(n, "/65535", "eth_blockNumber"))
	require.Equal(t, `"0x0"`, resultAt(n, "/w/1", "eth_blockNumber"))
	ws, _, err := websocket.DefaultDialer.Dial(n.Server.WebSocketURL()+"/2", nil)
	require.NoError(t, err)
	defer ws.Close()
	require.Contains(t, servertest.Ask(t, ws, `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`), `"0x3"`)
	require.Contains(t, resultAt(n, "", "fakenode_worlds"), `{"name":"2","blockNumber":3,"clients":1,"createdMs":`)

	for _, path := range []string{"/0", "/65536", "/testnet/1"} { // TestNoPaths has more
		status, _ := servertest.Post(t, n.Server.URL()+path, `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`)
		require.Equal(t, http.StatusNotFound, status, path)
	}
	require.Len(t, n.Server.Worlds(), 3)
}

// Ensure a request that cannot call methods makes no world, and is answered as at /.
func TestOnlyCallsMakeWorlds(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Worlds: world.Config{Limits: world.Limits{Auto: true}}})
	ask := func(method, path, kind string) (status int, text string) {
		request, err := http.NewRequest(method, n.Server.URL()+path, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`))
		require.NoError(t, err)
		request.Header.Set("Content-Type", kind)
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, string(body)
	}
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodPost} {
		for _, network := range []string{"", "/testnet", "/flashblocks"} {
			for _, kind := range []string{"application/json", "text/plain", ""} {
				if method == http.MethodPost && kind == "application/json" {
					continue
				}
				status, text := ask(method, network+"/", kind)
				for _, world := range []string{"/7", "/w/shop"} {
					got, body := ask(method, world+network+"/", kind)
					require.Equal(t, status, got, "%s %s %s %q", method, world, network, kind)
					require.Equal(t, text, strings.Replace(body, world, "", 1))
				}
			}
		}
	}
	for _, header := range []http.Header{ // handshakes that fail
		{"Sec-Websocket-Version": {"13"}},
		{"Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"short"}},
		{"Sec-Websocket-Version": {"8"}, "Sec-Websocket-Key": {"AAAAAAAAAAAAAAAAAAAAAA=="}},
		{"Sec-Websocket-Key": {"AAAAAAAAAAAAAAAAAAAAAA=="}},
	} {
		request, err := http.NewRequest(http.MethodGet, n.Server.URL()+"/w/shop", http.NoBody)
		require.NoError(t, err)
		request.Header = header
		request.Header.Set("Connection", "Upgrade")
		request.Header.Set("Upgrade", "websocket")
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusBadRequest, answer.StatusCode, header)
	}
	require.Empty(t, n.Server.Worlds())
	require.Equal(t, `"0x7a69"`, resultAt(n, "/7", "eth_chainId"))
	require.Len(t, n.Server.Worlds(), 1)
}

// Ensure requests to worlds that are not there are answered with 404 and the name, and make them with AutoWorlds.
func TestUnknownWorlds(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	status, _, failure := callAt(n, "/w/nobody", "eth_blockNumber")
	require.Equal(t, http.StatusNotFound, status)
	require.Equal(t, api.CodeServer, failure.Code)
	require.Contains(t, failure.Message, "no world nobody")
	status, _, failure = callAt(n, "/w/a%2Fb", "eth_blockNumber")
	require.Equal(t, http.StatusNotFound, status)
	require.Contains(t, failure.Message, "is no name of a world: want 1 to 64 of")
	_, answer, err := websocket.DefaultDialer.Dial(n.Server.WebSocketURL()+"/w/nobody", nil)
	require.ErrorIs(t, err, websocket.ErrBadHandshake)
	require.Equal(t, http.StatusNotFound, answer.StatusCode)

	n = servertest.New(t, preconf.Config{}, rpcserver.Config{Worlds: world.Config{Limits: world.Limits{Auto: true}}})
	require.Equal(t, `"0x0"`, resultAt(n, "/w/"+strings.Repeat("x", 64), "eth_blockNumber"))
}

// Ensure the error names the fault in a request for a new world, and that no world is made.
func TestNewWorldRefusals(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Worlds: world.Config{Limits: world.Limits{Count: 2}}})
	n.Do("fakenode_newWorld", map[string]any{"name": "a"})
	n.Refuses(api.CodeInvalidParams, []string{"fakenode_newWorld: ", "name of a world"}, "fakenode_newWorld", map[string]any{"name": ""})
	n.Refuses(api.CodeServer, []string{"a exists"}, "fakenode_newWorld", map[string]any{"name": "a"})
	n.Refuses(api.CodeServer, []string{"unknown snapshot 0x9"}, "fakenode_newWorld", map[string]any{"snapshot": "0x9"})
	n.Refuses(api.CodeServer, []string{"no world b"}, "fakenode_closeWorld", "b")
	require.Equal(t, "world-1", servertest.Fetch[madeWorld](n, "fakenode_newWorld").Name)
	n.Refuses(api.CodeServer, []string{"limit is 2"}, "fakenode_newWorld")
	status, _, failure := callAt(n, "/7", "eth_chainId")
	require.Equal(t, http.StatusInsufficientStorage, status)
	require.Equal(t, api.CodeServer, failure.Code)
	require.Contains(t, failure.Message, "limit is 2")

	n.Do("fakenode_closeWorld", "a") // its name is free again
	n.Do("fakenode_newWorld", map[string]any{"name": "a"})
}

// Ensure worlds are off with a limit of none, and with fakenode_newWorld.
func TestNoWorlds(t *testing.T) {
	t.Parallel()
	for _, config := range []rpcserver.Config{{Worlds: world.Config{Limits: world.Limits{Count: -1, Auto: true}}}, {Disabled: rpcserver.Control, Worlds: world.Config{Limits: world.Limits{Auto: true}}}} {
		n := servertest.New(t, preconf.Config{}, config)
		for _, method := range []string{"fakenode_newWorld", "fakenode_closeWorld", "fakenode_worlds"} {
			n.Fails(api.CodeMethodNotFound, method)
		}
		for _, path := range []string{"/1", "/w/a", "/1/testnet"} {
			status, _ := servertest.Post(t, n.Server.URL()+path, `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`)
			require.Equal(t, http.StatusNotFound, status, path)
		}
		_, err := n.Server.NewWorld(n.Server.World, world.Options{})
		require.ErrorIs(t, err, world.ErrNoWorlds)
	}
}

// Ensure a world can begin at a snapshot, that ids of the world it was copied from mean nothing in it, and that it
// resets to its own beginning.
func TestWorldBeginsAtSnapshot(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Do("fakenode_seal", 2)
	id := servertest.Fetch[string](n, "fakenode_snapshot")
	filter := servertest.Fetch[string](n, "eth_newBlockFilter")
	n.Do("fakenode_seal", 3)
	n.Do("fakenode_newWorld", map[string]any{"name": "then", "snapshot": id})
	n.Do("fakenode_newWorld", map[string]any{"name": "now"})
	require.Equal(t, `"0x2"`, resultAt(n, "/w/then", "eth_blockNumber"))
	require.Equal(t, `"0x5"`, resultAt(n, "/w/now", "eth_blockNumber"))
	for _, world := range []string{"/w/then", "/w/now"} {
		own := resultAt(n, world, "fakenode_snapshot")
		require.NotEqual(t, `"`+id+`"`, own)
		require.NotEqual(t, `"`+filter+`"`, resultAt(n, world, "eth_newBlockFilter"))
		require.Equal(t, api.CodeServer, errorAt(n, world, "fakenode_revert", id).Code)
		require.Equal(t, api.CodeServer, errorAt(n, world, "eth_getFilterChanges", filter).Code)
	}
	resultAt(n, "/w/then", "fakenode_seal", 2)
	resultAt(n, "/w/then", "anvil_reset")
	require.Equal(t, `"0x2"`, resultAt(n, "/w/then", "eth_blockNumber"))
}

// Ensure clients of a world that is closed under them are notified, in both its networks, and that clients of other
// worlds are not.
func TestWorldClosedUnderSubscribers(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Do("fakenode_newWorld", map[string]any{"name": "a"})
	n.Do("fakenode_newWorld", map[string]any{"name": "b"})
	sockets := map[string]*websocket.Conn{}
	for _, path := range []string{"", "/w/a", "/w/b"} {
		ws, _, err := websocket.DefaultDialer.Dial(n.Server.WebSocketURL()+path, nil)
		require.NoError(t, err)
		defer ws.Close()
		require.NoError(t, ws.SetReadDeadline(time.Now().Add(time.Minute)))
		require.Contains(t, servertest.Ask(t, ws, `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}`), "result")
		sockets[path] = ws
	}
	n.Do("fakenode_closeWorld", "a")
	_, _, err := sockets["/w/a"].ReadMessage()
	var closed *websocket.CloseError
	require.ErrorAs(t, err, &closed)
	require.Equal(t, websocket.CloseGoingAway, closed.Code)
	require.Equal(t, "world a was closed", closed.Text)
	status, _, _ := callAt(n, "/w/a", "eth_chainId")
	require.Equal(t, http.StatusNotFound, status)

	for _, path := range []string{"", "/w/b"} {
		resultAt(n, path, "fakenode_seal")
		require.Contains(t, servertest.Receive(t, sockets[path]), "eth_subscription")
	}
	require.Equal(t, `[{"name":"b","blockNumber":1,"clients":1,"createdMs":`+fmt.Sprint(n.Server.Worlds()[0].Created.UnixMilli())+`}]`,
		resultAt(n, "", "fakenode_worlds"))
}

// Ensure a call that makes blocks ends when its world is closed, whatever it has left to do, and says why.
func TestClosedWorldMakesNoBlocks(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	for method, amount := range map[string]int{"anvil_mine": 1_000_000, "fakenode_seal": 1_000_000, "fakenode_advance": 1_000_000_000} {
		w, err := n.Server.NewWorld(n.Server.World, world.Options{Name: "busy"})
		require.NoError(t, err)
		feed := w.Timeline(world.Main).Subscribe()
		answered := make(chan string, 1)
		go func() {
			answer := w.Call(t.Context(), world.Main, []byte(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":[`+strconv.Itoa(amount)+`]}`))
			answered <- string(answer)
		}()
		_, err = feed.Next(t.Context()) // it has begun
		require.NoError(t, err)
		feed.Close()
		n.Server.CloseWorld(w)
		require.Contains(t, <-answered, `"error":{"code":-32000,"message":"world busy was closed"}`, method)
	}
}
