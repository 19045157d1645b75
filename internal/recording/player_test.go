package recording_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/recording"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// read returns the recording of some events, which begin on line 2, by a node at localhost:1.
func read(t *testing.T, events ...string) *recording.Recording {
	t.Helper()
	r, err := recording.Read(strings.NewReader(`fakenode recording 1 {"host":"localhost:1","flags":[]}` + "\n" + strings.Join(events, "\n") + "\n"))
	require.NoError(t, err)
	return r
}

// replay serves a recording of events and returns the address.
func replay(t *testing.T, events ...string) string {
	t.Helper()
	server := jsonrpc.New(jsonrpc.Config{Route: recording.NewPlayer(read(t, events...)).Route})
	require.NoError(t, server.Listen("127.0.0.1:0"))
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return strings.TrimPrefix(server.URL("http"), "http://")
}

// ask sends a request and returns the answer: status, kind of content and text.
func ask(t *testing.T, method, address, path, body string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, "http://"+address+path, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return fmt.Sprintf("%d [%s] %s", response.StatusCode, response.Header.Get("Content-Type"), text)
}

// Ensure requests are answered as they were recorded, whatever the ids, paths and order of the client.
func TestPlayerOverHTTP(t *testing.T) {
	t.Parallel()
	address := replay(t,
		`1.000000000 / http:1 > {"id":1,"method":"a"}`,
		`1.000000000 / http:2 > {"id":2,"method":"b"}`,
		`1.000000000 / http:2 < {"jsonrpc":"2.0","id":2,"result":"b"}`,
		`1.000000000 / http:1 < {"jsonrpc":"2.0","id":1,"result":"a"}`,
		`1.000000000 / http:3 > {"id":3,"method":"a"}`,
		`1.000000000 / http:3 <503 "injected fault: Service Unavailable\n"`,
		`1.000000000 / http:4 > {"method":"told"}`,
		`1.000000000 / http:4 <204`,
		`1.000000000 / http:5 > [{"id":1,"method":"a"},{"method":"told"},{"id":"x","method":"b"}]`,
		`1.000000000 / http:5 < [{"jsonrpc":"2.0","id":1,"result":1},{"jsonrpc":"2.0","id":"x","result":2}]`,
		`1.000000000 / http:6 > {"id":6,"method":"limited"}`,
		`1.000000000 / http:6 <429 {"jsonrpc":"2.0","id":6,"error":{"code":-32005,"message":"too many"}}`,
		`1.000000000 / http:7 > no JSON`,
		`1.000000000 / http:7 < {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`,
		`1.000000000 / http:8 > {"id":8,"method":"short"}`,
		`1.000000000 / http:8 < {"jsonrpc":"2.0","id":8,"res`,
		`1.000000000 /w/7/testnet http:1 > {"id":1,"method":"a"}`,
		`1.000000000 /w/7/testnet http:1 < {"jsonrpc":"2.0","id":1,"result":"another network's"}`,
	)
	const (
		isJSON, unknown = "200 [application/json] ", `"error":{"code":-32000,"message":"this was not recorded"}}`
		text            = " [text/plain; charset=utf-8] "
	)
	for _, c := range []struct{ path, message, want string }{
		{"/", `{"method":"b","id":"mine"}`, isJSON + `{"jsonrpc":"2.0","id":"mine","result":"b"}`},
		{"/", `{"id":7,"method":"a"}`, isJSON + `{"jsonrpc":"2.0","id":7,"result":"a"}`},
		{"/", `{"id":8,"method":"a"}`, "503 [] " + "injected fault: Service Unavailable\n"},
		{"/", `{"id":9,"method":"a"}`, "503 [] " + "injected fault: Service Unavailable\n"},
		{"/", `{"id":9,"method":"b"}`, isJSON + `{"jsonrpc":"2.0","id":9,"result":"b"}`},
		{"/", `{"method":"told"}`, "204 [] "},
		{"/", `{"id":null,"method":"told"}`, isJSON + `{"jsonrpc":"2.0","id":null,` + unknown},
		{"/", `[{"id":5,"method":"a"},{"method":"told"},{"id":6,"method":"b"}]`, isJSON + `[{"jsonrpc":"2.0","id":5,"result":1},{"jsonrpc":"2.0","id":6,"result":2}]`},
		{"/", `[{"id":5,"method":"a"},{"id":6,"method":"b"}]`, isJSON + `{"jsonrpc":"2.0","id":5,` + unknown},
		{"/", `[{"method":"a"}]`, isJSON + `{"jsonrpc":"2.0","id":null,` + unknown},
		{"/", `[]`, isJSON + `{"jsonrpc":"2.0","id":null,` + unknown},
		{"/", `{"id":1,"method":"limited"}`, `429 [application/json] {"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"too many"}}`},
		{"/", `no JSON`, isJSON + `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`},
		{"/", `{"id":1,"method":"short"}`, "200 [] " + `{"jsonrpc":"2.0","id":1,"res`},
		{"/w/7/testnet", `{"id":2,"method":"a"}`, isJSON + `{"jsonrpc":"2.0","id":2,"result":"another network's"}`},
		{"/w/7/testnet/", `{"id":3,"method":"a"}`, isJSON + `{"jsonrpc":"2.0","id":3,"result":"another network's"}`},
		{"/7/testnet", `{"id":4,"method":"a"}`, isJSON + `{"jsonrpc":"2.0","id":4,"result":"another network's"}`},
		{"/7", `{"id":1,"method":"a"}`, "404" + text + "not found: /7\n"},
		{"/testnet", `{"id":1,"method":"a"}`, "404" + text + "not found: /testnet\n"},
	} {
		require.Equal(t, c.want, ask(t, http.MethodPost, address, c.path, c.message), "%s %s", c.path, c.message)
	}
	require.Equal(t, isJSON+`{"status":"ok"}`+"\n", ask(t, http.MethodGet, address, "/health", ""))
	require.Equal(t, "405"+text+"this is the recording of a node: POST JSON-RPC, or open a WebSocket\n", ask(t, http.MethodGet, address, "/", ""))
}

