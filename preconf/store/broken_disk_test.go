package store_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf/store"
)

// Ensure what could not be written is written with what came since, whatever that is: networks, blocks, States,
// codes, reorgs, and copies that are made and dropped; and that a failed write leaves the file as it was.
func TestFailedWritesAreMadeUpFor(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	for seed := range laboratory.Budget(t, uint64(2), 6) {
		f := &forest{
			T: t, Rand: rand.New(rand.NewPCG(seed, 9)), path: filepath.Join(t.TempDir(), "state.db"), trees: make(map[string]*tree),
			seen: make(map[common.Hash]bool),
		}
		var broken error
		var err error
		f.store, err = store.OpenOnBrokenDisk(f.path, func() error { return broken })
		require.NoError(t, err)
		timeline := newTimeline(t, chain.Options{Track: true})
		f.trees["main"] = &tree{network: f.store.Network("main"), timeline: timeline}
		f.store.Network("main").Keep(timeline)
		failures := 0
		for range 40 {
			for range 1 + f.IntN(3) {
				f.thing()
			}
			if broken = nil; f.IntN(3) > 0 {
				broken = full
			}
			if err := f.store.Write(); broken != nil && err != nil {
				require.ErrorIs(t, err, full)
				require.ErrorContains(t, err, f.path+": ")
				failures++
			} else {
				require.NoError(t, err)
			}
		}
		require.Greater(t, failures, 10)
		broken = nil
		require.NoError(t, f.store.Write())
		is := make(map[string][]string)
		killed := killedAt(t, f.path)
		for _, n := range append([]*store.Network{killed.Network("main")}, killed.Copies()...) {
			restored, _ := load(t, n)
			is[treeName(n)] = f.picture(restored)
		}
		require.NoError(t, killed.Close())
		require.ElementsMatch(t, slices.Collect(maps.Keys(f.trees)), slices.Collect(maps.Keys(is)))
		for name, at := range f.trees {
			require.Equal(t, f.picture(at.timeline), is[name], name)
		}
		require.NoError(t, f.store.CloseByHand())
	}
}

// Ensure who keeps a node is told once that writing fails, and once that it works again, that the writer tries again
// by itself, and that Close returns the error if it still fails.
func TestWritingFailsAndWorksAgain(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	path := filepath.Join(t.TempDir(), "state.db")
	var broken atomic.Bool
	told := make(chan error, 16)
	s, err := store.OpenToFail(path, func() error {
		if broken.Load() {
			return full
		}
		return nil
	}, func(err error) { told <- err })
	require.NoError(t, err)
	timeline := newTimeline(t, chain.Options{Track: true})
	s.Network("main").Keep(timeline)
	wait := func() error {
		select {
		case err := <-told:
			return err
		case <-time.After(time.Minute):
			return errors.New("nothing was told within a minute")
		}
	}
	for range 2 {
		broken.Store(true)
		_, err = timeline.Seal(1)
		require.NoError(t, err)
		require.ErrorIs(t, wait(), full)
		_, err = timeline.Seal(1)
		require.NoError(t, err)
		broken.Store(false) // nothing else happens: it tries again after a second
		require.NoError(t, wait())
		require.Empty(t, told)
	}
	killed := killedAt(t, path)
	restored, _ := load(t, killed.Network("main"))
	require.EqualValues(t, 4, restored.Moment().Latest().Number())
	require.NoError(t, killed.Close())
	broken.Store(true)
	_, err = timeline.Seal(1)
	require.NoError(t, err)
	require.ErrorIs(t, s.Close(), full)
	require.ErrorIs(t, s.Close(), full)
}
