package fakenode_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// BenchmarkNewWorld copies a world with a thousand transactions over HTTP, and reports the median time and the memory
// that a world keeps.
func BenchmarkNewWorld(b *testing.B) {
	node := fakenode.RunConfigT(b, fakenode.Config{StartTime: fixedStart, Worlds: 1 << 30})
	to := node.Account(1).Address
	for i := range 1_000 {
		_, err := node.Transact(node.Account(0), fakenode.Tx{To: &to, Value: uint256.NewInt(1), Gas: 21_000})
		require.NoError(b, err)
		if i%10 == 9 {
			node.Seal()
		}
	}
	post(b, node.URL(), "eth_blockNumber")
	heap := liveHeap()
	var took []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		began := time.Now()
		require.Contains(b, post(b, node.URL(), "fakenode_newWorld"), "webSocketUrl")
		took = append(took, time.Since(began))
	}
	b.ReportMetric(float64(liveHeap()-heap)/float64(len(took)), "kept-B/op")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "median-µs")
	for _, name := range []string{"world-1", fmt.Sprintf("world-%d", len(took))} {
		require.Contains(b, post(b, node.URL()+"/w/"+name, "eth_blockNumber"), `"0x64"`)
	}
	runtime.KeepAlive(node)
}

// BenchmarkWorldTicks has two hundred worlds make flashblocks and blocks by the wall clock for 30 seconds, each for a
// WebSocket of its own, and reports how late the notifications come at most, and in the median.
func BenchmarkWorldTicks(b *testing.B) {
	const worlds, length, blockTime, flashblockTime = 200, 30 * time.Second, 2 * time.Second, 200 * time.Millisecond
	node, err := fakenode.New(fakenode.Config{Mode: fakenode.Interval, RealClock: true, BlockTime: blockTime, FlashblockTime: flashblockTime})
	require.NoError(b, err)
	defer node.Close()
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	go func() { _ = node.Run(ctx) }()
	var sockets []*websocket.Conn
	for i := range worlds {
		ws, _, err := websocket.DefaultDialer.Dial(fmt.Sprintf("%s/%d", node.WebSocketURL(), i+1), nil)
		require.NoError(b, err)
		defer ws.Close()
		require.NoError(b, ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newFlashblocks"]}`)))
		_, _, err = ws.ReadMessage()
		require.NoError(b, err)
		sockets = append(sockets, ws)
	}
	for b.Loop() {
		until := time.Now().Add(length)
		arrived := make([][]arrival, worlds)
		var readers sync.WaitGroup
		for i, ws := range sockets {
			readers.Go(func() {
				for time.Now().Before(until) {
					_, message, err := ws.ReadMessage()
					if err != nil {
						b.Error(err)
						return
					}
					arrived[i] = append(arrived[i], arrival{time.Now(), message})
				}
			})
		}
		readers.Wait()
		late := lateness(b, arrived, blockTime, flashblockTime)
		b.ReportMetric(float64(len(late)), "ticks")
		b.ReportMetric(float64(late[len(late)/2].Microseconds())/1000, "median-ms-late")
		b.ReportMetric(float64(late[len(late)*99/100].Microseconds())/1000, "p99-ms-late")
		b.ReportMetric(float64(late[len(late)-1].Microseconds())/1000, "most-ms-late")
	}
}

// arrival is a notification of newFlashblocks, and when it came.
type arrival struct {
	at      time.Time
	message []byte
}

// lateness returns how long after their due time the notifications came, sorted, from the second block on. The clocks
// of all worlds are behind the wall clock by the same, which is taken from the notification that came soonest.
func lateness(b *testing.B, arrived [][]arrival, blockTime, flashblockTime time.Duration) []time.Duration {
	var late []time.Duration
	for _, world := range arrived {
		number, index := "", -1
		for _, a := range world {
			var notification struct {
				Params struct {
					Result struct{ Number, Timestamp string }
				}
			}
			require.NoError(b, json.Unmarshal(a.message, &notification))
			block := notification.Params.Result
			switch {
			case block.Number == number && index >= 0:
				index++
			case block.Number != number && number != "":
				index = 0
			}
			number = block.Number
			if index < 0 {
				continue
			}
			seconds, err := strconv.ParseInt(block.Timestamp, 0, 64)
			require.NoError(b, err)
			due := time.Unix(seconds, 0).Add(time.Duration(index)*flashblockTime - blockTime)
			late = append(late, a.at.Sub(due))
		}
	}
	slices.Sort(late)
	soonest := late[0]
	for i := range late {
		late[i] -= soonest
	}
	return late
}

func liveHeap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// post calls a method without parameters and returns the answer.
func post(tb testing.TB, url, method string) string {
	tb.Helper()
	answer, err := http.Post(url, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`))
	require.NoError(tb, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(tb, err)
	return string(text)
}
