package jsonrpc

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Ensure a body that does not arrive in time is cut off with 408, and that the connection ends.
func TestSlowBodyIsCutOff(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{Limits: Limits{BodyTimeout: 20 * time.Millisecond}}, newStub().table())
	host := strings.TrimPrefix(server.URL("http"), "http://")
	conn, err := net.Dial("tcp", host)
	require.NoError(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", host)
	require.NoError(t, err)
	in := bufio.NewReader(conn)
	answer, err := http.ReadResponse(in, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusRequestTimeout, answer.StatusCode)
	_, err = io.Copy(io.Discard, answer.Body)
	require.NoError(t, err)
	_, err = in.ReadByte()
	require.ErrorIs(t, err, io.EOF)
}

// Ensure the limit of a body's time does not end a call that takes longer than it.
func TestBodyTimeoutIsNotThatOfTheCall(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{Limits: Limits{BodyTimeout: 20 * time.Millisecond}}, newStub().table())
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", Latency: 100 * time.Millisecond}))
	_, text := postJSON(t, server.URL("http"), `{"jsonrpc":"2.0","id":1,"method":"test_chain"}`)
	require.Contains(t, text, "0x7a69")
}

// thriftyBody is a body that fails the test if a read gets much more memory than the bytes read so far.
type thriftyBody struct {
	t    *testing.T
	in   io.Reader
	read int
}

func (b *thriftyBody) Read(p []byte) (int, error) {
	if len(p) > 2*b.read+2*bodyStep {
		b.t.Errorf("memory for %d bytes after %d have arrived", len(p), b.read)
	}
	n, err := b.in.Read(p)
	b.read += n
	return n, err
}

func (b *thriftyBody) Close() error { return nil }

// Ensure a declared Content-Length gets memory only as its bytes arrive.
func TestDeclaredLengthIsNotAllocated(t *testing.T) {
	t.Parallel()
	const size = 8 << 20
	limits := Limits{}.Filled()
	for _, sent := range []int{0, 10, size} {
		req := httptest.NewRequest(http.MethodPost, "/", nil)
		req.ContentLength = size
		req.Body = &thriftyBody{t: t, in: strings.NewReader(strings.Repeat("x", sent))}
		body, err := limits.readBody(nil, httptest.NewRecorder(), req)
		if sent == size {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		}
		require.Len(t, body, sent)
		require.LessOrEqual(t, cap(body), 2*sent+2*bodyStep)
	}
}
