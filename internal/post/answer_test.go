package post

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// serving serves a handler behind a Listener until the test ends, and returns the Listener.
func serving(t *testing.T, server *http.Server, handler http.HandlerFunc) *Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server.Handler = handler
	own := Listen(listener, server, func(*http.Request) bool { return true })
	served := make(chan error)
	go func() { served <- server.Serve(own) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-served, http.ErrServerClosed)
		own.Drain()
		require.Empty(t, own.connections, "nothing is kept of a connection that has ended")
	})
	return own
}

// posting returns a POST with a body.
func posting(body string) string {
	return "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

// exchange sends a request over a connection and returns the answer with its body.
func exchange(t *testing.T, conn net.Conn, request string) (*http.Response, string) {
	t.Helper()
	_, err := io.WriteString(conn, request)
	require.NoError(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer, string(body)
}

// Ensure an answer has its status, date and length, and the body as it was written, of any size and in any parts, with
// a length of its own or not.
func TestAnswers(t *testing.T) {
	t.Parallel()
	own := serving(t, &http.Server{}, func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		if status := req.Header.Get("Status"); status != "" {
			code, _ := strconv.Atoi(status)
			w.WriteHeader(code)
			w.WriteHeader(http.StatusTeapot) // only the first one counts
		}
		if req.Header.Get("Sized") != "" {
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		}
		size, _ := strconv.Atoi(req.Header.Get("Part"))
		for part := range strings.SplitSeq(string(body), "|") {
			for len(part) > 0 {
				n, err := io.WriteString(w, part[:min(size, len(part))])
				if err != nil || n != min(size, len(part)) {
					panic(http.ErrAbortHandler)
				}
				part = part[n:]
			}
		}
	})
	conn := dial(t, own.Addr().String())
	for _, size := range []int{1, 4095, 4096, 4097, 70_000} {
		for _, part := range []int{1000, 4096, 4097, 80_000} {
			for _, fields := range []string{"", "Sized: 1\r\n", "Status: 404\r\n"} {
				body := strings.Repeat("b", size)
				request := strings.Replace(posting(body), "\r\n\r\n", "\r\n"+fields+"Part: "+strconv.Itoa(part)+"\r\n\r\n", 1)
				answer, got := exchange(t, conn, request)
				require.Equal(t, body, got)
				require.EqualValues(t, size, answer.ContentLength)
				require.Equal(t, strings.Contains(fields, "404"), answer.Status == "404 Not Found")
				require.False(t, answer.Close)
				at, err := http.ParseTime(answer.Header.Get("Date"))
				require.NoError(t, err)
				require.InDelta(t, time.Now().Unix(), at.Unix(), 60)
			}
		}
	}
	empty, got := exchange(t, conn, strings.Replace(posting("|"), "\r\n\r\n", "\r\nStatus: 204\r\n\r\n", 1))
	require.Equal(t, "204 No Content", empty.Status)
	require.Empty(t, empty.Header["Content-Length"])
	require.Empty(t, got)
	empty, _ = exchange(t, conn, posting("|"))
	require.Equal(t, []string{"0"}, empty.Header["Content-Length"])
	require.Equal(t, "200 OK", empty.Status)
}

// Ensure a client gets the answer to a body that is not read: it may go on where the rest had come already, and the
// connection ends where it had not, or where the handler says so.
func TestUnreadBodies(t *testing.T) {
	t.Parallel()
	own := serving(t, &http.Server{}, func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("End") != "" {
			w.Header().Set("Connection", "close")
		}
		_, _ = io.WriteString(w, "no need")
	})
	conn := dial(t, own.Addr().String())
	for range 3 {
		answer, got := exchange(t, conn, posting("short"))
		require.Equal(t, "no need", got)
		require.False(t, answer.Close)
	}
	for _, request := range []string{posting("lost")[:len(posting("lost"))-1], posting("x")[:len(posting("x"))-1], strings.Replace(posting("x"), "\r\n\r\n", "\r\nEnd: 1\r\n\r\n", 1)} {
		conn := dial(t, own.Addr().String())
		answer, got := exchange(t, conn, request)
		require.Equal(t, "no need", got)
		require.True(t, answer.Close)
		_, err := conn.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
	}
}

// Ensure deadlines that a handler sets hold: of reading for a body that has not come whole alone, and of writing.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	type result struct{ read, reset, write error }
	results := make(chan result, 1)
	own := serving(t, &http.Server{}, func(w http.ResponseWriter, req *http.Request) {
		var is result
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Unix(1, 0))
		_, is.read = io.ReadAll(req.Body)
		_ = control.SetReadDeadline(time.Time{})
		if req.Header.Get("Late") != "" {
			_ = control.SetWriteDeadline(time.Unix(1, 0))
		}
		w.Header().Set("Content-Length", "2")
		_, is.write = io.WriteString(w, "a")
		if is.write == nil {
			_, is.write = io.WriteString(w, "b")
		} else {
			_, again := io.WriteString(w, "b")
			is.reset = again
		}
		results <- is
	})
	conn := dial(t, own.Addr().String())
	for range 2 {
		_, got := exchange(t, conn, posting("whole"))
		require.Equal(t, "ab", got)
		require.Equal(t, result{}, <-results)
	}
	cut := posting("whole")
	answer, got := exchange(t, conn, cut[:len(cut)-1])
	require.Equal(t, "ab", got)
	require.ErrorIs(t, (<-results).read, os.ErrDeadlineExceeded)
	require.Equal(t, "2", answer.Header.Get("Content-Length"))

	conn = dial(t, own.Addr().String())
	_, err := io.WriteString(conn, strings.Replace(cut, "\r\n\r\n", "\r\nLate: 1\r\n\r\n", 1))
	require.NoError(t, err)
	all, err := io.ReadAll(conn)
	require.NoError(t, err)
	require.Empty(t, all)
	late := <-results
	require.ErrorIs(t, late.write, os.ErrDeadlineExceeded)
	require.Equal(t, late.write, late.reset, "nothing is sent behind what was not")
}

