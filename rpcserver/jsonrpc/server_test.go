package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

func TestInternalErrorsAreLoggedAndHidden(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	server := listen(t, Config{Log: slog.New(slog.NewTextHandler(&log, nil))}, newStub().table())
	for _, test := range []struct{ method, logged string }{
		{"test_fails", "secret detail"},
		{"test_panics", "at the disco"},
		{"test_badType", "unsupported type"},
	} {
		_, text := postJSON(t, server.URL("http"), `{"jsonrpc":"2.0","id":1,"method":"`+test.method+`","params":[]}`)
		require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}`, text)
		require.Contains(t, log.String(), test.logged)
		require.Contains(t, log.String(), test.method)
	}
	logged := log.String()
	postJSON(t, server.URL("http"), `{"jsonrpc":"2.0","id":1,"method":"test_reverts"}`)
	postJSON(t, server.URL("http"), `{"jsonrpc":"2.0","id":1,"method":"test_unknown"}`)
	require.Equal(t, logged, log.String(), "errors with a code are not logged")
}

type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func TestCloseEndsWaitingCalls(t *testing.T) {
	t.Parallel()
	stub := newStub()
	server := newToy(t, Config{Log: slog.New(slog.DiscardHandler)}, stub.table())
	require.NoError(t, server.Listen("127.0.0.1:0"))
	ws := dial(t, server)
	answers := make(chan string, 3)
	body := `{"jsonrpc":"2.0","id":1,"method":"test_wait"}`
	go func() {
		resp, err := http.Post(server.URL("http"), "application/json", strings.NewReader(body))
		if err == nil {
			text, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			answers <- string(text)
			return
		}
		answers <- "connection closed"
	}()
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(body)))
	go func() {
		_, message, _ := ws.ReadMessage()
		answers <- string(message)
	}()
	go func() { answers <- string(server.main.Call(context.Background(), []byte(body))) }()
	for range 3 {
		<-stub.waiting
	}
	require.NoError(t, server.Close())
	require.NoError(t, server.Close(), "idempotent")
	for range 3 {
		require.NotContains(t, <-answers, `"result"`)
	}
	require.Nil(t, server.main.Call(context.Background(), []byte(body)))
	_, err := net.Dial("tcp", strings.TrimPrefix(server.URL("http"), "http://"))
	require.Error(t, err)
	require.Error(t, server.Listen("127.0.0.1:0"))
}

func TestListenTwiceIsRefused(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, newStub().table())
	require.ErrorContains(t, server.Listen("127.0.0.1:0"), "already listening")
	other := newToy(t, Config{}, newStub().table())
	require.Empty(t, other.URL("http"))
	require.Error(t, other.Listen(strings.TrimPrefix(server.URL("http"), "http://")), "port taken")
	require.NoError(t, other.Close())
}

// Ensure an answer over the limit becomes an error that names the limit, and a batch runs no further calls then.
func TestAnswerLimit(t *testing.T) {
	t.Parallel()
	s := newToy(t, Config{Limits: Limits{MaxAnswer: 1000}}, newStub().table())
	call := func(size int) string {
		return `{"jsonrpc":"2.0","id":1,"method":"test_raw","params":["` + strings.Repeat("a", size) + `"]}`
	}
	require.Contains(t, string(s.main.Call(t.Context(), []byte(call(900)))), "aaa")
	const tooLarge = `"error":{"code":-32000,"message":"answer too large: the limit is 1000 bytes for all results of a request"}`
	require.Contains(t, string(s.main.Call(t.Context(), []byte(call(1000)))), tooLarge)

	var answers []struct {
		Result json.RawMessage
		Error  *Error
	}
	batch := s.main.Call(t.Context(), []byte("["+call(400)+","+call(600)+","+call(200)+"]"))
	require.NoError(t, json.Unmarshal(batch, &answers))
	require.Nil(t, answers[0].Error)
	require.Equal(t, CodeServer, answers[1].Error.Code)
	require.Nil(t, answers[2].Error, "what fits is answered")
}

// Ensure a batch runs no further calls after 8 whose results did not fit.
func TestBatchOfTooLargeAnswersEnds(t *testing.T) {
	t.Parallel()
	ran := 0
	s := newToy(t, Config{Limits: Limits{MaxAnswer: 1000}}, map[string]Method[*Request]{"test_large": Params0(func(*Request) (any, error) {
		ran++
		return strings.Repeat("a", 1000), nil
	})})
	call := `{"jsonrpc":"2.0","id":1,"method":"test_large"}`
	answer := s.main.Call(t.Context(), []byte("["+strings.Repeat(call+",", 99)+call+"]"))
	require.Equal(t, 100, strings.Count(string(answer), "the limit is 1000 bytes"))
	require.Equal(t, 8, ran)
}

// Ensure Close ends although a call ignores the end of its context, and returns an error.
func TestCloseLeavesStubbornCalls(t *testing.T) {
	t.Parallel()
	begun, end := make(chan struct{}), make(chan struct{})
	s := newToy(t, Config{}, map[string]Method[*Request]{"test_stubborn": Params0(func(*Request) (any, error) {
		close(begun)
		<-end
		return true, nil
	})})
	answered := make(chan json.RawMessage)
	go func() {
		answered <- s.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_stubborn"}`))
	}()
	<-begun
	require.ErrorContains(t, s.Close(), "still running after 1.5s")
	close(end)
	require.Contains(t, string(<-answered), "true")
}

