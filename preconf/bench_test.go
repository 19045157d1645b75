package preconf_test

import (
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
)

func BenchmarkPreconfirm100Transfers(b *testing.B) {
	timeline := newTimeline(b, preconf.Config{})
	var txs []*types.Transaction
	for i := range uint64(100) {
		txs = append(txs, accounts[i%8].pay(i/8, accounts[0].address, 1))
	}
	send(b, timeline, txs...)
	id := timeline.Snapshot()
	for b.Loop() {
		require.Len(b, preconfirm(b, timeline).Transactions, 100)
		b.StopTimer()
		require.NoError(b, timeline.Revert(id))
		b.StartTimer()
	}
}

func BenchmarkSend(b *testing.B) {
	timeline := newTimeline(b, preconf.Config{})
	txs := make([]*types.Transaction, 10_000)
	for i := range txs {
		txs[i] = accounts[i%8].pay(uint64(i/8), accounts[0].address, 1)
	}
	id := timeline.Snapshot()
	n := 0
	for b.Loop() {
		require.NoError(b, timeline.Send(txs[n]))
		if n++; n == len(txs) {
			n = 0
			require.NoError(b, timeline.Revert(id))
		}
	}
}

func BenchmarkSealEmpty(b *testing.B) {
	timeline := newTimeline(b, preconf.Config{})
	for b.Loop() {
		_, err := timeline.Seal(1)
		require.NoError(b, err)
	}
}

// A seal costs the same however many filters are installed.
func BenchmarkSealWithFilters(b *testing.B) {
	for _, count := range []int{0, 1, 10_000} {
		b.Run(strconv.Itoa(count), func(b *testing.B) {
			timeline := newTimeline(b, preconf.Config{})
			for range count {
				newBlockFilter(b, timeline)
			}
			for b.Loop() {
				_, err := timeline.Seal(1)
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkAdvanceIdleDay(b *testing.B) {
	for b.Loop() {
		timeline := newTimeline(b, preconf.Config{})
		require.EqualValues(b, 43_200, advance(b, timeline, 24*time.Hour).BlockNumber)
	}
}

func BenchmarkSnapshotRevert(b *testing.B) {
	timeline := newTimeline(b, preconf.Config{})
	send(b, timeline, accounts[0].emit(0, 1, 1))
	seal(b, timeline, 100)
	for b.Loop() {
		id := timeline.Snapshot()
		require.NoError(b, timeline.RevertOnce(id))
	}
}

func BenchmarkPendingCallView(b *testing.B) {
	for name, prepare := range map[string]func(*preconf.Timeline){
		"preconfirmed": func(timeline *preconf.Timeline) { preconfirm(b, timeline) },
		"empty":        func(*preconf.Timeline) {},
	} {
		b.Run(name, func(b *testing.B) {
			timeline := newTimeline(b, preconf.Config{})
			prepare(timeline)
			for b.Loop() {
				_, err := timeline.Moment().Pending().CallView()
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkLogsPending(b *testing.B) {
	timeline := newTimeline(b, preconf.Config{})
	for i := range uint64(100) {
		send(b, timeline, accounts[0].emit(i, 1, byte(i)))
	}
	preconfirm(b, timeline)
	for b.Loop() {
		logs, err := timeline.Moment().Logs(chain.LogFilter{}, pending, pending)
		require.NoError(b, err)
		n := 0
		for range logs {
			n++
		}
		require.Equal(b, 100, n)
	}
}

// BenchmarkIdleHour makes the 18,000 blocks of 200 ms of an hour in which nothing happens, by Denim's rules and by
// Ethereum's. It shows how many bytes a block takes for ever: the hour before filled the history of States.
func BenchmarkIdleHour(b *testing.B) {
	for name, start := range map[string]func(testing.TB) *preconf.Timeline{
		"denim": func(b testing.TB) *preconf.Timeline { return newDenim(b, preconf.Config{}) },
		"ethereum": func(b testing.TB) *preconf.Timeline {
			return newTimeline(b, preconf.Config{BlockTime: 200 * time.Millisecond, NoPreconf: true})
		},
	} {
		b.Run(name, func(b *testing.B) {
			timeline := start(b)
			made := advance(b, timeline, time.Hour).BlockNumber
			for b.Loop() {
				before := liveMemory()
				made += 18_000
				require.Equal(b, made, advance(b, timeline, time.Hour).BlockNumber)
				b.ReportMetric(float64(liveMemory()-before)/18_000, "B/block")
				runtime.KeepAlive(timeline)
			}
		})
	}
}

// liveMemory returns the bytes that are in use.
func liveMemory() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
