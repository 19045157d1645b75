package jsonrpc

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// notes is a tap that writes down what it sees.
type notes struct {
	mu    sync.Mutex
	lines []string
}

func (n *notes) Begin() { n.add("begin") }
func (n *notes) End()   { n.add("end") }

func (n *notes) Note(e TapEvent) {
	n.add(fmt.Sprintf("%c connection %d exchange %d observer %t status %d %s", e.Kind, e.Connection, e.Exchange, e.Observer, e.Status, e.Payload))
}

func (n *notes) add(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, line)
}

// take returns the lines since the last time.
func (n *notes) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	lines := n.lines
	n.lines = nil
	return lines
}

// listenAs starts a toy whose main endpoint serves an API.
func listenAs(t *testing.T, api API[*Request]) *toy {
	t.Helper()
	server := newToy(t, Config{}, api.Methods)
	server.main = NewEndpoint(server.Server, api)
	require.NoError(t, server.Listen("127.0.0.1:0"))
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return server
}

// Ensure a tap sees each message and each answer once, in its turn, over HTTP and in the process.
func TestTapOfCalls(t *testing.T) {
	t.Parallel()
	seen, done := new(notes), new(notes)
	server := listenAs(t, API[*Request]{
		Methods: newStub().table(), New: newToyRequest, Tap: seen,
		Done: func(method string, known bool, code int, took time.Duration) {
			done.add(fmt.Sprint(method, " ", known, " ", code, " ", took >= 0))
		},
	})
	const call = chainCall
	const answer = `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`
	for i, path := range []string{"", "/?observer", "/?other"} {
		status, text := postJSON(t, server.URL("http")+path, call)
		require.Equal(t, 200, status)
		require.Equal(t, answer, text)
		about := fmt.Sprintf("connection 0 exchange %d observer %t", i+1, i == 1)
		require.Equal(t, []string{"begin", "> " + about + " status 0 " + call, "< " + about + " status 200 " + answer, "end"}, seen.take())
	}
	require.Equal(t, answer, string(server.main.Call(t.Context(), []byte(call))))
	require.Len(t, seen.take(), 4)
	require.Equal(t, slices.Repeat([]string{"test_chain true 0 true"}, 4), done.take())
	for method, code := range map[string]int{"test_reverts": CodeServer, "test_fails": CodeInternal, "test_nope": CodeMethodNotFound} {
		postJSON(t, server.URL("http"), `{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`)
		require.Equal(t, []string{fmt.Sprint(method, " ", method != "test_nope", " ", code, " true")}, done.take())
	}
}

// Ensure a tap sees a connection open, its messages, answers and notifications in the order in which they are sent, and
// its end.
func TestTapOfConnections(t *testing.T) {
	t.Parallel()
	seen, s := new(notes), newStub()
	server := listenAs(t, API[*Request]{
		Methods: s.table(), New: newToyRequest, Tap: seen, Notifications: map[string][]string{"test_subscription": {"numbers"}},
	})
	ws := dial(t, server)
	const call = `{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[1]}`
	answer := ask(t, ws, call)
	notification := receive(t, ws)
	require.Equal(t, []string{
		"begin", "+ connection 1 exchange 0 observer false status 0 ", "end",
		"begin", "> connection 1 exchange 0 observer false status 0 " + call, "< connection 1 exchange 0 observer false status 0 " + answer,
		"! connection 1 exchange 0 observer false status 0 " + notification, "end",
	}, seen.take())
	s.feed.publish(json.RawMessage("7"))
	notification = receive(t, ws)
	require.Contains(t, notification, `"result":7`)
	require.Equal(t, []string{"! connection 1 exchange 0 observer false status 0 " + notification}, seen.take())
	cut, err := server.main.Disconnect(Disconnection{Code: 4001})
	require.NoError(t, err)
	require.Equal(t, 1, cut)
	closedWith(t, ws, 4001, "")
}

// Ensure a method whose answer is mapped fails as before, and one that answers a constant answers it on success alone.
func TestMappedMethods(t *testing.T) {
	t.Parallel()
	table := newStub().table()
	table["test_mapped"] = table["test_chain"].Mapped(func(_ *Request, answer any) any { return answer.(string) + "!" })
	table["test_constant"] = table["test_chain"].Answering(true)
	table["test_mappedFailure"] = table["test_reverts"].Mapped(func(*Request, any) any { return "no failure" })
	table["test_constantFailure"] = table["test_reverts"].Answering(true)
	server := listen(t, Config{}, table)
	for method, want := range map[string]string{
		"mapped": `"result":"0x7a69!"}`, "constant": `"result":true}`, "mappedFailure": `"error":{"code":-32000,"message":"execution reverted","data":"0x08c379a0"}}`,
		"constantFailure": `"error":{"code":-32000,"message":"execution reverted","data":"0x08c379a0"}}`,
	} {
		_, text := postJSON(t, server.URL("http"), `{"jsonrpc":"2.0","id":1,"method":"test_`+method+`"}`)
		require.Equal(t, `{"jsonrpc":"2.0","id":1,`+want, text)
	}
}

// Ensure at debug each call is a line in the log, with its error if it failed, and that who only observes is not in the
// journal, while somebody who waits for a call gets it when it comes.
func TestCallsAreLogged(t *testing.T) {
	t.Parallel()
	log := new(lockedBuffer)
	server := listen(t, Config{Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))}, newStub().table())
	call := func(query, method string) {
		postJSON(t, server.URL("http")+query, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":[]}`)
	}
	waited := make(chan []Call, 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	go func() {
		calls, err := server.main.WaitForCalls(ctx, 0, "test_reverts", 2)
		if err != nil {
			calls = nil
		}
		waited <- calls
	}()
	call("", "test_chain")
	call("", "test_reverts")
	call("/?observer", "test_version")
	call("/?observers", "test_reverts")
	calls := <-waited
	require.Len(t, calls, 2)
	require.EqualValues(t, []uint64{2, 3}, []uint64{calls[0].Number, calls[1].Number})
	require.Equal(t, []any{CodeServer, "execution reverted"}, []any{calls[1].Code, calls[1].Message})
	text := log.String()
	require.Contains(t, text, "msg=call method=test_chain params=[] took=")
	require.Contains(t, text, `method=test_reverts params=[] took=`)
	require.Contains(t, text, `code=-32000 err="execution reverted"`)
	require.Equal(t, 2, strings.Count(text, "code=-32000"))
}
