package post

import (
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	ping = "POST /mine HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nping"
	page = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
)

// echoBody answers with the body, and fails a test where an answer is not of the kind that the request should have.
func echoBody(w http.ResponseWriter, req *http.Request) {
	if _, ours := w.(*answer); ours != (req.Method == http.MethodPost) {
		panic("an answer of the wrong kind")
	}
	_, _ = io.Copy(w, req.Body)
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return conn
}

// Ensure a connection over which no whole head comes in time is closed, with net/http's answer.
func TestSilentConnectionIsClosed(t *testing.T) {
	t.Parallel()
	const patience = 400 * time.Millisecond // a slow machine sends and reads within it
	address := serving(t, &http.Server{ReadHeaderTimeout: patience}, http.NotFound).Addr().String()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	alone := &http.Server{ReadHeaderTimeout: patience}
	go func() { _ = alone.Serve(listener) }()
	t.Cleanup(func() { _ = alone.Close() })
	for _, beginning := range []string{"", "P", ping[:30], page[:20]} {
		var answers []string
		for _, address := range []string{address, listener.Addr().String()} {
			conn := dial(t, address)
			_, err := io.WriteString(conn, beginning)
			require.NoError(t, err)
			answer, err := io.ReadAll(conn)
			require.NoError(t, err)
			answers = append(answers, string(answer))
		}
		require.Equal(t, answers[1], answers[0], "%q", beginning)
	}
}

// Ensure a connection stays open behind an answer, and may go over to net/http then.
func TestConnectionStaysBehindAnswer(t *testing.T) {
	t.Parallel()
	const patience = 400 * time.Millisecond // a slow machine sends and reads within it
	conn := dial(t, serving(t, &http.Server{ReadHeaderTimeout: patience}, echoBody).Addr().String())
	for _, request := range []string{ping, ping, page} {
		_, body := exchange(t, conn, request)
		require.Equal(t, request == ping, body == "ping")
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(3*patience)))
		_, err := conn.Read(make([]byte, 1))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.NoError(t, conn.SetReadDeadline(time.Time{}))
	}
}

// Ensure a handler that panics ends its connection without an answer and is logged with the client and the stack, as
// by net/http, and that one which aborts is not.
func TestHandlerPanics(t *testing.T) {
	t.Parallel()
	for crash, logged := range map[any]bool{"no such thing": true, http.ErrAbortHandler: false} {
		var written bytes.Buffer
		server := &http.Server{ErrorLog: log.New(&written, "", 0)}
		own := serving(t, server, func(http.ResponseWriter, *http.Request) { panic(crash) })
		conn := dial(t, own.Addr().String())
		_, err := io.WriteString(conn, ping)
		require.NoError(t, err)
		answer, err := io.ReadAll(conn)
		require.NoError(t, err)
		require.Empty(t, answer)
		require.NoError(t, server.Close())
		own.Drain() // whatever is logged has been
		if logged {
			require.Contains(t, written.String(), "http: panic serving "+conn.LocalAddr().String()+": no such thing\ngoroutine ")
			require.Contains(t, written.String(), "TestHandlerPanics")
		} else {
			require.Empty(t, written.String())
		}
	}
}
