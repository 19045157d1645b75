package jsonrpc

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

func notification(id string, result any) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"test_subscription","params":{"subscription":"%s","result":%v}}`, id, result)
}

func TestSubscribeOverHTTP(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, newStub().table())
	for method, param := range map[string]string{"test_subscribe": "1", "test_unsubscribe": `"0x1"`} {
		_, text := postJSON(t, server.URL("http"), `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":[`+param+`]}`)
		require.Contains(t, text, `"code":-32601`)
	}
}

func TestNotificationsFollowTheAnswer(t *testing.T) {
	t.Parallel()
	stub := newStub()
	ws := dial(t, listen(t, Config{}, stub.table()))
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":"0x1"}`, ask(t, ws, `{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[2]}`))
	require.Equal(t, notification("0x1", 0), receive(t, ws))
	require.Equal(t, notification("0x1", 1), receive(t, ws))
	require.Equal(t, 1, stub.feed.publish(json.RawMessage(`{"a":1}`), json.RawMessage(`"b"`)))
	require.Equal(t, notification("0x1", `{"a":1}`), receive(t, ws))
	require.Equal(t, notification("0x1", `"b"`), receive(t, ws))

	// In a batch they follow the whole batch's answer.
	batch := ask(t, ws, `[{"jsonrpc":"2.0","id":2,"method":"test_subscribe","params":[1]},{"jsonrpc":"2.0","id":3,"method":"test_chain"}]`)
	require.Equal(t, `[{"jsonrpc":"2.0","id":2,"result":"0x2"},{"jsonrpc":"2.0","id":3,"result":"0x7a69"}]`, batch)
	require.Equal(t, notification("0x2", 0), receive(t, ws))
}

func TestUnsubscribe(t *testing.T) {
	t.Parallel()
	stub := newStub()
	server := listen(t, Config{}, stub.table())
	ws, other := dial(t, server), dial(t, server)
	require.Contains(t, ask(t, ws, `{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[0]}`), `"0x1"`)
	unsubscribe := `{"jsonrpc":"2.0","id":2,"method":"test_unsubscribe","params":["0x1"]}`
	require.Contains(t, ask(t, other, unsubscribe), `"result":false`, "another connection's subscription")
	require.Contains(t, ask(t, ws, unsubscribe), `"result":true`)
	<-stub.feed.stopped
	require.Zero(t, stub.feed.publish(json.RawMessage("1")))
	require.Contains(t, ask(t, ws, unsubscribe), `"result":false`)
	require.Contains(t, ask(t, ws, `{"jsonrpc":"2.0","id":2,"method":"test_unsubscribe","params":[]}`), `"code":-32602`)
}

// A subscriber that stops reading is closed with a reason after a prefix without gaps, while all others get everything.
func TestSlowSubscriberIsClosed(t *testing.T) {
	t.Parallel()
	stub := newStub()
	lines := make(chan string, 10)
	server := listen(t, Config{Log: slog.New(slog.NewTextHandler(lineWriter(lines), nil)), Limits: Limits{SubscriberBuffer: 1 << 20}}, stub.table())
	subscribe := `{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[0]}`
	const readers = 4
	slow := dial(t, server)
	ask(t, slow, subscribe)
	got := make(chan string, readers)
	for range readers {
		ws := dial(t, server)
		ask(t, ws, subscribe)
		go func() {
			for {
				_, message, err := ws.ReadMessage()
				if err != nil {
					return
				}
				got <- string(message)
			}
		}()
	}

	// Each message is read by all others before the next, so only the slow one falls behind. The kernel
	// takes a few MB for it first.
	filler := strings.Repeat("x", 1<<16)
	published := 0
	for took := readers + 1; took > readers; published++ {
		require.Less(t, published, 10_000, "the slow subscriber was never closed")
		result := fmt.Sprintf(`"%d %s"`, published, filler)
		took = stub.feed.publish(json.RawMessage(result))
		for range readers {
			message := <-got
			require.Contains(t, message, result)
		}
	}

	for i := 0; ; i++ {
		_, message, err := slow.ReadMessage()
		if err != nil {
			var closed *websocket.CloseError
			require.ErrorAs(t, err, &closed)
			require.Equal(t, websocket.CloseTryAgainLater, closed.Code)
			require.Contains(t, closed.Text, "1048576 bytes")
			require.Equal(t, published-1, i, "all but the last")
			break
		}
		require.Contains(t, string(message), fmt.Sprintf(`"%d x`, i))
	}
	<-stub.feed.stopped // and its subscription is freed
	line := <-lines
	require.Contains(t, line, "client="+slow.LocalAddr().String())
	require.Contains(t, line, "1048576 bytes of notifications unread (--subscriber-buffer)")
	require.Empty(t, lines)
}

// lineWriter sends each write to a channel.
type lineWriter chan string

func (w lineWriter) Write(line []byte) (int, error) {
	w <- string(line)
	return len(line), nil
}

