package stream_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/feed"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
	"github.com/fakenode/fakenode/rpcserver/stream"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// numbered is a head as the tests read it.
type numbered struct{ Number hexutil.Uint64 }

// Ensure subscribers of a replica hear of a block when the replica has it, in order and once, with those who joined at
// different times and while they ask nothing.
func TestSubscriptionsOfReplica(t *testing.T) {
	t.Parallel()
	replicas, err := control.NewReplicas(control.ReplicaConfig{Count: 1, Lag: []control.Replica{{Blocks: 2}}, Seed: 5})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Replicas: replicas}, rpcserver.Config{})
	on := func(path string) *servertest.Socket {
		return &servertest.Socket{Network: n, Conn: servertest.DialAt(t, n.Server, path)}
	}
	near, far := on(""), on("/replica/1")
	nearHeads, farHeads := near.Subscribe("newHeads"), far.Subscribe("newHeads")
	var lateHeads string
	late := on("/replica/1")
	for i := range uint64(6) {
		n.Do("fakenode_seal")
		told := servertest.Items[numbered](t, []servertest.Message{near.Read()}, nearHeads)
		require.Equal(t, []numbered{{hexutil.Uint64(i + 1)}}, told)
		if i == 3 {
			lateHeads = late.Subscribe("newHeads")
		}
		if i >= 2 {
			told := servertest.Items[numbered](t, []servertest.Message{far.Read()}, farHeads)
			require.Equal(t, []numbered{{hexutil.Uint64(i - 1)}}, told)
		}
	}
	for i := range uint64(2) {
		told := servertest.Items[numbered](t, []servertest.Message{late.Read()}, lateHeads)
		require.Equal(t, []numbered{{hexutil.Uint64(i + 3)}}, told)
	}
	require.Empty(t, far.Told("eth_chainId"))
}

// turns is a tap that lets one message after another have its turn.
type turns struct{ sync.Mutex }

func (t *turns) Begin()                { t.Lock() }
func (t *turns) End()                  { t.Unlock() }
func (t *turns) Note(jsonrpc.TapEvent) {}

// Ensure where a tap sees the messages all connections hear of what a request caused before its answer, and that one
// which ends its subscription hears no more.
func TestSubscriptionsUnderTap(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Worlds: world.Config{Tap: func(*world.Network) jsonrpc.Tap { return new(turns) }}})
	one, other := n.Socket(), n.Socket()
	first, second := one.Subscribe("newHeads"), other.Subscribe("newHeads")
	for i := range uint64(3) {
		told := one.Told("fakenode_seal")
		require.Equal(t, []numbered{{hexutil.Uint64(i + 1)}}, servertest.Items[numbered](t, told, first))
		require.Equal(t, []numbered{{hexutil.Uint64(i + 1)}}, servertest.Items[numbered](t, []servertest.Message{other.Read()}, second))
	}
	answer, _ := other.Ask("eth_unsubscribe", second)
	require.Equal(t, "true", string(answer.Result))
	require.Len(t, servertest.Items[numbered](t, one.Told("fakenode_seal"), first), 1)
	require.Empty(t, other.Told("eth_chainId"))
	again := other.Subscribe("newHeads")
	require.Len(t, servertest.Items[numbered](t, other.Told("fakenode_seal"), again), 1)
	both := other.Subscribe("newHeads")
	told := other.Told("fakenode_seal")
	require.Len(t, servertest.Items[numbered](t, told, again), 1)
	require.Len(t, servertest.Items[numbered](t, told, both), 1)
}

