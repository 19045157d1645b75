package jsonrpc

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
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
	status, _ := postJSON(t, server.URL("http"), chainIDRequest)
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, server.Close())
	require.Empty(t, server.answers)
	require.Zero(t, server.backlog.bytes.Load())
}

// Ensure clients over HTTP and WebSocket that never read are held no more answers than is allowed, and that another
// client's requests are answered between theirs.
func TestManyClientsThatNeverRead(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: 60 sockets with full buffers")
	}
	t.Parallel()
	const clients, size, most = 60, 8 << 20, 64 << 20
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
		require.Contains(t, ask(t, reader, chainIDRequest), toyChain)
		held := server.backlog.bytes.Load()
		require.LessOrEqual(t, held, int64(most+4*size), "after %d clients", i+1) // some are just being counted
	}
	require.NotEmpty(t, lines, "some were cut off")
}
