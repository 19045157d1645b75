package jsonrpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// Ensure unread answers over HTTP count among the unread bytes of all clients, that the client with the longest is cut
// off first, and that another one gets its answer whole.
func TestUnreadAnswersOverHTTP(t *testing.T) {
	t.Parallel()
	const most, shorter, longer = 64 << 20, 30 << 20, 40 << 20
	lines := make(chan string, 10)
	server := listen(t, Config{
		Log: slog.New(slog.NewTextHandler(lineWriter(lines), nil)), Limits: Limits{MaxBody: most, SubscribersMemory: most},
	}, newStub().table())
	ask := func(size int) (*http.Response, error) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL("http"), "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		body := `{"jsonrpc":"2.0","id":1,"method":"test_raw","params":["` + strings.Repeat("x", size) + `"]}`
		_, err = fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		require.NoError(t, err)
		return http.ReadResponse(bufio.NewReader(conn), nil)
	}
	kept, err := ask(shorter)
	require.NoError(t, err, "begun, most of it still with the server")
	defer kept.Body.Close()
	cut, err := ask(longer)
	if err == nil {
		_, err = io.Copy(io.Discard, cut.Body)
		require.NoError(t, cut.Body.Close())
	}
	require.Error(t, err)
	line := <-lines
	require.Contains(t, line, "HTTP client cut off")
	require.Contains(t, line, fmt.Sprintf("all clients together have more than %d bytes unread", most))
	read, err := io.Copy(io.Discard, kept.Body)
	require.NoError(t, err)
	require.Greater(t, read, int64(shorter))
	status, _ := postJSON(t, server.URL("http"), chainCall)
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, server.Close())
	require.Empty(t, server.answers)
	require.Zero(t, server.backlog.bytes.Load())
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
	server.main.mu.Lock()
	var only *connection
	for only = range server.main.connections {
	}
	server.main.mu.Unlock()
	ahead := func() int {
		only.mu.Lock()
		defer only.mu.Unlock()
		return only.inboxSize
	}
	for ahead() == 0 {
		runtime.Gosched()
	}
	close(end)
	require.Contains(t, receive(t, ws), "true")
	for range 2000 {
		require.Contains(t, receive(t, ws), toyChain)
		require.LessOrEqual(t, ahead(), 10_000)
	}
	require.NoError(t, <-sent)
	require.NoError(t, server.Close()) // waits until all that was written is counted
	require.Zero(t, ahead())
	require.Zero(t, server.backlog.bytes.Load())
}

// Ensure a long answer is one message, with notifications before it and never within it.
func TestNotificationsComeBesideLongBatch(t *testing.T) {
	t.Parallel()
	const long = 1 << 20
	stub := newStub()
	table := stub.table()
	table["test_long"] = Params0(func(*Request) (any, error) {
		stub.feed.publish(json.RawMessage("1"))
		return strings.Repeat("a", long), nil
	})
	ws := dial(t, listen(t, Config{}, table))
	ask(t, ws, `{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[0]}`)
	call := `{"jsonrpc":"2.0","id":1,"method":"test_long"}`
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte("["+call+","+call+","+call+"]")))
	for range 3 {
		require.Contains(t, receive(t, ws), `"test_subscription"`)
	}
	var answers []struct{ Result string }
	require.NoError(t, json.Unmarshal([]byte(receive(t, ws)), &answers))
	require.Len(t, answers, 3)
	require.Len(t, answers[2].Result, long)
}

// slowResult is a long result whose encoding waits for a test.
type slowResult struct{ began, goOn chan struct{} }

func (slowResult) Size() int { return longAnswer + 1 }

func (r slowResult) AppendJSON(dst []byte) []byte {
	r.began <- struct{}{}
	<-r.goOn
	return append(dst, "true"...)
}

