package integration_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure viem's op-stack actions work with viem's own chain definitions: a deposit and a withdrawal through all their
// states, and through reorgs of the L1 that move and lose them.
func TestViemBridge(t *testing.T) {
	t.Parallel()
	for preset, chain := range map[fakenode.Preset]string{fakenode.Base: "base", fakenode.Optimism: "optimism", fakenode.Unichain: "unichain"} {
		t.Run(chain, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, L1: true, StartTime: time.Unix(1_800_000_000, 0)})
			got := runScript[struct {
				Deposited, Moved, Lost, Proven, Paid, Unpaid bool
				States, Answered                             []string
				Old                                          string
			}](t, node, "l1.mjs", chain)
			require.True(t, got.Deposited)
			require.True(t, got.Moved)
			require.True(t, got.Lost)
			require.True(t, got.Proven)
			require.True(t, got.Paid)
			require.True(t, got.Unpaid)
			require.Equal(t, []string{
				"waiting-to-prove", "ready-to-prove", "waiting-to-finalize", "ready-to-prove", "waiting-to-finalize",
				"ready-to-finalize", "finalized", "ready-to-finalize",
			}, got.States)
			require.Equal(t, got.States, got.Answered, "fakenode_bridge")
			require.Equal(t, chain == "base", got.Old == "built")
		})
	}
}

// Ensure 200 deposits as viem's documentation writes them arrive, on each chain with an L1: viem estimates them without
// a sender.
func TestViemDeposits(t *testing.T) {
	t.Parallel()
	for preset, chain := range map[fakenode.Preset]string{
		fakenode.Base: "base", fakenode.BaseFlashblocks: "base", fakenode.Optimism: "optimism", fakenode.Unichain: "unichain",
	} {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, L1: true, StartTime: time.Unix(1_800_000_000, 0)})
			got := runScript[struct {
				Deposits int
				Arrived  string
			}](t, node, "deposits.mjs", chain)
			require.Equal(t, 200, got.Deposits)
			require.Equal(t, "200000000000000020100", got.Arrived, "a bit more than 200 ether, in wei")
		})
	}
}