// Ensure a request whose connection was cut is cut again, and that one without an answer waits as it did.
func TestPlayerWithoutAnswer(t *testing.T) {
	t.Parallel()
	address := replay(t,
		`1.000000000 / http:1 > {"id":1,"method":"dropped"}`,
		`1.000000000 / http:2 > {"id":2,"method":"silent"}`,
		`1.000000000 / ws:1 +`,
		`1.000000000 / ws:1 ! {"after":"silent"}`,
		`1.000000000 / http:1 x`,
	)
	post := func(message string) error {
		response, err := http.Post("http://"+address, "application/json", strings.NewReader(message))
		if err == nil {
			_ = response.Body.Close()
		}
		return err
	}
	require.ErrorIs(t, post(`{"id":1,"method":"dropped"}`), io.EOF)

	socket := connect(t, address, "/")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address, strings.NewReader(`{"id":2,"method":"silent"}`))
	require.NoError(t, err)
	answered := make(chan error, 1)
	transport := new(http.Transport)
	go func() {
		response, err := (&http.Client{Transport: transport}).Do(request)
		if err == nil {
			_ = response.Body.Close()
		}
		answered <- err
	}()
	next(t, socket, `{"after":"silent"}`) // the request has come
	require.Empty(t, answered)
}

// connect opens a WebSocket connection to a path.
func connect(t *testing.T, address, path string) *websocket.Conn {
	t.Helper()
	socket, response, err := websocket.DefaultDialer.DialContext(t.Context(), "ws://"+address+path, http.Header{"Origin": {"http://localhost"}})
	require.NoError(t, err)
	_ = response.Body.Close()
	t.Cleanup(func() { _ = socket.Close() })
	return socket
}

// say sends a message and requires the next ones to be those wanted.
func say(t *testing.T, socket *websocket.Conn, message string, wanted ...string) {
	t.Helper()
	require.NoError(t, socket.WriteMessage(websocket.TextMessage, []byte(message)))
	next(t, socket, wanted...)
}

// next requires the next messages to be those wanted.
func next(t *testing.T, socket *websocket.Conn, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		_, message, err := socket.ReadMessage()
		require.NoError(t, err, want)
		require.Equal(t, want, string(message))
	}
}

