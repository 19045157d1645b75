package keeping

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// Ensure the user is told how long writing takes, that it fails, and that it works again, with the file.
func TestWritingIsTold(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	plain := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	o := Options{Path: "node.db", Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: plain}))}.storeOptions()
	o.Progress("writing takes long")
	o.Failed(errors.New("the disk is full"))
	o.Failed(nil)
	require.Equal(t, `level=WARN msg="writing takes long"
level=ERROR msg="the state cannot be kept; trying again every second" error="the disk is full"
level=WARN msg="the state is kept again" file=node.db
`, log.String())
}

// Ensure a world is whole with all of its networks and no other, and has those that are there.
func TestWholeWorlds(t *testing.T) {
	t.Parallel()
	some := func(there bool) *store.Network {
		if there {
			return new(store.Network)
		}
		return nil
	}
	for i := range 8 {
		main, testnet, l1 := i&1 > 0, i&2 > 0, i&4 > 0
		w := worldInFile{main: some(main), testnet: some(testnet), l1: some(l1)}
		require.Equal(t, main && testnet && l1, w.whole(true), i)
		require.Equal(t, main && testnet && !l1, w.whole(false), i)
		count := 0
		for _, there := range []bool{main, testnet, l1} {
			if there {
				count++
			}
		}
		require.Len(t, w.networks(), count)
	}
}

// Ensure each network has the timeline that is described for it, on its own chain.
func TestTimelinesOfNetworks(t *testing.T) {
	t.Parallel()
	o := Options{Main: preconf.Config{BlockTime: 1}, Testnet: preconf.Config{BlockTime: 2}, L1: &preconf.Config{BlockTime: 3}}
	on := new(chain.Chain)
	for network, want := range map[string]time.Duration{"main": 1, "testnet": 2, "l1": 3} {
		config := o.timeline(network, on)
		require.Equal(t, want, config.BlockTime, network)
		require.Same(t, on, config.Chain, network)
	}
	require.Nil(t, o.L1.Chain)
}
