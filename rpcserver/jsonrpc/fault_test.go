package jsonrpc

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

const chainIDRequest = `{"jsonrpc":"2.0","id":1,"method":"test_chain"}`

func TestFaultHTTPStatus(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, newStub().table())
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", HTTPStatus: 429}))
	status, text := postJSON(t, server.URL("http"), `[{"jsonrpc":"2.0","id":2,"method":"test_version"},`+chainIDRequest+`]`)
	require.Equal(t, 429, status, "the whole batch")
	require.NotContains(t, text, "jsonrpc")
	status, _ = postJSON(t, server.URL("http"), chainIDRequest)
	require.Equal(t, 200, status, "once only")

	require.NoError(t, server.main.Fail(Fault{HTTPStatus: 503}))
	ws := dial(t, server)
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(chainIDRequest)))
	_, _, err := ws.ReadMessage()
	require.True(t, websocket.IsCloseError(err, websocket.CloseInternalServerErr), "%v", err)
	require.ErrorContains(t, err, "503")
}

func TestFaultDropsTheConnection(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, newStub().table())
	drop := Fault{Method: "test_chain", DropConnection: true}
	require.NoError(t, server.main.Fail(drop))
	_, err := http.Post(server.URL("http"), "application/json", strings.NewReader(chainIDRequest))
	require.ErrorIs(t, err, io.EOF)

	require.NoError(t, server.main.Fail(drop))
	ws := dial(t, server)
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(chainIDRequest)))
	_, _, err = ws.ReadMessage()
	require.True(t, websocket.IsCloseError(err, websocket.CloseAbnormalClosure), "no close frame: %v", err)

	require.NoError(t, server.main.Fail(drop))
	require.Empty(t, server.main.Call(t.Context(), []byte(chainIDRequest)))
	require.Contains(t, string(server.main.Call(t.Context(), []byte(chainIDRequest))), "0x7a69")
}

func TestFaultTruncates(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, newStub().table())
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", Truncate: 12, Times: Forever}))
	for range 3 {
		_, text := postJSON(t, server.URL("http"), chainIDRequest)
		require.Equal(t, `{"jsonrpc":"`, text)
	}
	require.Equal(t, `{"jsonrpc":"`, ask(t, dial(t, server), chainIDRequest))
	server.main.ClearFaults()
	_, text := postJSON(t, server.URL("http"), chainIDRequest)
	require.Contains(t, text, "0x7a69")
}

func TestFaultLatency(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, newStub().table())
	const latency = 50 * time.Millisecond
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", Latency: latency}))
	start := time.Now()
	_, text := postJSON(t, server.URL("http"), chainIDRequest)
	require.GreaterOrEqual(t, time.Since(start), latency)
	require.Contains(t, text, "0x7a69", "late, but answered")

	// Over WebSocket only the delayed call waits, and a client that gives up ends the wait.
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", Latency: time.Hour}))
	ws := dial(t, server)
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(chainIDRequest)))
	require.Contains(t, ask(t, ws, `{"jsonrpc":"2.0","id":2,"method":"test_version"}`), `"id":2`)
}

func TestFaultsAddUp(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{}, newStub().table())
	defer server.Close()
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", Nth: 3, Error: &Error{Code: 3}}))
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", Nth: 2, Times: 2, Error: &Error{Code: 2}}))
	require.NoError(t, server.main.Fail(Fault{Method: "*", Error: &Error{Code: 1}}))
	require.NoError(t, server.other.Fail(Fault{Error: &Error{Code: 9}}))
	for i, want := range []string{`"code":1`, `"code":2`, `"code":3`, `"code":2`, "0x7a69"} {
		require.Contains(t, string(server.main.Call(t.Context(), []byte(chainIDRequest))), want, "call %d", i+1)
	}
	require.Contains(t, string(server.other.Call(t.Context(), []byte(chainIDRequest))), `"code":9`)
	require.False(t, server.main.faults.set.Load(), "spent faults cost nothing")
}

func TestFaultsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{}, newStub().table())
	defer server.Close()
	for _, fault := range []Fault{
		{}, {Method: "test_chain"}, {Method: "eth_nope", DropConnection: true}, {Method: "test_exempt", DropConnection: true},
		{Nth: -1, DropConnection: true}, {Times: -2, DropConnection: true}, {Error: &Error{Message: "no code"}}, {Latency: -1}, {HTTPStatus: 399}, {HTTPStatus: 600}, {Truncate: -1},
		{LoseAnswer: true, Error: &Error{Code: 1}}, {Method: "eth_subscription", LoseAnswer: true},
	} {
		require.Error(t, server.main.Fail(fault), "%+v", fault)
	}
	require.Contains(t, string(server.main.Call(t.Context(), []byte(chainIDRequest))), "0x7a69", "nothing was set")
}

// Ensure the faults of an endpoint take only so many bytes together, until they are cleared.
func TestFaultsCountBytes(t *testing.T) {
	t.Parallel()
	s := newToy(t, Config{}, newStub().table())
	large := Fault{Method: "test_raw", Error: &Error{Code: 1, Message: strings.Repeat("a", maxFaults/2), Data: "b"}}
	require.NoError(t, s.main.Fail(large))
	require.ErrorContains(t, s.main.Fail(large), "the faults would take more than 16777216 bytes")
	s.main.ClearFaults()
	require.NoError(t, s.main.Fail(large))
}
