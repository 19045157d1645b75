package jsonrpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

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
	server := listenAs(t, API[*Request]{
		Methods: table, New: newToyRequest, Notifications: map[string][]string{"test_subscription": {"letters", "numbers"}},
		Announce: func(connection uint64) {
			if connection == AllConnections {
				announced++
			}
		},
	})
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
