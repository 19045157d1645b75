package door_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/gorilla/websocket"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// BenchmarkNewWorld copies a world with a thousand transactions over HTTP, and reports the median time and the memory
// that a world keeps.
func BenchmarkNewWorld(b *testing.B) {
	node := fakenode.RunConfigT(b, fakenode.Config{StartTime: time.Unix(1_700_000_000, 0), Worlds: 1 << 30})
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

// BenchmarkWorldTicks has two hundred worlds of the binary make flashblocks and blocks by the wall clock for 30
// seconds, each for a WebSocket of its own. It reports how late the notifications come, and the processor time of the
// node.
func BenchmarkWorldTicks(b *testing.B) {
	const worlds, length, blockTime, flashblockTime = 200, 30 * time.Second, 2 * time.Second, 200 * time.Millisecond
	address, spent := startBinary(b)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the client's collector is not what is measured
	var sockets []*websocket.Conn
	for i := range worlds {
		ws, _, err := websocket.DefaultDialer.Dial(fmt.Sprintf("ws://%s/%d", address, i+1), nil)
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
	b.ReportMetric(100*float64(spent())/float64(b.Elapsed()), "%-of-a-core")
}

// startBinary builds the program and starts it on a free port. spent ends it and returns its processor time.
func startBinary(b *testing.B) (address string, spent func() time.Duration) {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "fakenode")
	output, err := exec.CommandContext(b.Context(), "go", "build", "-o", binary, "./cmd/fakenode").CombinedOutput()
	require.NoError(b, err, "%s", output)
	node := exec.CommandContext(b.Context(), binary, "--port", "0", "--quiet")
	node.Stderr = os.Stderr
	out, err := node.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, node.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(b, err)
	address, _ = strings.CutPrefix(strings.TrimSpace(line), "Listening on ")
	return address, func() time.Duration {
		require.NoError(b, node.Process.Signal(os.Interrupt))
		_ = node.Wait()
		return node.ProcessState.UserTime() + node.ProcessState.SystemTime()
	}
}

// arrival is a notification of newFlashblocks, and when it came.
type arrival struct {
	at      time.Time
	message []byte
}

// lateness returns how long after their due time the notifications came, sorted, from the second block on. By how much
// the clock of a world is behind the wall clock is taken from the notification that came soonest.
func lateness(b *testing.B, arrived [][]arrival, blockTime, flashblockTime time.Duration) []time.Duration {
	var late []time.Duration
	for _, world := range arrived {
		number, index := "", -1
		own := len(late)
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
		soonest := slices.Min(late[own:])
		for i := range late[own:] {
			late[own+i] -= soonest
		}
	}
	slices.Sort(late)
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
	return postBody(tb, url, `{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`)
}

// postBody sends a request and returns the answer.
func postBody(tb testing.TB, url, body string) string {
	tb.Helper()
	answer, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(tb, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(tb, err)
	return string(text)
}

// BenchmarkKeptWorlds makes a thousand worlds of a node with Config.State over HTTP and sends one transaction to each,
// once closing each world again and once keeping them. It reports the time of a world, what the file has of it, and how
// long the next start takes.
func BenchmarkKeptWorlds(b *testing.B) {
	const worlds = 1_000
	for name, closed := range map[string]bool{"closed": true, "kept": false} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				state := filepath.Join(b.TempDir(), "state.db")
				config := fakenode.Config{StartTime: time.Unix(1_700_000_000, 0), State: state, Mode: fakenode.Instant}
				node, err := fakenode.New(config)
				require.NoError(b, err)
				for range 100 {
					node.Seal()
				}
				post(b, node.URL(), "eth_blockNumber")
				require.NoError(b, node.Close())
				before := fileSize(b, state)
				node, err = fakenode.New(config)
				require.NoError(b, err)
				raw := rawTransfer(b, node)
				heap := liveHeap()
				began := time.Now()
				for i := range worlds {
					name := "w" + strconv.Itoa(i)
					postBody(b, node.URL(), `{"jsonrpc":"2.0","id":1,"method":"fakenode_newWorld","params":[{"name":"`+name+`"}]}`)
					postBody(b, node.URL()+"/w/"+name, `{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["`+raw+`"]}`)
					if closed {
						postBody(b, node.URL(), `{"jsonrpc":"2.0","id":1,"method":"fakenode_closeWorld","params":["`+name+`"]}`)
					}
				}
				b.ReportMetric(float64(time.Since(began).Microseconds())/worlds, "µs/world")
				b.ReportMetric(float64(liveHeap()-heap)/worlds, "kept-B/world")
				began = time.Now()
				require.NoError(b, node.Close())
				b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms-to-close")
				b.ReportMetric(float64(fileSize(b, state)-before)/worlds, "file-B/world")
				heap = liveHeap()
				began = time.Now()
				node, err = fakenode.New(config)
				require.NoError(b, err)
				b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms-to-start")
				b.ReportMetric(float64(int64(liveHeap())-int64(heap))/worlds, "started-B/world")
				require.NoError(b, node.Close())
			}
		})
	}
}

func fileSize(tb testing.TB, path string) int64 {
	tb.Helper()
	info, err := os.Stat(path)
	require.NoError(tb, err)
	return info.Size()
}

// rawTransfer returns a signed transfer of account 0 in hexadecimal.
func rawTransfer(tb testing.TB, node *fakenode.Node) string {
	tb.Helper()
	tx, err := types.SignNewTx(node.Account(0).Key, types.LatestSignerForChainID(big.NewInt(31337)), &types.LegacyTx{
		GasPrice: big.NewInt(1e11), Gas: 21_000, To: &common.Address{1},
	})
	require.NoError(tb, err)
	raw, err := tx.MarshalBinary()
	require.NoError(tb, err)
	return hexutil.Encode(raw)
}
