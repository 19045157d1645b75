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

func TestJournal(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{}, newStub().table())
	defer server.Close()
	call := func(e *Endpoint, body string) { e.Call(t.Context(), []byte(body)) }
	call(server.main, `[{"jsonrpc":"2.0","id":1,"method":"test_two","params":["a", true]},{"jsonrpc":"2.0","method":"test_reverts"}]`)
	call(server.main, `{"jsonrpc":"2.0","id":1,"method":"test_unknown","params":[]}`)
	call(server.main, `{"jsonrpc":"2.0","id":1,"method":"test_badType"}`)
	call(server.main, `{"jsonrpc":"2.0","id":1,"method":"test_raw","params":["`+strings.Repeat("x", maxJournalParams)+`"]}`)
	call(server.main, `{"jsonrpc":"2.0","id":1}`)
	call(server.other, `{"jsonrpc":"2.0","id":1,"method":"test_reverts"}`)

	calls := server.main.CallsSince(0, "")
	require.Len(t, calls, 5)
	want := []Call{
		{Method: "test_two", Params: json.RawMessage(`["a", true]`)},
		{Method: "test_reverts", Code: -32000, Message: "execution reverted"},
		{Method: "test_unknown", Params: json.RawMessage(`[]`), Code: -32601, Message: "the method test_unknown does not exist/is not available"},
		{Method: "test_badType", Code: -32603, Message: "internal error"},
		{Method: "test_raw"}, // too large to be kept
	}
	for i := range want {
		require.GreaterOrEqual(t, calls[i].Duration, time.Duration(0))
		require.Equal(t, toyNow.UnixNano(), calls[i].At.UnixNano())
		calls[i].Duration, calls[i].At, want[i].Number = 0, time.Time{}, uint64(i)+1
		require.Equal(t, want[i], calls[i])
	}
	require.Len(t, server.main.CallsSince(0, "test_reverts"), 1)
	require.Len(t, server.other.CallsSince(0, ""), 1)
	call(server.main, `{"jsonrpc":"2.0","id":1,"method":"test_exempt"}`)
	require.Len(t, server.main.CallsSince(0, ""), 5, "an exempt method is not recorded")

	text, err := json.Marshal(server.main.CallsSince(0, "test_reverts"))
	require.NoError(t, err)
	require.JSONEq(t, fmt.Sprintf(`[{"number":2,"method":"test_reverts","params":null,"timestampMs":%d,"durationUs":%d,"error":{"code":-32000,"message":"execution reverted"}}]`,
		toyNow.UnixMilli(), server.main.CallsSince(0, "test_reverts")[0].Duration.Microseconds()), string(text))
}

func TestJournalKeepsTheLastCalls(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{Limits: Limits{JournalSize: 3}}, newStub().table())
	defer server.Close()
	for i := range 8 {
		server.main.Call(t.Context(), []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"test_raw","params":["0x0%d"]}`, i)))
		calls := server.main.CallsSince(0, "")
		require.Len(t, calls, min(i+1, 3))
		for j, call := range calls {
			require.Equal(t, fmt.Sprintf(`["0x0%d"]`, i+1-len(calls)+j), string(call.Params))
		}
	}
	off := newToy(t, Config{Limits: Limits{JournalSize: -1}}, newStub().table())
	defer off.Close()
	off.main.Call(t.Context(), []byte(chainCall))
	require.Empty(t, off.main.CallsSince(0, ""))
}

// Ensure the journal keeps parameters of up to 16 KiB and messages of up to 1 KiB whole, the beginning of a method's
// name alone, and that the oldest calls make room for large ones.
func TestJournalLimits(t *testing.T) {
	t.Parallel()
	message := ""
	table := newStub().table()
	table["test_shouts"] = Params0(func(*Request) (any, error) { return nil, Errorf(1, "%s", message) })
	s := newToy(t, Config{}, table)
	defer s.Close()
	call := func(method string, params any) {
		s.main.Call(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"%s","params":%v}`, method, params))
	}
	large := func(size int) string { return `["` + strings.Repeat("x", size-len(`[""]`)) + `"]` }
	for _, over := range []int{0, 1} {
		call("test_raw", large(16_384+over))
		message = strings.Repeat("m", 1024+over)
		call("test_shouts", "[]")
	}
	call("test_"+strings.Repeat("x", 1<<20), "[]")
	calls := s.main.CallsSince(0, "")
	require.Len(t, calls[0].Params, 16_384)
	require.Len(t, calls[1].Message, 1024)
	require.Nil(t, calls[2].Params)
	require.Equal(t, strings.Repeat("m", 1024)+"… (1025 bytes)", calls[3].Message)
	require.True(t, strings.HasPrefix(calls[4].Method, "test_xxx"))
	require.Contains(t, calls[4].Method, "1048581 bytes")
	require.Less(t, len(calls[4].Method)+len(calls[4].Message), 300)

	const most = 33_554_432 // bytes of all calls
	for range most/16_000 + 100 {
		call("test_raw", large(16_000))
	}
	kept := s.main.CallsSince(0, "")
	require.InDelta(t, most/16_000, len(kept), 50)
	require.Equal(t, "test_raw", kept[0].Method)
	for i := range 200 {
		call("test_raw", fmt.Sprintf("[%d]", i))
	}
	kept = s.main.CallsSince(0, "")
	for i := range 200 {
		require.Equal(t, fmt.Sprintf("[%d]", i), string(kept[len(kept)-200+i].Params))
	}
}