// Ensure what is encoded for a connection that is ahead of others is kept for them, for 64 events and no more, and only
// until all have it.
func TestAnnouncementsAreShared(t *testing.T) {
	t.Parallel()
	s := newStage(t, jsonrpc.Limits{})
	one, other := s.dial(), s.dial()
	behind, ahead := s.join(one), s.join(other)
	for range 2 {
		s.happen(66)
		s.hub.CatchUp(ahead.sub.Connection())
		require.Len(t, ahead.told, 66)
		require.Empty(t, behind.told)
		s.hub.CatchUp(behind.sub.Connection())
		require.Len(t, behind.told, 66)
		for i := range ahead.told {
			require.Equal(t, i < 64, ahead.told[i].as == behind.told[i].as, "event %d", i+1)
		}
		s.hub.CatchUp(jsonrpc.AllConnections)
		require.Len(t, ahead.told, 66, "once to each")
		runtime.GC()
		for i := range ahead.told {
			require.Nil(t, ahead.told[i].as.Value(), "event %d", i+1)
		}
		ahead.told, behind.told = nil, nil
	}

	s.happen(3)
	s.hub.CatchUp(ahead.sub.Connection())
	s.leave(one, behind)
	s.leave(other, ahead)
	runtime.GC()
	require.Len(t, ahead.told, 3)
	for i := range ahead.told {
		require.Nil(t, ahead.told[i].as.Value(), "nobody is left: event %d", i+1)
	}
	s.happen(100)
	again, late := s.join(one), s.join(other)
	s.happen(2)
	s.hub.CatchUp(again.sub.Connection())
	s.hub.CatchUp(late.sub.Connection())
	require.Len(t, again.told, 2)
	require.Equal(t, again.told, late.told, "shared from the first event on")
}

// Ensure a connection that is behind by more events than are kept is closed with the reason, while the hub, which was
// as far behind, goes on for another one that was not.
func TestConnectionTooFarBehind(t *testing.T) {
	t.Parallel()
	s := newStage(t, jsonrpc.Limits{})
	one, other := s.dial(), s.dial()
	behind, ahead := s.join(one), s.join(other)
	const events = 80_000
	for range events / 10_000 {
		s.happen(10_000)
		s.hub.CatchUp(ahead.sub.Connection())
	}
	require.Equal(t, events, len(ahead.told))
	s.hub.CatchUp(jsonrpc.AllConnections)
	require.False(t, behind.sub.IsOpen())
	require.Less(t, len(behind.told), 10_000, "the list was cut")
	require.NoError(t, one.SetReadDeadline(time.Now().Add(time.Minute)))
	_, _, err := one.ReadMessage()
	var closed *websocket.CloseError
	require.ErrorAs(t, err, &closed)
	require.Equal(t, websocket.CloseTryAgainLater, closed.Code)
	require.Equal(t, "too slow: "+feed.ErrSlow.Error(), closed.Text)

	before := len(behind.told)
	s.Seal(1)
	s.hub.CatchUp(jsonrpc.AllConnections)
	require.Equal(t, events+1, len(ahead.told))
	require.Equal(t, preconf.HeadAdded, ahead.told[events].kind)
	require.Equal(t, before, len(behind.told))
	s.leave(other, ahead)
}

// Ensure whatever items a subscription gets count as unread, so that a client that reads none of them is cut off at the
// limit of memory.
func TestItemsCountAsUnread(t *testing.T) {
	t.Parallel()
	pace := stream.Pace{Block: time.Second, Flashblock: 250 * time.Millisecond}
	for name, items := range map[string]stream.Items{
		"heads": func(a *stream.Announcement) []json.RawMessage {
			made := stream.Heads(a)
			if again := stream.Heads(a); len(made) > 0 {
				require.Same(t, &made[0][0], &again[0][0], "encoded once for all")
			}
			return made
		},
		"counted heads":           stream.CountedHeads(pace),
		"flashblocks":             stream.Flashblocks,
		"mini-blocks":             stream.MiniBlocks(pace),
		"changes":                 stream.StateChanges(nil),
		"shreds":                  stream.Shreds(true),
		"transactions":            stream.FlashblockTransactions,
		"hashes":                  stream.FlashblockHashes,
		"pooled":                  stream.PooledTransaction,
		"pooled hashes":           stream.PooledHash,
		"receipts":                stream.Receipts,
		"logs of the transaction": func(a *stream.Announcement) []json.RawMessage { return stream.Logs(a, a.Logs) },
		"receipts of it": func(a *stream.Announcement) []json.RawMessage {
			if a.Kind != preconf.HeadAdded {
				return nil
			}
			return a.ReceiptsOf(shape.HashesOf(a.View.Transactions()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, jsonrpc.Limits{SubscribersMemory: 130})
			require.NoError(t, s.endpoint.Fail(jsonrpc.Fault{Method: "event", Latency: time.Hour}))
			s.items = items
			m := s.join(s.dial())
			s.Logs(0, "0xa", "0xb", 1)
			s.Preconfirm()
			s.Seal(1)
			require.True(t, m.sub.IsOpen())
			s.hub.CatchUp(jsonrpc.AllConnections)
			require.False(t, m.sub.IsOpen())
		})
	}
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
	n.Server.Close() // waits for every connection
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
