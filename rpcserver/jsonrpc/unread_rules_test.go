package jsonrpc

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// Ensure the bytes of news count once while somebody waits for it, also those that are added later, and each entry
// 64.
func TestBytesOfNews(t *testing.T) {
	t.Parallel()
	b := &backlog{limit: 200}
	news := new(News)
	news.Add([]json.RawMessage{json.RawMessage("12345"), json.RawMessage("67")})
	require.Zero(t, b.bytes.Load())
	news.hold(b)
	require.EqualValues(t, 64+7, b.bytes.Load())
	news.hold(b)
	require.EqualValues(t, 2*64+7, b.bytes.Load())
	news.Add([]json.RawMessage{json.RawMessage("890")})
	require.EqualValues(t, 2*64+10, b.bytes.Load())
	news.release()
	require.EqualValues(t, 64+10, b.bytes.Load())
	news.release()
	require.Zero(t, b.bytes.Load())
	news.Add([]json.RawMessage{json.RawMessage("1")})
	require.Zero(t, b.bytes.Load(), "nobody waits")
	news.hold(b)
	require.EqualValues(t, 64+11, b.bytes.Load())

	for _, test := range []struct {
		bytes, unfinished int
		over, full        bool
	}{
		{200, 0, false, false}, {201, 0, true, true}, {100, 100, false, false}, {101, 100, false, true}, {0, 100, false, false}, {0, 101, false, true},
	} {
		b := &backlog{limit: 200}
		b.add(test.bytes)
		b.addUnfinished(test.unfinished)
		require.Equal(t, []bool{test.over, test.full}, []bool{b.over(), b.full()}, "%+v", test)
	}
}

// Ensure a buffer counts at most one and a half times its contents, and keeps nothing when it is given back.
func TestMemoryOfBuffers(t *testing.T) {
	t.Parallel()
	b := &buffer{bytes: make([]byte, 100, 1000)}
	require.Equal(t, []int{100, 150}, []int{b.size(), b.memory()})
	b = &buffer{bytes: make([]byte, 100, 120)}
	require.Equal(t, []int{100, 120}, []int{b.size(), b.memory()})
	b = &buffer{full: [][]byte{make([]byte, 1000, 1100), make([]byte, 10)}, bytes: make([]byte, 5)}
	require.Equal(t, []int{1015, 1115}, []int{b.size(), b.memory()})
	b.split()
	require.Len(t, b.full, 2)
	b.bytes = make([]byte, 1<<20)
	b.split()
	require.Len(t, b.full, 3)
	require.Empty(t, b.bytes)
	written := 0
	short := func(p []byte) (int, error) {
		written += len(p)
		return len(p), io.ErrShortWrite
	}
	require.ErrorIs(t, b.write(short), io.ErrShortWrite)
	require.Equal(t, 1000, written, "nothing after what failed")
	b.release()
	require.Zero(t, b.size())
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

// Ensure the limit of a body's time is that of the body alone, also where it comes in chunks and through a server of
// the caller's.
func TestSlowChunks(t *testing.T) {
	t.Parallel()
	limits := Limits{BodyTimeout: 100 * time.Millisecond}
	ours := listen(t, Config{Limits: limits}, newStub().table())
	toy := newToy(t, Config{Limits: limits}, newStub().table())
	theirs := httptest.NewServer(toy)
	defer theirs.Close()
	const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, server := range []struct {
		url  string
		main *Endpoint
	}{{ours.URL("http"), ours.main}, {theirs.URL, toy.main}} {
		slow := dialRaw(t, server.url)
		slow.send(head + "2e\r\n{")
		answer := slow.answer()
		require.Contains(t, answer, "408 Request Timeout")
		require.Contains(t, answer, "close true")
		require.Contains(t, answer, "body too slow")

		require.NoError(t, server.main.Fail(Fault{Method: "test_chain", Latency: 300 * time.Millisecond}))
		quick := dialRaw(t, server.url)
		quick.send(head + "2e\r\n" + chainCall + "\r\n0\r\n\r\n")
		require.Contains(t, quick.answer(), toyChain)
	}
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
	only := func() (c *connection) {
		server.main.mu.Lock()
		defer server.main.mu.Unlock()
		for c = range server.main.connections {
		}
		return c
	}()
	require.Eventually(t, func() bool {
		only.mu.Lock()
		defer only.mu.Unlock()
		return only.inboxSize > 0
	}, time.Minute, time.Millisecond)
	close(end)
	require.Contains(t, receive(t, ws), "true")
	for range 2000 {
		require.Contains(t, receive(t, ws), toyChain)
		only.mu.Lock()
		size := only.inboxSize
		only.mu.Unlock()
		require.LessOrEqual(t, size, 10_000)
	}
	require.NoError(t, <-sent)
	require.NoError(t, server.Close()) // waits until all that was written is counted
	only.mu.Lock()
	defer only.mu.Unlock()
	require.Zero(t, only.inboxSize)
	require.Zero(t, only.unsent)
	require.Zero(t, only.notified)
	require.Zero(t, only.unsentAnswers)
}

// Ensure a client over which the server says goodbye is cut off once its time is over, if it does not hang up.
func TestFarewellsAreShortened(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{}, newStub().table())
	require.NoError(t, server.Listen("127.0.0.1:0"))
	ws, _, err := websocket.DefaultDialer.Dial(server.URL("ws"), nil)
	require.NoError(t, err)
	defer ws.Close()
	require.Contains(t, ask(t, ws, chainCall), toyChain)
	_, err = server.main.Disconnect(Disconnection{Code: 4000}) // the client may take long to hang up
	require.NoError(t, err)
	require.Nil(t, server.slowest(), "it is closed")
	for range 3 {
		cut, err := server.main.Disconnect(Disconnection{})
		require.NoError(t, err)
		require.Zero(t, cut, "once")
	}
	began := time.Now()
	require.NoError(t, server.Close(), "and then not")
	require.Less(t, time.Since(began), lastReadWait/2)
}
