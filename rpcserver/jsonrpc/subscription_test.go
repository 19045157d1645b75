package jsonrpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

func notification(id string, result any) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"test_subscription","params":{"subscription":"%s","result":%v}}`, id, result)
}

func TestNotificationsFollowTheAnswer(t *testing.T) {
	t.Parallel()
	stub := newStub()
	server := listen(t, Config{}, stub.table())
	ws := dial(t, server)
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

	require.NoError(t, server.main.Fail(Fault{Method: "test_subscription", Truncate: 3}))
	require.NoError(t, server.main.Fail(Fault{Method: "test_subscription", Nth: 2, Stray: true}))
	stub.feed.publish(json.RawMessage(`{"a":1}`))
	require.Equal(t, notification("0x1", `{"a`), receive(t, ws))
	require.Equal(t, notification("0x0", `{"a":1}`), receive(t, ws), "of a subscription that nobody has")
	require.Equal(t, notification("0x2", `{"a":1}`), receive(t, ws))
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

const subscribeRequest = `{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[0]}`

// publishNumbers reports 1 to n, one after another.
func publishNumbers(stub *stub, n int) {
	for i := range n {
		stub.feed.publish(json.RawMessage(fmt.Sprint(i + 1)))
	}
}

// Ensure each fault of notifications has its effect, at the notification it is meant for and at no other.
func TestNotificationFaults(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault Fault
		want  []int // of 1 to 6
	}{
		"lost":                {Fault{Nth: 2, Drop: true}, []int{1, 3, 4, 5, 6}},
		"two lost":            {Fault{Nth: 2, Times: 2, Drop: true}, []int{1, 4, 5, 6}},
		"repeated":            {Fault{Nth: 3, Duplicate: true}, []int{1, 2, 3, 3, 4, 5, 6}},
		"all repeated":        {Fault{Times: Forever, Duplicate: true}, []int{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}},
		"swapped":             {Fault{Nth: 2, Reorder: true}, []int{1, 3, 2, 4, 5, 6}},
		"three the wrong way": {Fault{Nth: 2, Times: 2, Reorder: true}, []int{1, 4, 3, 2, 5, 6}},
		"delayed, in order":   {Fault{Nth: 2, Times: 2, Latency: time.Millisecond}, []int{1, 2, 3, 4, 5, 6}},
		"spread, in order":    {Fault{Nth: 2, Times: 3, LatencySpread: 3 * time.Millisecond, Seed: 7}, []int{1, 2, 3, 4, 5, 6}},
		"of this kind":        {Fault{Kind: "numbers", Drop: true}, []int{2, 3, 4, 5, 6}},
		"of another kind":     {Fault{Kind: "letters", Drop: true}, []int{1, 2, 3, 4, 5, 6}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stub := newStub()
			server := listen(t, Config{}, stub.table())
			test.fault.Method = "test_subscription"
			require.NoError(t, server.main.Fail(test.fault))
			ws := dial(t, server)
			ask(t, ws, subscribeRequest)
			publishNumbers(stub, 6)
			for _, want := range test.want {
				require.Equal(t, notification("0x1", want), receive(t, ws))
			}
			server.main.ClearFaults()
			stub.feed.publish(json.RawMessage("7"))
			require.Equal(t, notification("0x1", 7), receive(t, ws), "nothing was in between")
		})
	}
}

// Ensure a silent fault keeps the connection open and sends neither notifications nor answers, while other connections
// get theirs.
func TestNotificationSilence(t *testing.T) {
	t.Parallel()
	stub := newStub()
	server := listen(t, Config{}, stub.table())
	require.NoError(t, server.main.Fail(Fault{Method: "test_subscription", Nth: 3, Silent: true}))
	silent, other := dial(t, server), dial(t, server)
	ask(t, silent, subscribeRequest)
	ask(t, other, subscribeRequest)
	publishNumbers(stub, 3)
	for n := range 3 {
		require.Equal(t, notification("0x2", n+1), receive(t, other))
	}
	require.Equal(t, notification("0x1", 1), receive(t, silent))
	require.NoError(t, silent.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":2,"method":"test_echo","params":["x"]}`)))
	require.NoError(t, silent.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Minute)))
	ponged := errors.New("ponged")
	silent.SetPongHandler(func(string) error { return ponged })
	_, _, err := silent.ReadMessage()
	require.ErrorIs(t, err, ponged, "the connection lives, and no message comes before its pong")
}

