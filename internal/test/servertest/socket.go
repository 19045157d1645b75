package servertest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Socket is a WebSocket connection of gorilla's client, on which requests get ids 1, 2, 3 …
type Socket struct {
	*Network
	Conn *websocket.Conn
	Last int
}

func (n *Network) Socket() *Socket {
	n.Helper()
	return &Socket{Network: n, Conn: Dial(n, n.Server)}
}

type Message struct {
	ID     int
	Result json.RawMessage
	Error  *jsonrpc.Error
	Params struct {
		Subscription string
		Result       json.RawMessage
	}
}

func (s *Socket) Read() Message {
	s.Helper()
	var m Message
	text := Receive(s, s.Conn)
	require.NoError(s, json.Unmarshal([]byte(text), &m), text)
	return m
}

// Ask sends a request and returns its answer and the notifications that came before it.
func (s *Socket) Ask(method string, params ...any) (Message, []Message) {
	s.Helper()
	if params == nil {
		params = []any{}
	}
	s.Last++
	require.NoError(s, s.Conn.WriteJSON(map[string]any{"jsonrpc": "2.0", "id": s.Last, "method": method, "params": params}))
	var before []Message
	for {
		m := s.Read()
		if m.ID == s.Last {
			return m, before
		}
		before = append(before, m)
	}
}

// Told calls a method that must succeed, and returns the notifications that came before its answer.
func (s *Socket) Told(method string, params ...any) []Message {
	s.Helper()
	answer, before := s.Ask(method, params...)
	require.Nil(s, answer.Error, "%s: %v", method, answer.Error)
	return before
}

func (s *Socket) Subscribe(params ...any) string {
	s.Helper()
	answer, before := s.Ask("eth_subscribe", params...)
	require.Nil(s, answer.Error, "%v", answer.Error)
	require.Empty(s, before, "notifications before the subscription is open")
	var id string
	require.NoError(s, json.Unmarshal(answer.Result, &id))
	return id
}

func Items[T any](t testing.TB, messages []Message, id string) []T {
	t.Helper()
	var found []T
	for _, m := range messages {
		if m.Params.Subscription == id {
			var item T
			require.NoError(t, json.Unmarshal(m.Params.Result, &item), "%s", m.Params.Result)
			found = append(found, item)
		}
	}
	return found
}

// LogItem is a log as a subscriber gets it.
type LogItem struct {
	Address          common.Address
	Topics           []common.Hash
	Data             hexutil.Bytes
	BlockHash        common.Hash
	BlockNumber      hexutil.Uint64
	BlockTimestamp   hexutil.Uint64
	TransactionHash  common.Hash
	TransactionIndex hexutil.Uint64
	LogIndex         hexutil.Uint64
	Removed          bool
}

// UnmarshalJSON reads a block hash that is null as that of ones (preconf.NoHash).
func (l *LogItem) UnmarshalJSON(raw []byte) error {
	type plain LogItem
	none := []byte(`"blockHash":"` + common.MaxHash.Hex() + `"`)
	return json.Unmarshal(bytes.Replace(raw, []byte(`"blockHash":null`), none, 1), (*plain)(l))
}

func Dial(t testing.TB, server *rpcserver.Server) *websocket.Conn {
	t.Helper()
	return DialAt(t, server, "")
}

// DialAt opens a WebSocket connection to a path, which may have a query.
func DialAt(t testing.TB, server *rpcserver.Server, path string) *websocket.Conn {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(server.WebSocketURL()+path, nil)
	require.NoError(t, err)
	require.NoError(t, ws.SetReadDeadline(time.Now().Add(time.Minute)))
	t.Cleanup(func() { _ = ws.Close() })
	return ws
}

func Ask(t testing.TB, ws *websocket.Conn, message string) string {
	t.Helper()
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(message)))
	return Receive(t, ws)
}

func Receive(t testing.TB, ws *websocket.Conn) string {
	t.Helper()
	_, message, err := ws.ReadMessage()
	require.NoError(t, err)
	return string(message)
}

func Post(t testing.TB, url, body string) (int, string) {
	t.Helper()
	answer, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(text)
}

// Await receives a value, within a minute.
func Await[T any](t testing.TB, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(time.Minute):
		require.FailNow(t, "nothing arrived within a minute")
	}
	panic("unreachable")
}