// Ensure a connection that asks nothing for the idle time is closed, and the time to send a head does not count behind
// an answer.
func TestIdleConnectionIsClosed(t *testing.T) {
	t.Parallel()
	for _, server := range []*http.Server{{IdleTimeout: 50 * time.Millisecond}, {ReadHeaderTimeout: time.Hour, ReadTimeout: 50 * time.Millisecond}, {IdleTimeout: 1}} {
		own := serving(t, server, func(http.ResponseWriter, *http.Request) {})
		conn := dial(t, own.Addr().String())
		_, _ = exchange(t, conn, posting("x"))
		_, err := conn.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
	}
}

// Ensure the end of the base context ends connections that wait for a request, and others once it is answered.
func TestBaseContextEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	begun, goOn := make(chan struct{}), make(chan struct{})
	server := &http.Server{BaseContext: func(net.Listener) context.Context { return ctx }}
	own := serving(t, server, func(w http.ResponseWriter, req *http.Request) {
		if body, _ := io.ReadAll(req.Body); string(body) == "slow" {
			begun <- struct{}{}
			<-goOn
		}
		_, _ = io.WriteString(w, "done")
	})
	fresh, idle, busy := dial(t, own.Addr().String()), dial(t, own.Addr().String()), dial(t, own.Addr().String())
	_, _ = exchange(t, idle, posting("x"))
	_, err := io.WriteString(busy, posting("slow"))
	require.NoError(t, err)
	<-begun
	cancel()
	for _, conn := range []net.Conn{fresh, idle} {
		rest, err := io.ReadAll(conn)
		require.NoError(t, err)
		require.Empty(t, rest)
	}
	close(goOn)
	_, got := exchange(t, busy, "")
	require.Equal(t, "done", got)
	_, err = busy.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
	own.Drain()
}

// Ensure the context of a call ends when its client leaves, also a client that had sent more.
func TestClientLeaves(t *testing.T) {
	t.Parallel()
	ended, begun := make(chan error, 4), make(chan struct{}, 4)
	own := serving(t, &http.Server{}, func(_ http.ResponseWriter, req *http.Request) {
		_, _ = io.ReadAll(req.Body)
		begun <- struct{}{}
		<-req.Context().Done()
		ended <- req.Context().Err()
	})
	for _, more := range []string{"", posting("next")} {
		conn := dial(t, own.Addr().String())
		_, err := io.WriteString(conn, posting("x")+more)
		require.NoError(t, err)
		<-begun
		require.NoError(t, conn.Close())
		require.ErrorIs(t, <-ended, context.Canceled)
	}
}

// broken is a listener whose first Accept fails.
type broken struct {
	net.Listener
	failed bool
}

var errBroken = errors.New("too many open files")

func (b *broken) Accept() (net.Conn, error) {
	if !b.failed {
		b.failed = true
		return nil, errBroken
	}
	return b.Listener.Accept()
}

// Ensure a Listener passes on what fails below it and goes on, hands over other requests, and ends with its
// connections, once.
func TestListenerEnds(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	own := Listen(&broken{Listener: listener}, &http.Server{Handler: http.NotFoundHandler()}, func(*http.Request) bool { return true })
	_, err = own.Accept()
	require.ErrorIs(t, err, errBroken)
	conn := dial(t, listener.Addr().String())
	answer, _ := exchange(t, conn, posting("x"))
	require.Equal(t, "404 Not Found", answer.Status)
	_, err = io.WriteString(conn, page)
	require.NoError(t, err)
	other, err := own.Accept()
	require.NoError(t, err)
	read := make([]byte, len(page))
	_, err = io.ReadFull(other, read)
	require.NoError(t, err)
	require.Equal(t, page, string(read), "unread")
	require.NoError(t, other.Close())

	open, late := dial(t, listener.Addr().String()), dial(t, listener.Addr().String())
	_, _ = exchange(t, open, posting("x"))
	_, _ = exchange(t, late, posting("x"))
	_, err = io.WriteString(late, page)
	require.NoError(t, err)
	require.NoError(t, own.Close())
	require.NoError(t, own.Close())
	_, err = own.Accept()
	require.ErrorIs(t, err, net.ErrClosed)
	for _, conn := range []net.Conn{open, late} {
		rest, _ := io.ReadAll(conn)
		require.Empty(t, rest)
	}
	own.Drain()
	require.Empty(t, own.connections)
	_, err = net.Dial("tcp", listener.Addr().String())
	require.Error(t, err)
}

// Ensure an answer that takes so long that its client is watched comes while that is silent, and so does the next.
func TestLateAnswers(t *testing.T) {
	t.Parallel()
	own := serving(t, &http.Server{}, func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		for c, watched := w.(*answer).connection, false; !watched; runtime.Gosched() {
			c.mu.Lock()
			watched = c.ahead != nil
			c.mu.Unlock()
		}
		_, _ = w.Write(body)
	})
	conn := dial(t, own.Addr().String())
	for _, body := range []string{"first", "second"} {
		_, got := exchange(t, conn, posting(body))
		require.Equal(t, body, got)
	}
}

const (
	ping = "POST /mine HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nping"
	page = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
)

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return conn
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
