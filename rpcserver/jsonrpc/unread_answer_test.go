package jsonrpc

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure unread answers over HTTP count among the unread bytes of all clients, that the client with the longest is cut
// off first, and that another one gets its answer whole.
func TestUnreadAnswersOverHTTP(t *testing.T) {
	t.Parallel()
	const most, shorter, longer = 64 << 20, 30 << 20, 40 << 20
	lines := make(chan string, 10)
	server := listen(t, Config{
		Log: slog.New(slog.NewTextHandler(lineWriter(lines), nil)), Limits: Limits{MaxBody: most, SubscribersMemory: most},
	}, newStub().table())
	ask := func(size int) (*http.Response, error) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL("http"), "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		body := `{"jsonrpc":"2.0","id":1,"method":"test_raw","params":["` + strings.Repeat("x", size) + `"]}`
		_, err = fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		require.NoError(t, err)
		return http.ReadResponse(bufio.NewReader(conn), nil)
	}
	kept, err := ask(shorter)
	require.NoError(t, err, "begun, most of it still with the server")
	defer kept.Body.Close()
	cut, err := ask(longer)
	if err == nil {
		_, err = io.Copy(io.Discard, cut.Body)
		require.NoError(t, cut.Body.Close())
	}
	require.Error(t, err)
	line := <-lines
	require.Contains(t, line, "HTTP client cut off")
	require.Contains(t, line, fmt.Sprintf("all clients together have more than %d bytes unread", most))
	read, err := io.Copy(io.Discard, kept.Body)
	require.NoError(t, err)
	require.Greater(t, read, int64(shorter))
	status, _ := postJSON(t, server.URL("http"), chainCall)
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, server.Close())
	require.Empty(t, server.answers)
	require.Zero(t, server.backlog.bytes.Load())
}

// Ensure clients over HTTP and WebSocket that never read are held no more answers than is allowed, and that another
// client's requests are answered between theirs.
func TestManyClientsThatNeverRead(t *testing.T) {
	t.Parallel()
	const size, most = 8 << 20, 64 << 20
	clients := laboratory.Budget(t, 20, 60)
	answer := rawResult(`"` + strings.Repeat("x", size) + `"`)
	answered, lines := make(chan struct{}, clients), make(chan string, clients)
	server := listen(t, Config{Log: slog.New(slog.NewTextHandler(lineWriter(lines), nil)), Limits: Limits{SubscribersMemory: most}}, map[string]Method[*Request]{
		"test_long":  Params0(func(*Request) (any, error) { answered <- struct{}{}; return answer, nil }),
		"test_chain": Params0(func(*Request) (any, error) { return toyChain, nil }),
	})
	const long = `{"jsonrpc":"2.0","id":1,"method":"test_long"}`
	reader := dial(t, server)
	dialer := websocket.Dialer{NetDial: func(network, address string) (net.Conn, error) {
		conn, err := net.Dial(network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(1 << 12) // the system then takes little for the client
		}
		return conn, err
	}}
	for i := range clients {
		if i%2 == 0 {
			conn, err := dialer.NetDial("tcp", strings.TrimPrefix(server.URL("http"), "http://"))
			require.NoError(t, err)
			t.Cleanup(func() { _ = conn.Close() })
			_, err = fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(long), long)
			require.NoError(t, err)
		} else {
			ws, _, err := dialer.Dial(server.URL("ws"), nil)
			require.NoError(t, err)
			t.Cleanup(func() { _ = ws.Close() })
			require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(long)))
		}
		<-answered
		require.Contains(t, ask(t, reader, chainCall), toyChain)
		held := server.backlog.bytes.Load()
		require.LessOrEqual(t, held, int64(most+4*size), "after %d clients", i+1) // some are just being counted
	}
	require.NotEmpty(t, lines, "some were cut off")
}

// Ensure a client that gets no answer to what it sends cannot make the node keep more messages than one of the
// largest, and gets all answers in the end.
func TestMessagesAhead(t *testing.T) {
	t.Parallel()
	stub := newStub()
	table := stub.table()
	end := make(chan struct{})
	table["test_busy"] = Params0(func(*Request) (any, error) {
		stub.waiting <- struct{}{}
		<-end
		return true, nil
	})
	server := listen(t, Config{Limits: Limits{MaxMessage: 10_000}}, table)
	ws := dial(t, server)
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"test_busy"}`)))
	<-stub.waiting
	long := chainCall + strings.Repeat(" ", 5000)
	sent := make(chan error, 1)
	go func() {
		var err error
		for i := 0; i < 2000 && err == nil; i++ { // more than the system takes
			err = ws.WriteMessage(websocket.TextMessage, []byte(long))
		}
		sent <- err
	}()
	server.main.mu.Lock()
	var only *connection
	for only = range server.main.connections {
	}
	server.main.mu.Unlock()
	ahead := func() int {
		only.mu.Lock()
		defer only.mu.Unlock()
		return only.inboxSize
	}
	for ahead() == 0 {
		runtime.Gosched()
	}
	close(end)
	require.Contains(t, receive(t, ws), "true")
	for range 2000 {
		require.Contains(t, receive(t, ws), toyChain)
		require.LessOrEqual(t, ahead(), 10_000)
	}
	require.NoError(t, <-sent)
	require.NoError(t, server.Close()) // waits until all that was written is counted
	require.Zero(t, ahead())
	require.Zero(t, server.backlog.bytes.Load())
}