// Ensure a delayed notification keeps its subscription waiting and no other, and that nothing waits once the client has
// gone.
func TestNotificationLatency(t *testing.T) {
	t.Parallel()
	stub := newStub()
	server := listen(t, Config{}, stub.table())
	slow, quick := dial(t, server), dial(t, server)
	ask(t, slow, subscribeRequest)
	const latency = 50 * time.Millisecond
	require.NoError(t, server.main.Fail(Fault{Method: "test_subscription", Latency: latency}))
	start := time.Now()
	publishNumbers(stub, 1)
	ask(t, quick, subscribeRequest)
	stub.feed.publish(json.RawMessage("2"))
	require.Equal(t, notification("0x2", 2), receive(t, quick))
	require.Contains(t, ask(t, slow, chainCall), "0x7a69", "answers do not wait")
	require.Equal(t, notification("0x1", 1), receive(t, slow))
	require.GreaterOrEqual(t, time.Since(start), latency)
	require.Equal(t, notification("0x1", 2), receive(t, slow))

	require.NoError(t, server.main.Fail(Fault{Method: "test_subscription", Latency: time.Hour}))
	require.NoError(t, server.main.Fail(Fault{Method: "test_subscription", Latency: time.Hour}))
	stub.feed.publish(json.RawMessage("3"))
	require.NoError(t, slow.Close())
	require.NoError(t, quick.Close())
	<-stub.feed.stopped
	<-stub.feed.stopped
}

// Notifications that a fault holds back count as unread: a client cannot make the node keep any amount for it.
func TestNotificationsHeldBackAreBounded(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]Fault{
		"delayed":   {Times: Forever, Latency: time.Hour},
		"reordered": {Times: Forever, Reorder: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stub := newStub()
			server := listen(t, Config{Limits: Limits{SubscriberBuffer: 1 << 12}}, stub.table())
			fault.Method = "test_subscription"
			require.NoError(t, server.main.Fail(fault))
			ws := dial(t, server)
			ask(t, ws, subscribeRequest)
			publishNumbers(stub, 100)
			closedWith(t, ws, websocket.CloseTryAgainLater, "")
		})
	}
}

// Ensure connections are cut by the kind of their subscriptions or all, after the messages and the answer sent before,
// with the close code asked for, once, and that a wrong code or kind cuts none.
func TestDisconnect(t *testing.T) {
	t.Parallel()
	stub := newStub()
	table := stub.table()
	table["test_cut"] = Params1(func(r *Request, code int) (any, error) { return r.Disconnect(Disconnection{Code: code}) }, "code")
	announced := 0
	api := toyAPI(table)
	api.Announce = func(connection uint64) {
		if connection == AllConnections {
			announced++
		}
	}
	server := listenAs(t, api)
	cuts := func(want int, d Disconnection) {
		t.Helper()
		cut, err := server.main.Disconnect(d)
		require.NoError(t, err)
		require.Equal(t, want, cut)
	}
	subscribed, idle, own := dial(t, server), dial(t, server), dial(t, server)
	ask(t, subscribed, subscribeRequest)
	ask(t, idle, chainCall)
	ask(t, own, chainCall)
	cuts(0, Disconnection{Kind: "letters"})
	publishNumbers(stub, 1)
	cuts(1, Disconnection{Kind: "numbers"})
	require.Equal(t, notification("0x1", 1), receive(t, subscribed))
	closedWith(t, subscribed, websocket.CloseAbnormalClosure, "")
	<-stub.feed.stopped

	for _, d := range []Disconnection{{Code: 1}, {Code: 999}, {Code: 1004}, {Code: 1005}, {Code: 1015}, {Code: 5000}, {Code: -1}, {Kind: "colours"}} {
		_, err := server.main.Disconnect(d)
		require.Error(t, err, d)
	}
	for _, code := range []int{0, 1000, 1003, 1006, 1012, 4999} {
		require.NoError(t, Disconnection{Code: code}.Validate(), code)
	}
	require.Equal(t, 2, server.main.Connections())
	before := announced
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":2}`, ask(t, own, `{"jsonrpc":"2.0","id":1,"method":"test_cut","params":[4999]}`))
	require.Equal(t, before+1, announced)
	cuts(0, Disconnection{}) // they are closed
	for _, ws := range []*websocket.Conn{idle, own} {
		closedWith(t, ws, 4999, "disconnected on command")
	}
}