// Ensure the unread bytes of all clients together are bounded, that news counts once for all clients that wait for it,
// and that the client with the most is cut off first.
func TestLargestBacklogIsCutOff(t *testing.T) {
	t.Parallel()
	stub := newStub()
	const most, size = 32 << 20, 1 << 16
	server := listen(t, Config{Limits: Limits{SubscriberBuffer: 1 << 30, SubscribersMemory: most}}, stub.table())
	const subscribe = `{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[0]}`
	largest, smaller := dial(t, server), dial(t, server)
	ask(t, largest, subscribe)
	ask(t, largest, subscribe)
	filler := json.RawMessage(`"` + strings.Repeat("x", size) + `"`)
	published := 0
	for ; published < most/size*3/4; published++ { // much more than the kernel takes of a connection
		require.Equal(t, 2, stub.feed.publish(filler), "each event counts once")
	}
	ask(t, smaller, subscribe)
	for ; stub.feed.publish(filler) == 3; published++ {
		require.Less(t, published, 10_000, "no client was cut off")
	}
	require.Equal(t, 1, stub.feed.publish(json.RawMessage(`"last"`)), "the smaller one stays")
	require.LessOrEqual(t, server.backlog.bytes.Load(), int64(most))
	var err error
	for err == nil {
		_, _, err = largest.ReadMessage()
	}
	for {
		_, message, err := smaller.ReadMessage()
		require.NoError(t, err)
		if strings.Contains(string(message), "last") {
			break
		}
	}
}

// Ensure each waiting notification counts for more than its bytes, which may be few.
func TestManySmallNotificationsAreBounded(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{Limits: Limits{SubscribersMemory: 100_000}}, newStub().table())
	ws := dial(t, server)
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[10000]}`)))
	_, message, err := ws.ReadMessage()
	require.Error(t, err, "%s", message)
}

// Notifications that wait for the answer of eth_subscribe count as unread.
func TestTooManyNotificationsBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	stub := newStub()
	server := listen(t, Config{Limits: Limits{SubscriberBuffer: 1 << 14}}, stub.table())
	const subscribe = `{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[%d]}`
	ws := dial(t, server)
	require.Contains(t, ask(t, ws, fmt.Sprintf(subscribe, 100)), `"result":"0x1"`)
	for i := range 100 {
		require.Equal(t, notification("0x1", i), receive(t, ws))
	}
	// Two in one batch, and neither alone is too much.
	ws = dial(t, server)
	many := fmt.Sprintf(subscribe, 100)
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte("["+many+","+many+"]")))
	closedWith(t, ws, websocket.CloseTryAgainLater, "16384 bytes")
	// A subscription that ends before it is answered does not count.
	ws = dial(t, server)
	batch := ask(t, ws, "["+many+`,{"jsonrpc":"2.0","id":2,"method":"test_unsubscribe","params":["0x4"]},`+many+"]")
	require.Contains(t, batch, `"id":2,"result":true`)
	for i := range 100 {
		require.Equal(t, notification("0x5", i), receive(t, ws))
	}
}

// Not parallel: it looks at the goroutines of the whole process.
func TestNothingIsLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	stub := newStub()
	server := newToy(t, Config{Log: slog.New(slog.DiscardHandler)}, stub.table())
	require.LessOrEqual(t, runtime.NumGoroutine(), before, "a server without a port has no goroutine")
	require.NoError(t, server.Listen("127.0.0.1:0"))

	const subscriptions = 20
	connections := laboratory.Budget(t, 20, 500)
	for i := range connections {
		ws, _, err := websocket.DefaultDialer.Dial(server.URL("ws"), nil)
		require.NoError(t, err)
		for range subscriptions {
			require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[1]}`)))
		}
		ids := make([]string, 0, subscriptions)
		for len(ids) < subscriptions {
			var answer struct{ Result string }
			require.NoError(t, json.Unmarshal([]byte(receive(t, ws)), &answer))
			if answer.Result != "" {
				ids = append(ids, answer.Result)
			}
		}
		for _, id := range ids[:subscriptions/2] {
			require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"test_unsubscribe","params":["`+id+`"]}`)))
		}
		if i%2 == 0 {
			stub.feed.publish(json.RawMessage("1"))
		}
		require.NoError(t, ws.Close()) // the others end with their connection
	}
	for range connections * subscriptions {
		<-stub.feed.stopped
	}
	require.Empty(t, stub.feed.subscribers)
	require.NoError(t, server.Close())
	require.Empty(t, server.main.connections)
	require.Zero(t, server.backlog.bytes.Load())
	// Close waits until the goroutines are done; the last instructions of one may still have to run.
	stacks := make([]byte, 1<<20)
	left := func() string { return string(stacks[:runtime.Stack(stacks, true)]) }
	for range 10_000 {
		if !strings.Contains(left(), "jsonrpc.(*connection)") {
			break
		}
		runtime.Gosched()
	}
	require.NotContains(t, left(), "jsonrpc.(*connection)")
}
