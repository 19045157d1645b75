package store_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// Ensure a clock that was moved by hand is in the file with the next transaction, so that it survives a kill, on a
// network and on a copy; also a real clock that was set forward, but not that one's own ticking.
func TestClockSurvivesKill(t *testing.T) {
	t.Parallel()
	for name, real := range map[string]bool{"manual": false, "real": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "state.db")
			s, err := store.OpenByHand(path)
			require.NoError(t, err)
			defer func() { require.NoError(t, s.CloseByHand()) }()
			on := newTimeline(t, chain.Options{Track: true}).Moment().Chain()
			main, err := preconf.New(preconf.Config{Chain: on, Start: time.Now(), Real: real})
			require.NoError(t, err)
			s.Network("main").Keep(main)
			world := main.Copy()
			s.Network("main").Copy(store.Name{World: "w", Network: "main"}, time.Unix(1, 0), world)
			require.NoError(t, s.Write())
			least := time.Millisecond // the shortest step that is written
			if real {
				least = time.Second
			}
			for _, timeline := range []*preconf.Timeline{main, world} {
				for _, move := range []func() error{
					func() error { return timeline.IncreaseTime(time.Hour) },
					func() error { return timeline.SetTime(timeline.Moment().Now().Add(time.Minute)) },
					func() error { _, err := timeline.Advance(least); return err },
				} {
					require.NoError(t, move())
					require.NoError(t, s.Write())
					killed := killedAt(t, path)
					for i, n := range append([]*store.Network{killed.Network("main")}, killed.Copies()...) {
						restored, _ := load(t, n)
						live := []*preconf.Timeline{main, world}[i].Moment()
						require.Equal(t, live.Now(), restored.Moment().Now())
						require.Equal(t, live.Pending().Header(), restored.Moment().Pending().Header())
					}
					require.NoError(t, killed.Close())
				}
			}
			if !real {
				return
			}
			written := time.Now()
			_, err = main.Advance(time.Second)
			require.NoError(t, err)
			require.NoError(t, s.Write())
			before, err := os.ReadFile(path)
			require.NoError(t, err)
			_, err = main.Advance(time.Since(written)) // it ticks as the wall clock does, however busy the machine is
			require.NoError(t, err)
			require.NoError(t, s.Write())
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, before, after)
		})
	}
}

// killedAt opens a copy of a file, as a process that was killed now leaves it.
func killedAt(t *testing.T, path string) *store.Store {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	left := filepath.Join(t.TempDir(), "left.db")
	require.NoError(t, os.WriteFile(left, data, 0o600))
	s, err := store.Open(left, store.Options{})
	require.NoError(t, err)
	return s
}
