package jsonrpc

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// about holds all that a request tells its method.
type about struct {
	Method             string
	Observer, Exempt   bool
	Behind             Behind
	Room               int
	HTTP, WebSocketURL string
}

func aboutRequest(r *Request) (any, error) {
	r.AnsweredFrom("the view of " + r.Method())
	return about{r.Method(), r.Observer(), r.Exempt(), r.Behind(), r.Room(), r.URL("http"), r.URL("ws")}, nil
}

func aboutOf(t *testing.T, answer string) about {
	t.Helper()
	var is struct{ Result about }
	require.NoError(t, json.Unmarshal([]byte(answer), &is), answer)
	return is.Result
}

// Ensure a method learns who calls it and where the client found the server, and that its view is in the journal.
func TestRequestTellsAboutItself(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{Limits: Limits{MaxAnswer: 10_000}}, map[string]Method[*Request]{
		"test_about": Params0(aboutRequest), "test_exempt": Params0(aboutRequest).Exempt(), "test_other": Params0(func(*Request) (any, error) { return 1, nil }),
	})
	const call = `{"jsonrpc":"2.0","id":1,"method":"test_about"}`
	inProcess := about{Method: "test_about", Room: 10_000, HTTP: server.URL("http"), WebSocketURL: server.URL("ws")}
	require.Equal(t, inProcess, aboutOf(t, string(server.main.Call(t.Context(), []byte(call)))))
	calls := server.main.CallsSince(0, "")
	require.Equal(t, "the view of test_about", calls[0].View)
	text, err := json.Marshal(calls[0])
	require.NoError(t, err)
	require.Contains(t, string(text), `"view":"the view of test_about"`)
	server.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_other"}`))
	require.Empty(t, server.main.CallsSince(0, "test_other")[0].View)

	req, err := http.NewRequest(http.MethodPost, server.URL("http")+"/?observer", strings.NewReader(call))
	require.NoError(t, err)
	req.Host = "mapped.localhost:99"
	req.Header.Set("Content-Type", "application/json")
	_, answer := send(t, req)
	mapped := about{Method: "test_about", Observer: true, Room: 10_000, HTTP: "http://mapped.localhost:99", WebSocketURL: "ws://mapped.localhost:99"}
	require.Equal(t, mapped, aboutOf(t, answer))
	require.Len(t, server.main.CallsSince(0, ""), 2, "who observes is not in the journal")

	secure := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(strings.Replace(call, "about", "exempt", 1)))
	secure.Host, secure.TLS = "localhost", new(tls.ConnectionState)
	secure.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	server.ServeHTTP(recorder, secure)
	want := about{Method: "test_exempt", Exempt: true, Room: 10_000, HTTP: "https://localhost", WebSocketURL: "wss://localhost"}
	require.Equal(t, want, aboutOf(t, recorder.Body.String()))

	ws, _, err := websocket.DefaultDialer.Dial(server.URL("ws")+"/?observer", nil)
	require.NoError(t, err)
	defer ws.Close()
	have := aboutOf(t, ask(t, ws, call))
	require.True(t, have.Observer)
	require.Equal(t, server.URL("ws"), have.WebSocketURL)
	var batch []struct{ Result about }
	require.NoError(t, json.Unmarshal([]byte(ask(t, ws, "["+call+","+call+"]")), &batch))
	require.Equal(t, 10_000, batch[0].Result.Room)
	require.Less(t, batch[1].Result.Room, 10_000-200)
	require.Greater(t, batch[1].Result.Room, 10_000-400)
}

// Ensure a call is as far behind as a fault or the endpoint says, and exempt methods, observers and later calls are
// not.
func TestCallsFromBehind(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, map[string]Method[*Request]{"test_about": Params0(aboutRequest), "test_exempt": Params0(aboutRequest).Exempt()})
	behind := func(method, query string) Behind {
		_, text := postJSON(t, server.URL("http")+query, `{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`)
		return aboutOf(t, text).Behind
	}
	server.main.SetBehind(Behind{Blocks: 3})
	require.Equal(t, Behind{Blocks: 3}, behind("test_about", ""))
	require.Zero(t, behind("test_exempt", ""))
	require.Zero(t, behind("test_about", "/?observer"))
	require.NoError(t, server.main.Fail(Fault{Method: "test_about", Behind: Behind{Time: time.Second}}))
	require.Zero(t, behind("test_about", "/?observer"))
	require.Equal(t, Behind{Time: time.Second}, behind("test_about", ""), "the fault's, once")
	require.Equal(t, Behind{Blocks: 3}, behind("test_about", ""))
	batch := `[{"jsonrpc":"2.0","id":1,"method":"test_about"},{"jsonrpc":"2.0","id":1,"method":"test_exempt"}]`
	var answers []struct{ Result about }
	require.NoError(t, json.Unmarshal(server.main.Call(t.Context(), []byte(batch)), &answers))
	require.Equal(t, Behind{Blocks: 3}, answers[0].Result.Behind)
	require.Zero(t, answers[1].Result.Behind)
	server.main.SetBehind(Behind{})
	require.Zero(t, behind("test_about", ""))
	require.Nil(t, server.main.behind.Load())
}

