package jsonrpc

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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

// Ensure what a client leaves of a body, or how it breaks off, is answered with the reason.
func TestBodiesThatEndEarly(t *testing.T) {
	t.Parallel()
	limits := Limits{MaxBody: 200_000}.Filled()
	read := func(length int64, in io.Reader) ([]byte, error) {
		req := httptest.NewRequest(http.MethodPost, "/", in)
		req.ContentLength = length
		return limits.readBody([]byte("")[:0], httptest.NewRecorder(), req)
	}
	text := strings.Repeat("x", 200_000)
	var tooLarge *http.MaxBytesError
	for _, length := range []int64{-1, 200_000} {
		body, err := read(length, strings.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, text, string(body))
	}
	_, err := read(-1, strings.NewReader(text+"y"))
	require.ErrorAs(t, err, &tooLarge)
	require.EqualValues(t, 200_000, tooLarge.Limit)
	_, err = read(200_001, strings.NewReader(""))
	require.ErrorAs(t, err, &tooLarge)
	for _, length := range []int64{10, 199_999} {
		_, err = read(length, strings.NewReader("123456789"))
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	}
	_, err = read(-1, io.MultiReader(strings.NewReader("1"), brokenReader{}))
	require.ErrorIs(t, err, io.ErrClosedPipe)

	server := listen(t, Config{}, newStub().table())
	conn := dialRaw(t, server.URL("http"))
	conn.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
	require.Regexp(t, "400 Bad Request .* reading the body: ", strings.ReplaceAll(conn.answer(), "\n", " "))
}

// brokenReader fails to read.
type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Ensure the limit of a body's time is that of the body alone, also through a server of the caller's: a slow body is cut
// off with 408, and a call may take longer than its body.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	const chunk = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2e\r\n"
	each := func(limit time.Duration, check func(url string, main *Endpoint)) {
		config := Config{Limits: Limits{BodyTimeout: limit}}
		ours := listen(t, config, newStub().table())
		check(ours.URL("http"), ours.main)
		toy := newToy(t, config, newStub().table())
		theirs := httptest.NewServer(toy)
		defer theirs.Close()
		check(theirs.URL, toy.main)
	}
	each(20*time.Millisecond, func(url string, _ *Endpoint) {
		for _, request := range []string{chunk + "{", strings.TrimSuffix(postOf(chainCall), "}")} {
			slow := dialRaw(t, url)
			slow.send(request)
			require.Regexp(t, "(?s)^408 Request Timeout.* close true .*body too slow", slow.answer())
			_, err := slow.in.ReadByte()
			require.ErrorIs(t, err, io.EOF)
		}
	})
	each(time.Second, func(url string, main *Endpoint) {
		require.NoError(t, main.Fail(Fault{Method: "test_chain", Latency: 1010 * time.Millisecond}))
		quick := dialRaw(t, url)
		quick.send(chunk + chainCall + "\r\n0\r\n\r\n")
		require.Contains(t, quick.answer(), toyChain)
	})
}
