package jsonrpc

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// streamer is a server with an endpoint at / and a stream of it at any other path.
type streamer struct {
	*Server
	endpoint *Endpoint
	binary   bool
	subs     chan *Subscription // as they start
	stopped  chan struct{}      // one for each that has ended
	caughtUp func(*Subscription)
}

func newStreamer(t *testing.T, limits Limits) *streamer {
	t.Helper()
	s := &streamer{subs: make(chan *Subscription, 16), stopped: make(chan struct{}, 16), caughtUp: func(*Subscription) {}}
	s.Server = New(Config{Limits: limits, Log: slog.New(slog.DiscardHandler), Route: func(req *http.Request) http.Handler {
		if req.URL.Path == "/" {
			return s.endpoint
		}
		return http.HandlerFunc(s.serve)
	}})
	api := toyAPI(newStub().table())
	api.Notifications, api.Streams = map[string][]string{"test_subscription": {"numbers"}}, []string{"raw"}
	s.endpoint = NewEndpoint(s.Server, api)
	require.NoError(t, s.Listen("127.0.0.1:0"))
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func (s *streamer) serve(w http.ResponseWriter, req *http.Request) {
	var sub *Subscription
	s.endpoint.ServeStream(w, req, Stream{
		Kind: "raw", Binary: s.binary,
		Start: func(started *Subscription) (stop func()) {
			sub = started
			s.subs <- sub
			return func() { s.stopped <- struct{}{} }
		},
		CatchUp: func() { s.caughtUp(sub) },
	})
}

func (s *streamer) dial(t *testing.T) (*websocket.Conn, *Subscription) {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(s.URL("ws")+"/stream", nil)
	require.NoError(t, err)
	require.NoError(t, ws.SetReadDeadline(time.Now().Add(time.Minute)))
	t.Cleanup(func() { _ = ws.Close() })
	return ws, <-s.subs
}

// tell notifies a subscription of results.
func tell(sub *Subscription, results ...string) bool {
	news := new(News)
	var all []json.RawMessage
	for _, result := range results {
		all = append(all, json.RawMessage(result))
	}
	news.Add(all)
	return sub.Notify(news, all...)
}

// Ensure a stream sends each result as a message of its own, text or binary, reads and ignores what the client
// sends, and is a connection of the endpoint with no subscription that would be listed.
func TestStreamOfResults(t *testing.T) {
	t.Parallel()
	for _, binary := range []bool{false, true} {
		s := newStreamer(t, Limits{SocketIdle: 50 * time.Millisecond, MaxMessage: 10})
		s.binary = binary
		ws, sub := s.dial(t)
		require.EqualValues(t, 1, sub.Connection())
		require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(chainCall)))
		require.NoError(t, ws.WriteMessage(websocket.BinaryMessage, make([]byte, 100_000)))
		require.True(t, tell(sub, "one", "[2]"))
		for _, want := range []string{"one", "[2]"} {
			kind, message, err := ws.ReadMessage()
			require.NoError(t, err)
			require.Equal(t, want, string(message))
			require.Equal(t, binary, kind == websocket.BinaryMessage)
		}
		require.NoError(t, ws.SetReadDeadline(time.Now().Add(150*time.Millisecond)))
		_, _, err := ws.ReadMessage()
		require.ErrorContains(t, err, "i/o timeout", "a stream's client may be silent")
		require.Equal(t, 1, s.endpoint.Connections())
		require.Empty(t, s.endpoint.Subscriptions())
		require.NoError(t, ws.Close())
		<-s.stopped
	}
}

// Ensure a pong on a stream follows what happened before the ping.
func TestPongOfStream(t *testing.T) {
	t.Parallel()
	s := newStreamer(t, Limits{})
	s.caughtUp = func(sub *Subscription) { tell(sub, "7") }
	ws, _ := s.dial(t)
	ponged := make(chan string, 1)
	ws.SetPongHandler(func(data string) error {
		ponged <- data
		return io.EOF
	})
	require.NoError(t, ws.WriteControl(websocket.PingMessage, []byte("beat"), time.Now().Add(time.Minute)))
	require.Equal(t, "7", receive(t, ws))
	require.Empty(t, ponged)
	_, _, err := ws.ReadMessage()
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, "beat", <-ponged)
}

