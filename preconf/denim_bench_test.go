package preconf_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

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