// Ensure a limit that is not set has its default, one that is set stays, and a negative one is rejected by its name.
func TestLimits(t *testing.T) {
	t.Parallel()
	require.Equal(t, Limits{
		MaxBody: 33_554_432, BodyTimeout: 30 * time.Second, MaxMessage: 33_554_432, MaxBatch: 1000, MaxAnswer: 268_435_456,
		SubscriberBuffer: 67_108_864, SubscribersMemory: 536_870_912, JournalSize: 10_000,
	}, Limits{}.Filled())
	set := Limits{
		MaxBody: 1, BodyTimeout: 2, MaxMessage: 3, MaxBatch: 4, MaxAnswer: 5, SubscriberBuffer: 6, SubscribersMemory: 7, SocketIdle: 8, JournalSize: -1,
	}
	require.Equal(t, set, set.Filled())
	require.NoError(t, set.Validate())
	require.NoError(t, Limits{}.Validate())
	for want, limits := range map[string]Limits{
		"limit of the HTTP body is -1, want 1 or more, or 0 for the default":                   {MaxBody: -1},
		"limit of the WebSocket message is -2, want 1 or more, or 0 for the default":           {MaxMessage: -2},
		"limit of the batch is -3, want 1 or more, or 0 for the default":                       {MaxBatch: -3},
		"limit of the answer is -4, want 1 or more, or 0 for the default":                      {MaxAnswer: -4},
		"limit of the subscriber buffer is -5, want 1 or more, or 0 for the default":           {SubscriberBuffer: -5},
		"limit of the memory of all subscribers is -6, want 1 or more, or 0 for the default":   {SubscribersMemory: -6},
		"time limit of a silent WebSocket connection is -1ns, want more than 0, or 0 for none": {SocketIdle: -1},
		"time limit of an HTTP body is -1ns, want more than 0, or 0 for the default":           {BodyTimeout: -1},
	} {
		require.EqualError(t, limits.Validate(), want)
	}
}

// Ensure a batch has one call at least and as many as the limit at most.
func TestSizesOfBatches(t *testing.T) {
	t.Parallel()
	s := newToy(t, Config{Limits: Limits{MaxBatch: 2}}, newStub().table())
	defer s.Close()
	const answer = `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`
	for body, want := range map[string]string{
		"[]":                                    `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"empty batch"}}`,
		" [ ] ":                                 `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"empty batch"}}`,
		"[" + chainCall + "]":                   "[" + answer + "]",
		" [" + chainCall + "]":                  "[" + answer + "]",
		"[" + chainCall + "," + chainCall + "]": "[" + answer + "," + answer + "]",
		"[" + chainCall + "," + chainCall + "," + chainCall + "]":     `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large: 3 calls, the limit is 2"}}`,
		`[{"jsonrpc":"2.0","method":"test_chain"},` + chainCall + "]": "[" + answer + "]",
		`[{"jsonrpc":"2.0","method":"test_chain"}]`:                   "",
		"":                      `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON: empty body"}}`,
		"\"\xff\"":              `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON: not UTF-8"}}`,
		"{":                     `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON: unexpected end of JSON input"}}`,
		"7":                     `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: want an object, have 7"}}`,
		`[7,` + chainCall + "]": `[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: want an object, have 7"}},` + answer + "]",
	} {
		require.Equal(t, want, string(s.main.Call(t.Context(), []byte(body))), body)
	}
}

// Ensure the address of a server on all interfaces is one that a client can use.
func TestAddressOfAllInterfaces(t *testing.T) {
	t.Parallel()
	s := newToy(t, Config{}, newStub().table())
	require.NoError(t, s.Listen("0.0.0.0:0"))
	defer s.Close()
	require.Regexp(t, `^http://127\.0\.0\.1:\d+$`, s.URL("http"))
	require.Regexp(t, `^ws://127\.0\.0\.1:\d+$`, s.URL("ws"))
	_, text := postJSON(t, s.URL("http"), chainCall)
	require.Contains(t, text, toyChain)
}

// Ensure a request can call methods only if a page of another origin could not send it unnoticed.
func TestMayCall(t *testing.T) {
	t.Parallel()
	socket := map[string]string{
		"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
	}
	without := func(name string) map[string]string {
		left := make(map[string]string)
		for other, value := range socket {
			if other != name {
				left[other] = value
			}
		}
		return left
	}
	with := func(name, value string) map[string]string {
		changed := without(name)
		changed[name] = value
		return changed
	}
	for _, test := range []struct {
		method string
		header map[string]string
		may    bool
	}{
		{"POST", map[string]string{"Content-Type": "application/json"}, true},
		{"POST", map[string]string{"Content-Type": "application/jsonrequest; charset=utf-8"}, true},
		{"POST", map[string]string{"Content-Type": "text/plain"}, false},
		{"POST", socket, false},
		{"GET", nil, false},
		{"GET", map[string]string{"Content-Type": "application/json"}, false},
		{"GET", socket, true},
		{"HEAD", socket, false},
		{"GET", without("Upgrade"), false},
		{"GET", without("Connection"), false},
		{"GET", without("Sec-WebSocket-Version"), false},
		{"GET", with("Sec-WebSocket-Version", "8"), false},
		{"GET", with("Sec-WebSocket-Version", "8, 13"), true},
		{"GET", without("Sec-WebSocket-Key"), false},
		{"GET", with("Sec-WebSocket-Key", "AAAA"), false},
		{"GET", with("Sec-WebSocket-Key", "no base64"), false},
	} {
		req, err := http.NewRequest(test.method, "http://localhost", nil)
		require.NoError(t, err)
		for name, value := range test.header {
			req.Header.Set(name, value)
		}
		require.Equal(t, test.may, MayCall(req), "%s %v", test.method, test.header)
	}
}
