package rpcserver_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/stream"
)

const (
	stuckRequest   = `{"jsonrpc":"2.0","id":1,"method":"test_stuck","params":[]}`
	headsRequest   = `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}`
	chainIDRequest = `{"jsonrpc":"2.0","id":2,"method":"eth_chainId","params":[]}`
	sealRequest    = `{"jsonrpc":"2.0","id":1,"method":"fakenode_seal","params":[]}`
)

// stuckServer is a server with the method test_stuck: a subscription to new heads whose first notification waits until
// letGo is called. reached is closed when it begins to wait.
func stuckServer(t *testing.T) (server *rpcserver.Server, reached <-chan struct{}, letGo func()) {
	t.Helper()
	at, release, first := make(chan struct{}), make(chan struct{}), sync.Once{}
	table := stubs()
	table["test_stuck"] = rpcserver.Public("", jsonrpc.Params0(func(r *api.Request) (any, error) {
		return r.Caller.Subscribe("eth_subscription", "stub", func(sub *jsonrpc.Subscription) (stop func()) {
			return r.Network.Streams.Add(sub, func(a *stream.Announcement) []json.RawMessage {
				if a.Kind == preconf.HeadAdded {
					first.Do(func() { close(at) })
					<-release
				}
				return stream.Heads(a)
			})
		})
	}))
	server, letGo = listen(t, rpcserver.Config{}, table), sync.OnceFunc(func() { close(release) })
	t.Cleanup(letGo)
	return server, at, letGo
}

// stuckBesideReader returns a stuckServer with two clients that subscribe to the first head: stuck, whose notification
// waits until letGo is called, and after it reader.
func stuckBesideReader(t *testing.T) (server *rpcserver.Server, stuck, reader *websocket.Conn, letGo func()) {
	t.Helper()
	server, reached, letGo := stuckServer(t)
	stuck, reader = servertest.Dial(t, server), servertest.Dial(t, server)
	require.Contains(t, servertest.Ask(t, stuck, stuckRequest), `"0x1"`)
	require.Contains(t, servertest.Ask(t, reader, headsRequest), `"0x2"`)
	servertest.Post(t, server.URL(), sealRequest)
	<-reached
	return server, stuck, reader, letGo
}

// Ensure a client with subscriptions gets notifications and answers, and may come and go, while the notifications of
// others still wait.
func TestNobodyWaitsUntilOthersAreTold(t *testing.T) {
	t.Parallel()
	server, stuck, reader, letGo := stuckBesideReader(t)

	require.Contains(t, servertest.Ask(t, reader, chainIDRequest), `"number":"0x1"`, "the announcement comes before the answer")
	require.Contains(t, servertest.Receive(t, reader), `"id":2,"result"`)
	late := servertest.Dial(t, server)
	require.Contains(t, servertest.Ask(t, late, headsRequest), `"0x3"`)
	require.Contains(t, servertest.Ask(t, late, chainIDRequest), `"id":2,"result"`, "the block was there before")
	require.Contains(t, servertest.Ask(t, late, `{"jsonrpc":"2.0","id":3,"method":"eth_unsubscribe","params":["0x3"]}`), `true`)

	letGo()
	require.Contains(t, servertest.Receive(t, stuck), `"number":"0x1"`)
}

// Ensure a node whose last subscriber has gone reads no events any more.
func TestHubsEndWithTheirSubscribers(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s, other := n.Socket(), n.Socket()
	id, remote := s.Subscribe("newHeads"), other.Subscribe("newHeads")
	answer, _ := s.Ask("eth_unsubscribe", remote)
	require.Equal(t, "false", string(answer.Result), "another connection's")
	s.Told("eth_unsubscribe", id)
	other.Told("eth_unsubscribe", remote)
	n.Server.WaitForHubs() // for ever, unless they end
}

func TestSubscribeWithoutPreconfirmation(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{NoPreconf: true}, rpcserver.Config{Disabled: rpcserver.Preconfirmation})
	s := n.Socket()
	for _, kind := range []string{"pendingLogs", "newFlashblocks", "newFlashblockTransactions"} {
		answer, _ := s.Ask("eth_subscribe", kind)
		require.Equal(t, api.CodeMethodNotFound, answer.Error.Code)
		require.Contains(t, answer.Error.Message, kind)
	}
	n.Refuses(api.CodeMethodNotFound, nil, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{}}}, "latest")
	id := s.Subscribe("logs")
	n.Logs(0, "0xa", "0xb", 1)
	require.Len(t, servertest.Items[servertest.LogItem](t, s.Told("fakenode_seal"), id), 1)
}