// Ensure a call that may take long ends with its request, and with the reason once its endpoint is closed, and that
// it lets others pass on a WebSocket.
func TestCallsThatTakeLong(t *testing.T) {
	t.Parallel()
	began, causes := make(chan struct{}, 4), make(chan error, 4)
	wait := func(r *Request) (any, error) {
		defer r.MayTakeLong()()
		ctx, done := r.UntilClosed()
		defer done()
		began <- struct{}{}
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return nil, ctx.Err()
	}
	after := func(r *Request) (any, error) {
		ctx, done := r.UntilClosed()
		done()
		r.MayTakeLong()()
		return ctx.Err().Error(), nil
	}
	server := listen(t, Config{}, map[string]Method[*Request]{"test_long": Params0(wait), "test_after": Params0(after)})
	require.Contains(t, string(server.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_after"}`))), "canceled")
	const long = `{"jsonrpc":"2.0","id":1,"method":"test_long"}`
	ctx, cancel := context.WithCancel(t.Context())
	go server.main.Call(ctx, []byte(long))
	<-began
	cancel()
	require.ErrorIs(t, <-causes, context.Canceled)

	ws := dial(t, server)
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(long)))
	<-began
	require.Contains(t, ask(t, ws, `{"jsonrpc":"2.0","id":2,"method":"test_after"}`), `"id":2`)
	go server.main.Call(t.Context(), []byte(long))
	<-began
	server.main.Close("the world ends")
	for range 2 {
		cause := <-causes
		if !errors.Is(cause, context.Canceled) { // the socket's own context may have ended first
			require.EqualError(t, cause, "the world ends")
		}
	}
	server.main.Close("again")
	status, text := postJSON(t, server.URL("http"), long)
	require.Equal(t, http.StatusNotFound, status)
	require.Equal(t, "not found: /\n", text)
}

// Ensure a call that is refused by the API is answered so, with the status and the time to wait only if all calls of
// the request are, and that exempt methods and observers are not refused.
func TestRefusals(t *testing.T) {
	t.Parallel()
	var refusal *Error
	api := toyAPI(newStub().table())
	api.Admit = func() *Error { return refusal }
	server := listenAs(t, api)
	post := func(query, body string) (*http.Response, string) {
		req, err := http.NewRequest(http.MethodPost, server.URL("http")+query, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response, string(text)
	}
	const exempt = `{"jsonrpc":"2.0","id":2,"method":"test_exempt"}`
	refusal = &Error{Code: -32005, Message: "too many", HTTPStatus: 429, RetryAfter: 2500 * time.Millisecond}
	const refused = `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"too many"}}`
	for _, test := range []struct {
		query, body, want, retry string
		status                   int
	}{
		{"", chainCall, refused, "2", 429},
		{"", "[" + chainCall + "," + chainCall + "]", "[" + refused + "," + refused + "]", "2", 429},
		{"", "[" + chainCall + "," + exempt + "]", "[" + refused + `,{"jsonrpc":"2.0","id":2,"result":true}]`, "", 200},
		{"", exempt, `{"jsonrpc":"2.0","id":2,"result":true}`, "", 200},
		{"/?observer", chainCall, `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`, "", 200},
	} {
		response, text := post(test.query, test.body)
		require.Equal(t, test.status, response.StatusCode, test.body)
		require.Equal(t, test.want, text)
		require.Equal(t, test.retry, response.Header.Get("Retry-After"))
	}
	refusal = Errorf(-32005, "too many")
	response, text := post("", chainCall)
	require.Equal(t, 200, response.StatusCode)
	require.Equal(t, refused, text)
	refusal = &Error{Code: -32005, Message: "too many", HTTPStatus: 503}
	response, _ = post("", chainCall)
	require.Equal(t, 503, response.StatusCode)
	require.Empty(t, response.Header.Get("Retry-After"))
	require.Equal(t, refused, ask(t, dial(t, server), chainCall), "a socket has no status")
}

// Ensure an error with a status of its own sets that of the answer if all calls fail so.
func TestErrorsWithStatus(t *testing.T) {
	t.Parallel()
	table := newStub().table()
	table["test_gone"] = Params0(func(*Request) (any, error) { return nil, &Error{Code: 9, Message: "gone", HTTPStatus: 410} })
	server := listen(t, Config{}, table)
	const gone = `{"jsonrpc":"2.0","id":1,"method":"test_gone"}`
	for body, want := range map[string]int{
		gone: 410, "[" + gone + "," + gone + "]": 410, "[" + gone + "," + chainCall + "]": 200, "[" + chainCall + "," + gone + "]": 200, chainCall: 200,
	} {
		status, text := postJSON(t, server.URL("http"), body)
		require.Equal(t, want, status, text)
	}
}
