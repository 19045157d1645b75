package integration_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure viem's watchBlocks follows five blocks a second through reorgs for five minutes and misses none. A
// subscription delivers every block of the chain. A poll delivers every number, but not what replaces a block it had:
// an application that compares parent hashes finds it.
func TestViemFollowsDenim(t *testing.T) {
	t.Parallel()
	type missed struct{ Numbers, Hashes, Entered int }
	got := runScript[struct {
		Blocks, Reorgs, Replaced int
		Heads                    int // that newHeads missed
		Polled, Pushed           missed
	}](t, fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Base}), "viem_blocks.mjs", "300")
	require.Greater(t, got.Blocks, 1_400)
	require.Greater(t, got.Reorgs, 50)
	require.Greater(t, got.Replaced, 300)
	require.Zero(t, got.Heads)
	require.Equal(t, missed{}, got.Pushed)
	require.Zero(t, got.Polled.Numbers)
	require.Zero(t, got.Polled.Entered)
	require.Equal(t, got.Replaced, got.Polled.Hashes, "a poll alone misses what replaces a block")
}