// Ensure long answers do not take all processors: only the allowed number is encoded at a time, and other requests
// are answered meanwhile.
func TestLongAnswersAreEncodedInTurn(t *testing.T) {
	t.Parallel()
	slow := slowResult{make(chan struct{}, 100), make(chan struct{})}
	server := listen(t, Config{}, map[string]Method[*Request]{
		"test_long":  Params0(func(*Request) (any, error) { return slow, nil }),
		"test_chain": Params0(func(*Request) (any, error) { return toyChain, nil }),
	})
	atATime := cap(server.encoding)
	clients := make([]*websocket.Conn, atATime+3)
	for i := range clients {
		clients[i] = dial(t, server)
		require.NoError(t, clients[i].WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"test_long"}`)))
	}
	for range atATime {
		<-slow.began
	}
	reader := dial(t, server)
	for range 100 {
		require.Contains(t, ask(t, reader, chainCall), toyChain)
	}
	require.Empty(t, slow.began)
	close(slow.goOn)
	for _, client := range clients {
		require.Contains(t, receive(t, client), "true")
	}
}

// Ensure a batch runs no further calls while the answers to all clients, its own included, take all allowed memory,
// and that its answer says so.
func TestBatchesLeaveRoomForOthers(t *testing.T) {
	t.Parallel()
	const most, size = 4 << 20, 200 << 10
	server := listen(t, Config{Limits: Limits{SubscribersMemory: most}}, newStub().table())
	call := `{"jsonrpc":"2.0","id":1,"method":"test_raw","params":["` + strings.Repeat("x", size) + `"]}`
	response, err := http.Post(server.URL("http"), "application/json", strings.NewReader("["+strings.Repeat(call+",", 19)+call+"]"))
	require.NoError(t, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, 11, bytes.Count(answer, []byte(`"result"`)))
	refused := fmt.Sprintf("answers too large: what clients have not read and what is made for them take too much of %d bytes", most)
	require.Equal(t, 8, bytes.Count(answer, []byte(refused)))
	require.Zero(t, server.backlog.unfinished.Load())
}

// turns is a tap that lets one message after another have its turn.
type turns struct{ sync.Mutex }

func (t *turns) Begin()        { t.Lock() }
func (t *turns) End()          { t.Unlock() }
func (t *turns) Note(TapEvent) {}

// Ensure an answer that has no room beside unread notifications waits for its client to read, and that others get
// theirs meanwhile, also where a tap lets them have turns.
func TestAnswerWithoutRoomWaits(t *testing.T) {
	t.Parallel()
	for name, tap := range map[string]Tap{"free": nil, "in turns": new(turns)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const unread, long = 20 << 20, 16 << 20 // more than the system takes for a client
			stub, made := newStub(), make(chan struct{}, 1)
			table := stub.table()
			answer := rawResult(`"` + strings.Repeat("x", long) + `"`)
			table["test_long"] = Params0(func(*Request) (any, error) { made <- struct{}{}; return answer, nil })
			server := newToy(t, Config{Limits: Limits{SubscriberBuffer: 24 << 20}}, table)
			api := toyAPI(table)
			api.Tap = tap
			server.main = NewEndpoint(server.Server, api)
			require.NoError(t, server.Listen("127.0.0.1:0"))
			t.Cleanup(func() { require.NoError(t, server.Close()) })
			ws, other := dial(t, server), dial(t, server)
			ask(t, ws, subscribeRequest)
			note := `"` + strings.Repeat("n", unread) + `"`
			require.Equal(t, 1, stub.feed.publish([]byte(note)))
			require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":2,"method":"test_long"}`)))
			<-made
			for range 20 {
				require.Contains(t, ask(t, other, chainCall), toyChain)
			}
			require.Less(t, server.main.Subscriptions()[0].Unread, unread+long, "the answer is not queued")
			require.Equal(t, notification("0x1", note), receive(t, ws))
			require.Len(t, receive(t, ws), len(`{"jsonrpc":"2.0","id":2,"result":""}`)+long)
			require.Contains(t, ask(t, ws, chainCall), toyChain)
		})
	}
}
