package rpcserver

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// socket is a WebSocket connection of gorilla's client, on which requests get ids 1, 2, 3 …
type socket struct {
	*network
	ws   *websocket.Conn
	last int
}

func (n *network) socket() *socket {
	n.Helper()
	return &socket{network: n, ws: dial(n, n.server)}
}

// wireMessage is an answer or a notification.
type wireMessage struct {
	ID     int
	Result json.RawMessage
	Error  *jsonrpc.Error
	Params struct {
		Subscription string
		Result       json.RawMessage
	}
}

// read returns the next message.
func (s *socket) read() wireMessage {
	s.Helper()
	var m wireMessage
	text := receive(s, s.ws)
	require.NoError(s, json.Unmarshal([]byte(text), &m), text)
	return m
}

// ask sends a request and returns its answer and the notifications that came before it.
func (s *socket) ask(method string, params ...any) (wireMessage, []wireMessage) {
	s.Helper()
	if params == nil {
		params = []any{}
	}
	s.last++
	require.NoError(s, s.ws.WriteJSON(map[string]any{"jsonrpc": "2.0", "id": s.last, "method": method, "params": params}))
	var before []wireMessage
	for {
		m := s.read()
		if m.ID == s.last {
			return m, before
		}
		before = append(before, m)
	}
}

// told calls a method that must succeed, and returns the notifications that came before its answer.
func (s *socket) told(method string, params ...any) []wireMessage {
	s.Helper()
	answer, before := s.ask(method, params...)
	require.Nil(s, answer.Error, "%s: %v", method, answer.Error)
	return before
}

// subscribe opens a subscription and returns its id.
func (s *socket) subscribe(params ...any) string {
	s.Helper()
	answer, before := s.ask("eth_subscribe", params...)
	require.Nil(s, answer.Error, "%v", answer.Error)
	require.Empty(s, before, "notifications before the subscription is open")
	var id string
	require.NoError(s, json.Unmarshal(answer.Result, &id))
	return id
}

// items decodes the notifications of one subscription.
func items[T any](t testing.TB, messages []wireMessage, id string) []T {
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

// logItem is a log as a subscriber gets it.
type logItem struct {
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
