package rpcserver

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

const chainIDRequest = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`

func TestFaultHTTPStatus(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, methods)
	require.NoError(t, server.Fail(Main, Fault{Method: "eth_chainId", HTTPStatus: 429}))
	status, text := post(t, server.URL(), `[{"jsonrpc":"2.0","id":2,"method":"net_version"},`+chainIDRequest+`]`)
	require.Equal(t, 429, status, "the whole batch")
	require.NotContains(t, text, "jsonrpc")
	status, _ = post(t, server.URL(), chainIDRequest)
	require.Equal(t, 200, status, "once only")

	require.NoError(t, server.Fail(Main, Fault{HTTPStatus: 503}))
	ws := dial(t, server)
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(chainIDRequest)))
	_, _, err := ws.ReadMessage()
	require.True(t, websocket.IsCloseError(err, websocket.CloseInternalServerErr), "%v", err)
	require.ErrorContains(t, err, "503")
}

func TestFaultDropsTheConnection(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, methods)
	drop := Fault{Method: "eth_chainId", DropConnection: true}
	require.NoError(t, server.Fail(Main, drop))
	_, err := http.Post(server.URL(), "application/json", strings.NewReader(chainIDRequest))
	require.ErrorIs(t, err, io.EOF)

	require.NoError(t, server.Fail(Main, drop))
	ws := dial(t, server)
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(chainIDRequest)))
	_, _, err = ws.ReadMessage()
	require.True(t, websocket.IsCloseError(err, websocket.CloseAbnormalClosure), "no close frame: %v", err)

	require.NoError(t, server.Fail(Main, drop))
	require.Empty(t, server.Call(t.Context(), Main, []byte(chainIDRequest)))
	require.Contains(t, string(server.Call(t.Context(), Main, []byte(chainIDRequest))), "0x7a69")
}

func TestFaultTruncates(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, newStub().table())
	require.NoError(t, server.Fail(Main, Fault{Method: "eth_chainId", Truncate: 12, Times: Forever}))
	for range 3 {
		_, text := post(t, server.URL(), chainIDRequest)
		require.Equal(t, `{"jsonrpc":"`, text)
	}
	require.Equal(t, `{"jsonrpc":"`, ask(t, dial(t, server), chainIDRequest))
	server.ClearFaults(Main)
	_, text := post(t, server.URL(), chainIDRequest)
	require.Contains(t, text, "0x7a69")
}

func TestFaultLatency(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, methods)
	const latency = 50 * time.Millisecond
	require.NoError(t, server.Fail(Main, Fault{Method: "eth_chainId", Latency: latency}))
	start := time.Now()
	_, text := post(t, server.URL(), chainIDRequest)
	require.GreaterOrEqual(t, time.Since(start), latency)
	require.Contains(t, text, "0x7a69", "late, but answered")

	// Over WebSocket only the delayed call waits, and a client that gives up ends the wait.
	require.NoError(t, server.Fail(Main, Fault{Method: "eth_chainId", Latency: time.Hour}))
	ws := dial(t, server)
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(chainIDRequest)))
	require.Contains(t, ask(t, ws, `{"jsonrpc":"2.0","id":2,"method":"net_version"}`), `"id":2`)
}

func TestFaultsAddUp(t *testing.T) {
	t.Parallel()
	server := bareServer(t, Config{Testnet: bareNetwork(t, 1)}, methods)
	defer server.Close()
	require.NoError(t, server.Fail(Main, Fault{Method: "eth_chainId", Nth: 3, Error: &Error{Code: 3}}))
	require.NoError(t, server.Fail(Main, Fault{Method: "eth_chainId", Nth: 2, Times: 2, Error: &Error{Code: 2}}))
	require.NoError(t, server.Fail(Main, Fault{Method: "*", Error: &Error{Code: 1}}))
	require.NoError(t, server.Fail(Testnet, Fault{Error: &Error{Code: 9}}))
	for i, want := range []string{`"code":1`, `"code":2`, `"code":3`, `"code":2`, "0x7a69"} {
		require.Contains(t, string(server.Call(t.Context(), Main, []byte(chainIDRequest))), want, "call %d", i+1)
	}
	require.Contains(t, string(server.Call(t.Context(), Testnet, []byte(chainIDRequest))), `"code":9`)
	require.False(t, server.main.faults.set.Load(), "spent faults cost nothing")
}

func TestFaultsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	server := bareServer(t, Config{}, methods)
	defer server.Close()
	require.ErrorContains(t, server.Fail(Testnet, Fault{DropConnection: true}), "testnet")
	require.ErrorContains(t, server.Fail("othernet", Fault{DropConnection: true}), "othernet")
	for _, fault := range []Fault{
		{}, {Method: "eth_chainId"}, {Method: "eth_nope", DropConnection: true}, {Method: "fakenode_calls", DropConnection: true},
		{Nth: -1, DropConnection: true}, {Times: -2, DropConnection: true}, {Error: &Error{Message: "no code"}}, {Latency: -1}, {HTTPStatus: 399}, {HTTPStatus: 600}, {Truncate: -1},
	} {
		require.Error(t, server.Fail(Main, fault), "%+v", fault)
	}
	require.Contains(t, string(server.Call(t.Context(), Main, []byte(chainIDRequest))), "0x7a69", "nothing was set")
}
