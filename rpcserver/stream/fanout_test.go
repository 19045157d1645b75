package stream_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// digestOf reads count notifications and returns a digest of their items, in order.
func digestOf(ws *websocket.Conn, count int) (uint64, error) {
	digest := fnv.New64a()
	for range count {
		_, message, err := ws.ReadMessage()
		if err != nil {
			return 0, err
		}
		_, item, found := bytes.Cut(message, []byte(`"result":`))
		if !found {
			return 0, fmt.Errorf("not a notification: %s", message)
		}
		_, _ = digest.Write(item)
	}
	return digest.Sum64(), nil
}

const pendingLogsRequest = `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["pendingLogs"]}`

// Ensure many subscribers to 200 logs a flashblock all get all of them in order, and one more that stops reading is
// closed with the reason.
func TestManySubscribers(t *testing.T) {
	t.Parallel()
	const flashblocks, logs = 2, 200
	subscribers := laboratory.Budget(t, 50, 1000)
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{SubscriberBuffer: 1 << 20}})
	sockets := make([]*websocket.Conn, subscribers)
	for i := range sockets {
		sockets[i] = servertest.Dial(t, n.Server)
		require.Contains(t, servertest.Ask(t, sockets[i], pendingLogsRequest), `"result"`)
	}
	var deaf *websocket.Conn
	for round := range flashblocks {
		if round == flashblocks-1 {
			deaf = deafSubscriber(t, n)
		}
		digests, failures := make([]uint64, subscribers), make([]error, subscribers)
		var readers sync.WaitGroup
		for i, ws := range sockets {
			readers.Go(func() { digests[i], failures[i] = digestOf(ws, logs) })
		}
		n.Logs(round, "0xa", "0xb", logs)
		n.Do("fakenode_preconfirm")
		readers.Wait()

		want := fnv.New64a()
		for _, log := range n.Timeline.Moment().Pending().Logs()[round*logs:] {
			_, _ = want.Write(append(shape.AppendLog(nil, log, shape.BlockTime{}), "}}"...))
		}
		require.Equal(t, make([]error, subscribers), failures)
		require.Equal(t, slices.Repeat([]uint64{want.Sum64()}, subscribers), digests)
	}
	require.Equal(t, flashblocks*logs, len(n.Timeline.Moment().Pending().Logs()))

	var closed *websocket.CloseError
	require.NoError(t, deaf.SetReadDeadline(time.Now().Add(time.Minute)))
	for {
		if _, _, err := deaf.ReadMessage(); err != nil {
			require.ErrorAs(t, err, &closed)
			break
		}
	}
	require.Equal(t, websocket.CloseTryAgainLater, closed.Code)
	require.Contains(t, closed.Text, "too slow")
}

// deafSubscriber has 300 subscriptions on one connection, 45 MB of logs a flashblock, and reads none of them.
func deafSubscriber(t *testing.T, n *servertest.Network) *websocket.Conn {
	t.Helper()
	small := websocket.Dialer{NetDial: func(network, address string) (net.Conn, error) {
		conn, err := net.Dial(network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(256 << 10)
		}
		return conn, err
	}}
	ws, _, err := small.Dial(n.Server.WebSocketURL(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = ws.Close() })
	for range 300 {
		require.Contains(t, servertest.Ask(t, ws, pendingLogsRequest), `"result"`)
	}
	return ws
}

// Not parallel: it looks at the goroutines and the heap of the whole process.
func TestSubscribingLeavesNothingBehind(t *testing.T) {
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	const batch = 500
	rounds := laboratory.Budget(t, 8, 200)
	subscribes := make([]json.RawMessage, batch)
	kinds := []string{"pendingLogs", "newFlashblocks", "logs", "newHeads"}
	for i := range subscribes {
		subscribes[i] = json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"eth_subscribe","params":["%s"]}`, i, kinds[i%len(kinds)]))
	}
	round := func(hangUp bool) {
		ws, _, err := websocket.DefaultDialer.Dial(n.Server.WebSocketURL(), nil)
		require.NoError(t, err)
		require.NoError(t, ws.WriteJSON(subscribes))
		var answers []struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
		}
		require.NoError(t, ws.ReadJSON(&answers))
		require.Len(t, answers, batch)
		if !hangUp {
			unsubscribes := make([]json.RawMessage, batch)
			for i, answer := range answers {
				unsubscribes[i] = json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"eth_unsubscribe","params":[%s]}`, i, answer.Result))
			}
			require.NoError(t, ws.WriteJSON(unsubscribes))
			require.NoError(t, ws.ReadJSON(&answers))
			for _, answer := range answers {
				require.Equal(t, "true", string(answer.Result))
			}
		}
		require.NoError(t, ws.Close())
	}
	round(true)
	round(false)
	heap := servertest.LiveHeap()
	for i := range rounds {
		round(i%2 == 0)
	}
	require.NoError(t, n.Server.Close()) // waits for every connection
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	require.NotContains(t, string(stacks), "stream.(*Hub")
	require.Less(t, int64(servertest.LiveHeap())-int64(heap), int64(4<<20)) // 100,000 subscriptions of 200 bytes would be 20 MB
}

// Subscribers that come while blocks are being sealed get every log from then on, once and in order.
func TestExactlyOnce(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	const subscribers, blocks, last = 8, 100, "0xff"
	joined := make(chan struct{}, subscribers)
	received := make([][]servertest.LogItem, subscribers)
	var readers sync.WaitGroup
	for i := range subscribers {
		ws := servertest.Dial(t, n.Server)
		readers.Go(func() {
			for range i * 10 { // requests that let others go first
				_ = servertest.Ask(t, ws, `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`)
			}
			_ = servertest.Ask(t, ws, `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["logs"]}`)
			joined <- struct{}{}
			for len(received[i]) == 0 || received[i][len(received[i])-1].Topics[0] != common.HexToHash(last) {
				var m struct {
					Params struct{ Result servertest.LogItem }
				}
				if err := ws.ReadJSON(&m); err != nil {
					return // shows in what was received
				}
				received[i] = append(received[i], m.Params.Result)
			}
		})
	}
	for range blocks {
		n.Logs(0, "0xa", "0xb", 2)
		n.Do("fakenode_seal")
	}
	for range subscribers {
		<-joined
	}
	n.Logs(0, last, "0xb", 1)
	n.Do("fakenode_seal")
	readers.Wait()

	all := servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": "earliest"})
	for i, logs := range received {
		require.NotEmpty(t, logs, "subscriber %d", i)
		require.Equal(t, all[len(all)-len(logs):], logs, "subscriber %d", i)
	}
}