// Ensure a stream is cut by its kind, after what has happened, and that other connections are not.
func TestStreamsAreCut(t *testing.T) {
	t.Parallel()
	s := newStreamer(t, Limits{})
	s.caughtUp = func(sub *Subscription) { tell(sub, "7") }
	ws, _ := s.dial(t)
	other, _, err := websocket.DefaultDialer.Dial(s.URL("ws"), nil)
	require.NoError(t, err)
	defer other.Close()
	require.Contains(t, ask(t, other, chainCall), toyChain)
	for kind, count := range map[string]int{"numbers": 0, "raw": 1} {
		cut, err := s.endpoint.Disconnect(Disconnection{Kind: kind, Code: 1012})
		require.NoError(t, err)
		require.Equal(t, count, cut, kind)
	}
	require.Equal(t, "7", receive(t, ws))
	closedWith(t, ws, 1012, "")
	<-s.stopped
	require.Contains(t, ask(t, other, chainCall), toyChain)
	_, err = s.endpoint.Disconnect(Disconnection{Kind: "none"})
	require.EqualError(t, err, `unknown kind of subscription "none": want one of numbers, raw`)
}

// Ensure a stream's subscription can end its connection with a reason.
func TestStreamsEnd(t *testing.T) {
	t.Parallel()
	s := newStreamer(t, Limits{})
	for _, test := range []struct {
		end  func(*Subscription)
		code int
		text string
	}{
		{func(sub *Subscription) { sub.Fail("out of order") }, websocket.CloseInternalServerErr, "out of order"},
		{func(sub *Subscription) { sub.TooSlow("far behind") }, websocket.CloseTryAgainLater, "too slow: far behind"},
		{func(sub *Subscription) {
			require.Error(t, sub.Disconnect(Disconnection{Code: 1}))
			require.True(t, sub.IsOpen())
			require.NoError(t, sub.Disconnect(Disconnection{Code: 4000, Kind: "ignored"}))
		}, 4000, "disconnected on command"},
	} {
		ws, sub := s.dial(t)
		tell(sub, "1")
		test.end(sub)
		require.False(t, tell(sub, "2"))
		require.Equal(t, "1", receive(t, ws))
		closedWith(t, ws, test.code, test.text)
		require.False(t, sub.IsOpen())
		require.NoError(t, ws.Close())
		<-s.stopped
	}
}

// Ensure a stream has to be opened as a WebSocket, and cannot be once its endpoint is closed.
func TestStreamsThatDoNotOpen(t *testing.T) {
	t.Parallel()
	s := newStreamer(t, Limits{})
	response, err := http.Get(s.URL("http") + "/stream")
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusUpgradeRequired, response.StatusCode)
	require.Equal(t, "/stream is a WebSocket: open it as one\n", string(text))
	require.Equal(t, []string{"Upgrade", "websocket"}, []string{response.Header.Get("Connection"), response.Header.Get("Upgrade")})
	bad, err := http.NewRequest(http.MethodGet, s.URL("http")+"/stream", nil)
	require.NoError(t, err)
	status, _ := send(t, bad, "Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "7", "Sec-WebSocket-Key", "x")
	require.Equal(t, http.StatusBadRequest, status)
	require.Zero(t, s.endpoint.Connections())

	ws, _ := s.dial(t)
	s.endpoint.Close("the world was removed")
	closedWith(t, ws, websocket.CloseGoingAway, "")
	request, err := http.NewRequest(http.MethodGet, s.URL("http")+"/stream", nil)
	require.NoError(t, err)
	status, body := send(t, request)
	require.Equal(t, http.StatusNotFound, status)
	require.Equal(t, "not found: /stream\n", body)
}

// Ensure open subscriptions are listed, the oldest connection's first and in the order in which they were opened,
// with what opened them and the bytes that wait for the client.
func TestOpenSubscriptions(t *testing.T) {
	t.Parallel()
	stub := newStub()
	server := listen(t, Config{}, stub.table())
	require.Empty(t, server.main.Subscriptions())
	first := dial(t, server)
	second, _, err := websocket.DefaultDialer.Dial(server.URL("ws")+"/?observer", nil)
	require.NoError(t, err)
	defer second.Close()
	ask(t, second, `{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[ 0 ]}`)
	for range 16 {
		ask(t, first, subscribeRequest)
	}
	ask(t, first, `{"jsonrpc":"2.0","id":1,"method":"test_unsubscribe","params":["0x3"]}`)
	all := server.main.Subscriptions()
	require.Len(t, all, 16)
	var ids []string
	for i, sub := range all {
		ids = append(ids, sub.ID)
		require.EqualValues(t, 1+i/15, sub.Connection)
		require.Equal(t, i == 15, sub.Observer)
		require.Equal(t, "numbers", sub.Kind)
	}
	require.Equal(t, "0x2 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb 0xc 0xd 0xe 0xf 0x10 0x11 0x1", strings.Join(ids, " "))

	value := `"` + strings.Repeat("x", 20<<20) + `"` // more than the system takes for a client
	stub.feed.mu.Lock()
	last := stub.feed.subscribers[len(stub.feed.subscribers)-1]
	stub.feed.mu.Unlock()
	tell(last, value)
	require.InDelta(t, len(notification(last.id, value)), server.main.Subscriptions()[0].Unread, 100)
	require.Equal(t, notification(last.id, value), receive(t, first))
}
