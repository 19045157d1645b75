package store_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// A node with 100,000 empty blocks starts from its file.
func BenchmarkLoad100000(b *testing.B) {
	path := filepath.Join(b.TempDir(), "state.db")
	timeline, s := kept(b, path)
	_, err := timeline.Seal(100_000)
	require.NoError(b, err)
	require.NoError(b, s.Close())
	for b.Loop() {
		again, err := store.Open(path, store.Options{})
		require.NoError(b, err)
		loaded, err := again.Network("main").Load(nil, chain.Options{})
		require.NoError(b, err)
		require.EqualValues(b, 100_000, loaded.Chain.Head().Number())
		require.NoError(b, again.Close())
	}
}

// BenchmarkBesideSealing seals empty blocks by turns without a file and with one. It reports medians, which do not
// depend on other load of the machine.
func BenchmarkBesideSealing(b *testing.B) {
	alone := newTimeline(b, chain.Options{})
	beside, s := kept(b, filepath.Join(b.TempDir(), "state.db"))
	const blocks = 1_000
	var took [2][]time.Duration
	for b.Loop() {
		for i, timeline := range []*preconf.Timeline{alone, beside} {
			for range blocks {
				began := time.Now()
				_, err := timeline.Seal(1)
				took[i] = append(took[i], time.Since(began))
				require.NoError(b, err)
			}
		}
	}
	require.NoError(b, s.Close())
	var median [2]float64
	for i := range took {
		slices.Sort(took[i])
		median[i] = float64(took[i][len(took[i])/2].Nanoseconds())
	}
	b.ReportMetric(median[0], "alone-ns/block")
	b.ReportMetric(median[1], "kept-ns/block")
	b.ReportMetric(median[1]/median[0], "ratio")
}

// newTimeline returns a timeline on a new chain.
func newTimeline(tb testing.TB, o chain.Options) *preconf.Timeline {
	tb.Helper()
	config, err := chain.ForkConfig("osaka", 31337)
	require.NoError(tb, err)
	c, err := chain.New(&chain.Genesis{Config: config, GasLimit: 30_000_000, Alloc: chain.SystemContracts(config)}, o)
	require.NoError(tb, err)
	timeline, err := preconf.New(preconf.Config{Chain: c, Start: time.Unix(1_800_000_000, 0)})
	require.NoError(tb, err)
	return timeline
}

// kept returns a new timeline that is kept at path.
func kept(tb testing.TB, path string) (*preconf.Timeline, *store.Store) {
	tb.Helper()
	s, err := store.Open(path, store.Options{})
	require.NoError(tb, err)
	timeline := newTimeline(tb, chain.Options{Track: true})
	s.Network("main").Keep(timeline)
	return timeline, s
}