// Ensure a journal lists the calls after a number, may be shared by endpoints, and that nobody waits for more calls
// than it keeps.
func TestJournalOfTwoEndpoints(t *testing.T) {
	t.Parallel()
	s := newToy(t, Config{Limits: Limits{JournalSize: 3}}, newStub().table())
	defer s.Close()
	before := time.Now()
	api := toyAPI(newStub().table())
	api.Now, api.Journal = time.Now, s.main
	shared := NewEndpoint(s.Server, api)
	require.Zero(t, s.main.LastCall())
	s.main.Call(t.Context(), []byte(chainCall))
	shared.Call(t.Context(), []byte(chainCall))
	s.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_version"}`))
	require.EqualValues(t, 3, s.main.LastCall())
	require.EqualValues(t, 3, shared.LastCall())
	numbers := func(calls []Call) []uint64 {
		all := []uint64{}
		for _, call := range calls {
			all = append(all, call.Number)
		}
		return all
	}
	require.Equal(t, []uint64{1, 2, 3}, numbers(shared.CallsSince(0, "")))
	require.False(t, shared.CallsSince(0, "")[1].At.Before(before), "the time of the wall where there is no clock")
	require.Equal(t, []uint64{2, 3}, numbers(s.main.CallsSince(1, "")))
	require.Equal(t, []uint64{2}, numbers(s.main.CallsSince(1, "test_chain")))
	require.Equal(t, []uint64{}, numbers(s.main.CallsSince(3, "")))
	found, err := s.main.WaitForCalls(t.Context(), 1, "", 2)
	require.NoError(t, err)
	require.Equal(t, []uint64{2, 3}, numbers(found))
	found, err = s.main.WaitForCalls(t.Context(), 0, "", 3)
	require.NoError(t, err)
	require.Len(t, found, 3)
	_, err = s.main.WaitForCalls(t.Context(), 0, "", 4)
	require.EqualError(t, err, "4 calls are more than the journal keeps: 3")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.main.WaitForCalls(ended, 0, "test_chain", 3)
	require.ErrorIs(t, err, context.Canceled)
}

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
func listenAs(t *testing.T, api API) *toy {
	t.Helper()
	server := newToy(t, Config{}, nil)
	server.main = NewEndpoint(server.Server, api)
	require.NoError(t, server.Listen("127.0.0.1:0"))
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return server
}

// Ensure a tap sees each message and each answer once, in its turn, over HTTP and in the process.
func TestTapOfCalls(t *testing.T) {
	t.Parallel()
	seen, done := new(notes), new(notes)
	api := toyAPI(newStub().table())
	api.Tap = seen
	api.Done = func(method string, known bool, code int, took time.Duration) {
		done.add(fmt.Sprint(method, " ", known, " ", code, " ", took >= 0))
	}
	server := listenAs(t, api)
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
	require.Equal(t, slices.Repeat([]string{"test_chain true 0 true"}, 3), done.take(), "not the observer's")
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
	api := toyAPI(s.table())
	api.Tap = seen
	server := listenAs(t, api)
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
