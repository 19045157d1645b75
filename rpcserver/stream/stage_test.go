package stream_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
	"github.com/fakenode/fakenode/rpcserver/stream"
)

// stage is a network, and a hub of it that notifies nobody unless CatchUp is called, behind a server of its own.
type stage struct {
	*servertest.Network
	hub      *stream.Hub
	server   *jsonrpc.Server
	endpoint *jsonrpc.Endpoint
	items    stream.Items // of the subscriptions to come
	mu       sync.Mutex
	members  []*member // the subscriptions so far
}

// member is a subscription of a stage.
type member struct {
	sub  *jsonrpc.Subscription
	id   string
	told []told
	got  []json.RawMessage // its items
}

// told is an event of which a member was notified.
type told struct {
	kind preconf.EventKind
	as   weak.Pointer[stream.Announcement]
}

// newStage begins with some events that nobody hears.
func newStage(t *testing.T, limits jsonrpc.Limits) *stage {
	t.Helper()
	s := &stage{Network: servertest.New(t, preconf.Config{}, rpcserver.Config{})}
	s.items = func(*stream.Announcement) []json.RawMessage { return nil }
	s.Preconfirm()
	s.happen(100)
	s.hub = stream.NewHub(s.Timeline, shape.StandardMembers, 0, nil)
	s.server = jsonrpc.New(jsonrpc.Config{
		Limits: limits, Log: slog.New(slog.DiscardHandler), Route: func(*http.Request) http.Handler { return s.endpoint },
	})
	s.endpoint = jsonrpc.NewEndpoint(s.server, jsonrpc.API{
		Methods: jsonrpc.Table[*jsonrpc.Request]{
			Methods: map[string]jsonrpc.Method[*jsonrpc.Request]{
				"listen": jsonrpc.Params0(s.listen),
				"leave":  jsonrpc.Params1(func(r *jsonrpc.Request, id string) (any, error) { return r.Unsubscribe(id) }, "id"),
			},
			New: func() (*jsonrpc.Request, *jsonrpc.Request) {
				r := new(jsonrpc.Request)
				return r, r
			},
			Begin: func(*jsonrpc.Request) {},
		},
		ToWire:        func(*jsonrpc.Request, error) *jsonrpc.Error { return nil },
		AppendValue:   jsonrpc.AppendValue,
		Now:           time.Now,
		Announce:      func(uint64) {},
		Admit:         func() *jsonrpc.Error { return nil },
		Notifications: map[string][]string{"event": {"any"}},
	})
	require.NoError(t, s.server.Listen("127.0.0.1:0"))
	t.Cleanup(func() { require.NoError(t, s.server.Close()) })
	return s
}

// listen opens a subscription to the hub.
func (s *stage) listen(r *jsonrpc.Request) (any, error) {
	m, items := new(member), s.items
	var err error
	m.id, err = r.Subscribe("event", "any", func(sub *jsonrpc.Subscription) (stop func()) {
		m.sub = sub
		return s.hub.Add(sub, func(a *stream.Announcement) []json.RawMessage {
			m.told = append(m.told, told{a.Kind, weak.Make(a)})
			got := items(a)
			m.got = append(m.got, got...)
			return got
		})
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.members = append(s.members, m)
	return m.id, err
}

func (s *stage) dial() *websocket.Conn {
	s.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(s.server.URL("ws"), nil)
	require.NoError(s, err)
	s.Cleanup(func() { _ = ws.Close() })
	return ws
}

// join subscribes on a connection.
func (s *stage) join(ws *websocket.Conn) *member {
	s.Helper()
	require.Contains(s, servertest.Ask(s, ws, `{"jsonrpc":"2.0","id":1,"method":"listen"}`), `"result"`)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.members[len(s.members)-1]
}

// leave ends a subscription of a connection.
func (s *stage) leave(ws *websocket.Conn, m *member) {
	s.Helper()
	answer := servertest.Ask(s, ws, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"leave","params":[%q]}`, m.id))
	require.Contains(s, answer, `"result":true`)
}

// happen makes so many events happen, 2 to 10,001: the fault is one, too.
func (s *stage) happen(events int) {
	s.Helper()
	_, err := s.Timeline.FlashblockFault(control.FlashblockFault{Kind: control.DuplicateFlashblock, Count: events - 1})
	require.NoError(s, err)
}
