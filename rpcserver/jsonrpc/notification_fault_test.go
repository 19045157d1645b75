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
	require.Contains(t, ask(t, slow, chainIDRequest), "0x7a69", "answers do not wait")
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
			_, _, err := ws.ReadMessage()
			require.True(t, websocket.IsCloseError(err, websocket.CloseTryAgainLater), "%v", err)
		})
	}
}

func TestNotificationFaultsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{}, newStub().table())
	defer server.Close()
	for want, fault := range map[string]Fault{
		"0 effects":           {},
		"2 effects":           {Drop: true, Reorder: true},
		"want one of letters": {Kind: "colours", Drop: true},
		"are for calls":       {Drop: true, Truncate: 1},
		"nth is -1":           {Drop: true, Nth: -1},
		"times is -2":         {Drop: true, Times: -2},
		"latency is -1ns":     {Latency: -1},
	} {
		fault.Method = "test_subscription"
		require.ErrorContains(t, server.main.Fail(fault), want)
	}
	require.ErrorContains(t, server.main.Fail(Fault{Method: "test_chain", Drop: true}), "are for notifications")
	require.ErrorContains(t, server.main.Fail(Fault{Method: "test_chain", Kind: "numbers", DropConnection: true}), "are for notifications")
}

// Ensure Disconnect cuts the connections that it should, after the messages sent before, and with the requested close
// code.
func TestDisconnect(t *testing.T) {
	t.Parallel()
	stub := newStub()
	server := listen(t, Config{}, stub.table())
	subscribed, idle := dial(t, server), dial(t, server)
	ask(t, subscribed, subscribeRequest)
	ask(t, idle, chainIDRequest)

	cut, err := server.main.Disconnect(Disconnection{Kind: "letters"})
	require.NoError(t, err)
	require.Zero(t, cut)
	publishNumbers(stub, 2)
	cut, err = server.main.Disconnect(Disconnection{Kind: "numbers"})
	require.NoError(t, err)
	require.Equal(t, 1, cut)
	require.Equal(t, notification("0x1", 1), receive(t, subscribed))
	require.Equal(t, notification("0x1", 2), receive(t, subscribed))
	_, _, err = subscribed.ReadMessage()
	require.True(t, websocket.IsCloseError(err, websocket.CloseAbnormalClosure), "no close frame: %v", err)
	<-stub.feed.stopped

	require.Contains(t, ask(t, idle, chainIDRequest), "0x7a69")
	cut, err = server.main.Disconnect(Disconnection{Code: 4321})
	require.NoError(t, err)
	require.Equal(t, 1, cut)
	_, _, err = idle.ReadMessage()
	require.True(t, websocket.IsCloseError(err, 4321), "%v", err)

	for _, code := range []int{1, 999, 1005, 1015, 5000, -1} {
		_, err = server.main.Disconnect(Disconnection{Code: code})
		require.ErrorContains(t, err, "close code is")
	}
	_, err = server.main.Disconnect(Disconnection{Kind: "colours"})
	require.ErrorContains(t, err, "want one of letters, numbers")
}