// Ensure WebSocket connections get what was recorded on them, each message as soon as the one before it in the
// recording has come, an answer with its own message, and the end that the recorded connection had.
func TestPlayerOverWebSocket(t *testing.T) {
	t.Parallel()
	address := replay(t,
		`1.000000000 /testnet ws:9 ! {"of":"a connection without its beginning"}`,
		`1.000000000 / ws:1 +`,
		`1.000000000 / ws:1 ! {"n":"welcome"}`,
		`1.000000000 / ws:1 > {"id":1,"method":"eth_subscribe"}`,
		`1.000000000 / ws:1 < {"jsonrpc":"2.0","id":1,"result":"0x1"}`,
		`1.000000000 /testnet ws:1 +`,
		`1.000000000 / ws:2 +`,
		`1.000000000 / http:1 > {"id":1,"method":"seal"}`,
		`1.000000000 / ws:1 ! {"n":1}`,
		`1.000000000 /testnet ws:1 ! {"n":"testnet"}`,
		`1.000000000 / ws:2 ! {"n":"second"}`,
		`1.000000000 / ws:1 ! {"n":2}`,
		`1.000000000 / http:1 < {"jsonrpc":"2.0","id":1,"result":null}`,
		`1.000000000 / ws:1 > {"id":2,"method":"slow"}`,
		`1.000000000 / ws:1 > {"id":2,"method":"other"}`,
		`1.000000000 / ws:1 < {"jsonrpc":"2.0","id":2,"result":"slow"}`,
		`1.000000000 / ws:1 < {"jsonrpc":"2.0","id":2,"result":"other"}`,
		`1.000000000 / ws:1 > {"id":3,"method":"unanswered"}`,
		`1.000000000 / http:2 > {"id":2,"method":"end"}`,
		`1.000000000 / ws:1 x 1013 too slow: 9 waiting`,
		`1.000000000 / ws:2 x 1006 `,
		`1.000000000 /testnet ws:1 x broken`,
		`1.000000000 / http:2 < {"jsonrpc":"2.0","id":2,"result":null}`,
	)
	const unknown = `,"error":{"code":-32000,"message":"this was not recorded"}}`
	first, testnet := connect(t, address, "/"), connect(t, address, "/testnet")
	next(t, first, `{"n":"welcome"}`)
	say(t, first, `{"id":7,"method":"eth_unsubscribe"}`, `{"jsonrpc":"2.0","id":7`+unknown)
	say(t, first, `no JSON`, `{"jsonrpc":"2.0","id":null`+unknown)
	say(t, first, `{"id":"s","method":"eth_subscribe"}`, `{"jsonrpc":"2.0","id":"s","result":"0x1"}`)
	say(t, first, `{"id":"again","method":"eth_subscribe"}`, `{"jsonrpc":"2.0","id":"again","result":"0x1"}`)
	require.Contains(t, ask(t, http.MethodPost, address, "/", `{"id":1,"method":"seal"}`), `"result":null`)
	next(t, first, `{"n":1}`, `{"n":2}`)
	next(t, testnet, `{"n":"testnet"}`)
	second := connect(t, address, "/") // late
	next(t, second, `{"n":"second"}`)

	// The answer to the first of two messages waits for it though the second one has come.
	say(t, first, `{"id":5,"method":"other"}`, `{"jsonrpc":"2.0","id":5,"result":"other"}`)
	say(t, first, `{"id":6,"method":"slow"}`, `{"jsonrpc":"2.0","id":6,"result":"slow"}`)
	say(t, first, `{"id":7,"method":"unanswered"}`)
	say(t, first, `{"id":8,"method":"unanswered"}`)
	say(t, first, `{"id":9,"method":"other"}`, `{"jsonrpc":"2.0","id":9,"result":"other"}`)

	require.Contains(t, ask(t, http.MethodPost, address, "/", `{"id":2,"method":"end"}`), `"result":null`)
	_, _, err := first.ReadMessage()
	require.EqualError(t, err, "websocket: close 1013: too slow: 9 waiting")
	for _, socket := range []*websocket.Conn{second, testnet} {
		_, _, err = socket.ReadMessage()
		require.True(t, websocket.IsCloseError(err, websocket.CloseAbnormalClosure), err)
	}
	third := connect(t, address, "/") // more than were recorded
	say(t, third, `{"id":2,"method":"other"}`, `{"jsonrpc":"2.0","id":2`+unknown)
}
