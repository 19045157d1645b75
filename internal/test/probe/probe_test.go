// Package probe asks a node of each row about sixty questions over the wire, and compares the answers with a file: what
// a node of that name does is a fact that no change of the code beneath may touch.
package probe_test

import (
	"bytes"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

var update = flag.Bool("update", false, "rewrite the files with the answers")

// rows are the presets, under both profiles.
func rows() map[string]fakenode.Config {
	all := map[string]fakenode.Config{}
	for _, preset := range fakenode.Presets() {
		all[string(preset)] = fakenode.Config{Preset: preset}
		if preset.Chain().Wire.Profile == "" {
			all[string(preset)+"-geth"] = fakenode.Config{Preset: preset, Compat: fakenode.Geth}
		}
	}
	return all
}

// edited are rows with values of a user's.
var edited = map[string]fakenode.Config{
	"dev-no-preconf":       {NoPreconf: true},
	"dev-pending":          {Preconf: fakenode.PreconfPending},
	"dev-realtime":         {Preconf: fakenode.PreconfRealtime},
	"dev-megaeth":          {Preconf: fakenode.PreconfMegaETH},
	"dev-rise":             {Preconf: fakenode.PreconfRise},
	"dev-geth-pending":     {Preconf: fakenode.PreconfPending, Compat: fakenode.Geth},
	"dev-geth-megaeth":     {Preconf: fakenode.PreconfMegaETH, Compat: fakenode.Geth},
	"dev-geth-without":     {Compat: fakenode.Geth, FlashblockTime: fakenode.NoFlashblocks, Mode: fakenode.Instant},
	"anvil-flashblocks":    {Preset: fakenode.Anvil, FlashblockTime: 100 * time.Millisecond, Mode: fakenode.Manual},
	"anvil-megaeth":        {Preset: fakenode.Anvil, Preconf: fakenode.PreconfMegaETH, Order: fakenode.BySender},
	"hardhat-by-interval":  {Preset: fakenode.Hardhat, Order: fakenode.Fees, BlockTime: time.Second},
	"optimism-by-ethereum": {Preset: fakenode.Optimism, Rules: fakenode.EthereumRules},
}

// Ensure the nodes of all names answer as they did.
func TestProbe(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	below := chainBelow(t)
	for name, c := range rows() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireFile(t, name, func(out io.Writer) { playRow(t, out, c, below) })
		})
	}
	for name, c := range edited {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireFile(t, name, func(out io.Writer) { play(t, out, c) })
		})
	}
	for _, rules := range fakenode.SendSyncs() {
		t.Run("send-sync-"+string(rules), func(t *testing.T) {
			t.Parallel()
			requireFile(t, "send-sync-"+string(rules), func(out io.Writer) { playSending(t, out, fakenode.Config{SendSync: rules}) })
		})
	}
}

// Ensure a node with the chain file that another wrote answers as that one does.
func TestChainFileAnswersAlike(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	all := rows()
	maps.Copy(all, edited)
	for _, name := range laboratory.Budget(t, []string{"anvil", "base-geth", "optimism-by-ethereum"}, slices.Sorted(maps.Keys(all))) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := all[name]
			node, err := fakenode.New(c)
			require.NoError(t, err)
			defer node.Close()
			var file, out bytes.Buffer
			require.NoError(t, node.WriteChain(&file))
			read, err := fakenode.ReadChain(&file, start)
			require.NoError(t, err)
			play(t, &out, fakenode.Config{Chain: &read, NoPreconf: c.NoPreconf})
			want, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
			require.NoError(t, err)
			require.Equal(t, string(want[:min(len(want), out.Len())]), out.String())
		})
	}
}

// requireFile requires that answers are as in a file, or writes them there.
func requireFile(t *testing.T, name string, play func(io.Writer)) {
	var out bytes.Buffer
	play(&out)
	file := filepath.Join("testdata", name+".txt")
	if *update {
		require.NoError(t, os.WriteFile(file, out.Bytes(), 0o600))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}

// chainBelow returns the URL of a chain for forks.
func chainBelow(t *testing.T) string {
	node := fakenode.RunConfigT(t, fakenode.Config{ChainID: 7, StartTime: start})
	for range 3 {
		node.Seal()
	}
	return node.URL()
}
