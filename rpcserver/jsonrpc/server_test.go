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

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
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

func TestGoEthereumClient(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, newStub().table())
	for _, url := range []string{server.URL("http"), server.URL("ws")} {
		client, err := rpc.Dial(url)
		require.NoError(t, err)
		defer client.Close()
		var id hexutil.Uint64
		require.NoError(t, client.Call(&id, "test_chain"))
		require.EqualValues(t, 31337, id)

		err = client.Call(nil, "test_reverts")
		var withData rpc.DataError
		require.ErrorAs(t, err, &withData)
		require.Equal(t, "0x08c379a0", withData.ErrorData())

		batch := []rpc.BatchElem{
			{Method: "test_chain", Result: new(hexutil.Uint64)},
			{Method: "test_unknown"},
			{Method: "test_version", Result: new(string)},
		}
		require.NoError(t, client.BatchCall(batch))
		require.NoError(t, batch[0].Error)
		require.Error(t, batch[1].Error)
		require.Equal(t, "31337", *batch[2].Result.(*string))
	}
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

// Ensure a batch runs no further calls once its client has left, and no long answer is made for it.
func TestBatchOfGoneClientEnds(t *testing.T) {
	t.Parallel()
	ran := 0
	ctx, leave := context.WithCancel(t.Context())
	long := longText(make([]byte, 2*longAnswer))
	s := newToy(t, Config{}, map[string]Method[*Request]{"test_leave": Params0(func(*Request) (any, error) {
		if ran++; ran == 3 {
			leave()
		}
		return long, nil
	})})
	call := `{"jsonrpc":"2.0","id":1,"method":"test_leave"}`
	answer := s.main.Call(ctx, []byte("["+strings.Repeat(call+",", 99)+call+"]"))
	require.Equal(t, 98, strings.Count(string(answer), "request cancelled"))
	require.Equal(t, 3, ran)
}

// longText is a result that is encoded alone.
type longText []byte

func (l longText) AppendJSON(dst []byte) []byte {
	return append(append(append(dst, '"'), bytes.ReplaceAll(l, []byte{0}, []byte{'a'})...), '"')
}

func (l longText) Size() int { return len(l) }

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
	require.ErrorContains(t, s.Close(), "still running after 5s")
	close(end)
	require.Contains(t, string(<-answered), "true")
}
