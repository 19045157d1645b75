package integration_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
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
			node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, L1: &fakenode.L1Config{}, StartTime: time.Unix(1_800_000_000, 0)})
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
			node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, L1: &fakenode.L1Config{}, StartTime: time.Unix(1_800_000_000, 0)})
			got := runScript[struct {
				Deposits int
				Arrived  string
			}](t, node, "deposits.mjs", chain)
			require.Equal(t, 200, got.Deposits)
			require.Equal(t, "200000000000000020100", got.Arrived, "a bit more than 200 ether, in wei")
		})
	}
}

// Ensure viem takes withdrawals through the courses of docs/l1.md's scenarios, with games about super roots, whether it
// is given their time or takes that of the receipt, and with games about blocks; and that code from before super roots
// does not prove by them.
func TestViemScenarios(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		preset fakenode.Preset
		game   uint32
		flow   string
	}{
		{fakenode.Optimism, 9, "given"},
		{fakenode.Optimism, 9, "receipt"},
		{fakenode.Optimism, 8, "number"},
		{fakenode.Unichain, 9, "given"},
		{fakenode.Unichain, 9, "receipt"},
	} {
		t.Run(fmt.Sprintf("%s/%d/%s", c.preset, c.game, c.flow), func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{Preset: c.preset, L1: &fakenode.L1Config{GameType: c.game}, StartTime: time.Unix(1_800_000_000, 0)})
			type course struct {
				States, Refused []string
				Received        float64
			}
			got := runScript[struct {
				Courses map[string]course
				Old     []string
			}](t, node, "l1_scenarios.mjs", string(c.preset), c.flow)
			require.Equal(t, map[string]course{
				"FinalizedTooEarly": {
					[]string{"waiting-to-prove", "waiting-to-finalize", "waiting-to-finalize", "ready-to-finalize", "finalized"},
					[]string{portalError("ProofNotOldEnough")}, 1,
				},
				"GameBlacklisted": {
					[]string{"waiting-to-prove", "waiting-to-finalize", "ready-to-prove", "waiting-to-finalize", "finalized"},
					[]string{}, 1,
				},
				"PortalPaused": {
					[]string{"waiting-to-prove", "waiting-to-finalize", "ready-to-finalize", "finalized"},
					[]string{portalError("CallPaused")}, 1,
				},
				"ProvedTwice": {
					[]string{"waiting-to-prove", "waiting-to-finalize", "finalized", "finalized"},
					[]string{portalError("AlreadyFinalized")}, 1,
				},
				"WithdrawalProvenAgainstBadRoot": {
					[]string{"waiting-to-prove", "waiting-to-finalize", "waiting-to-finalize", "ready-to-prove"},
					[]string{portalError("InvalidRootClaim"), portalError("InvalidMerkleProof")}, 0,
				},
			}, got.Courses)
			require.Len(t, got.Old, 6)
			for _, old := range got.Old {
				// With games about blocks this is how it waits; with super roots it takes a game from before the withdrawal.
				require.Equal(t, c.flow == "number" || old == got.Old[0], old == "Dispute game not found.", old)
				require.NotEqual(t, "proven", old)
			}
			if c.flow != "number" {
				require.Equal(t, portalError("InvalidMerkleProof"), got.Old[1])
			}
		})
	}
}

// portalError returns the selector of an error of the portal, which viem's older interface of it does not name.
func portalError(name string) string {
	return hexutil.Encode(crypto.Keccak256([]byte("OptimismPortal_" + name + "()"))[:4])
}
