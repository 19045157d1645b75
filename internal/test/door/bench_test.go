package door_test

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// BenchmarkClone copies a node with a thousand blocks.
func BenchmarkClone(b *testing.B) {
	node := fakenode.RunConfigT(b, fakenode.Config{StartTime: time.Unix(1_700_000_000, 0)})
	_, err := node.Timeline().Seal(1_000)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, node.Clone().Close())
	}
}

// BenchmarkNewWorld copies a world with a thousand transactions over HTTP, and reports the median time and the memory
// that a world keeps.
func BenchmarkNewWorld(b *testing.B) {
	node := fakenode.RunConfigT(b, fakenode.Config{StartTime: time.Unix(1_700_000_000, 0), Worlds: fakenode.Worlds{Count: 1 << 30}})
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
