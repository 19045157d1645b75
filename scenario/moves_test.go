package scenario_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/scenario"
)

// Ensure every story is made of the same moves on every node, and leaves so many orphans, so much received, and the
// payment and the head in these blocks.
func TestMoves(t *testing.T) {
	t.Parallel()
	for want, list := range map[string][]scenario.Scenario{moves: scenario.All(), crossingMoves: scenario.Crossings()} {
		config := fakenode.Config{StartTime: time.Unix(1_800_000_000, 0)}
		if want == crossingMoves {
			config.Preset, config.L1 = fakenode.Optimism, true
		}
		var told strings.Builder
		for _, s := range list {
			node := fakenode.RunConfigT(t, config)
			story, err := node.Story(s.Name, fakenode.ScenarioParams{})
			require.NoError(t, err)
			fmt.Fprintln(&told, s.Name)
			move, err := story.Next(t.Context())
			for ; err == nil && !move.Done; move, err = story.Next(t.Context()) {
				fmt.Fprintln(&told, " ", move.Did)
			}
			require.NoError(t, err)
			c := move.Conclusion
			require.Equal(t, s.Name, c.Scenario)
			fmt.Fprintf(&told, "  = %d orphans, received %s, block %d, head %d\n", len(c.Orphans), c.Received, c.BlockNumber, node.BlockNumber())
		}
		require.Equal(t, want, told.String())
	}
}

const moves = `BundleRevertedByNeighbour
  Blocks were sealed up to 1.
  It was sent: the payment waits in the pool.
  Flashblock 0 of block 2 came: the payment is pre-confirmed.
  Blocks were sealed up to 2: the payment is in block 2, where it failed.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 3: the payment is in block 3.
  = 0 orphans, received 25000000, block 3, head 3
CaptureReorgedOut
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 1: the payment is in block 1.
  A reorg replaced 1 blocks by 2: the payment is only in a block that a reorg removed.
  = 1 orphans, received 0, block 0, head 2
CaptureThenReorg
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 1: the payment is in block 1.
  A reorg replaced 1 blocks by 2: the payment is in block 2.
  = 1 orphans, received 25000000, block 2, head 2
CeilingExceeded
  Blocks were sealed up to 1.
  It was sent: the payment waits in the pool.
  Flashblock 0 of block 2 came: the payment is pre-confirmed.
  Blocks were sealed up to 2: the payment is in block 2, where it failed.
  = 0 orphans, received 15000000, block 0, head 2
ChannelDepositReorgedOut
  Blocks were sealed up to 1.
  A reorg replaced 1 blocks by 2.
  It was sent: the payment waits in the pool.
  Flashblock 0 of block 3 came: the payment is pre-confirmed.
  Blocks were sealed up to 3: the payment is in block 3, where it failed.
  = 0 orphans, received 0, block 0, head 3
ClaimRacesWithdrawal
  Blocks were sealed up to 1.
  Blocks were sealed up to 2.
  It was sent: the payment waits in the pool.
  Flashblock 0 of block 3 came: the payment is pre-confirmed.
  Blocks were sealed up to 3: the payment is in block 3, where it failed.
  = 0 orphans, received 0, block 0, head 3
DeepReorg
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 10: the payment is in block 1.
  A reorg replaced 10 blocks by 11: the payment is in block 2.
  = 1 orphans, received 25000000, block 2, head 11
DelegationFrontRun
  Blocks were sealed up to 1.
  It was sent: the payment waits in the pool.
  Flashblock 0 of block 2 came: the payment is pre-confirmed.
  Blocks were sealed up to 2: the payment is in block 2, where it failed.
  = 0 orphans, received 0, block 0, head 2
DepositSeenThenLost
  It was sent: the payment waits in the pool.
  Flashblock 0 of block 1 came: the payment is pre-confirmed.
  The fault drop struck. Blocks were sealed up to 1: nothing is left of the payment.
  = 0 orphans, received 0, block 0, head 1
FeeSpikeWhileCapturing
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 1: the payment waits in the pool.
  Blocks were sealed up to 2: the payment waits in the pool.
  Blocks were sealed up to 3: the payment waits in the pool.
  Blocks were sealed up to 4: the payment is in block 4.
  = 0 orphans, received 25000000, block 4, head 4
FlappingHead
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 1: the payment is in block 1.
  A reorg replaced 1 blocks by 2: the payment is only in a block that a reorg removed.
  A reorg replaced 2 blocks by 3: the payment is in block 1.
  A reorg replaced 3 blocks by 4: the payment is only in a block that a reorg removed.
  = 2 orphans, received 0, block 0, head 4
HeadGoesBack
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 3: the payment is in block 1.
  A node that is two blocks behind answers: the head goes back: the payment is in block 1.
  The node has caught up: the payment is in block 1.
  = 0 orphans, received 25000000, block 1, head 3
LateBlock
  The fault lateBlock struck. It was sent: the payment waits in the pool.
  Flashblock 0 of block 1 came: the payment is pre-confirmed.
  Blocks were sealed up to 0: the payment is pre-confirmed.
  Flashblock 0 of block 2 came: the payment is pre-confirmed.
  Blocks were sealed up to 2: the payment is in block 1.
  = 0 orphans, received 25000000, block 1, head 2
LogsNotYetThere
  From now on a node that is a block behind answers, while subscribers are told at once: nothing is left of the payment.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 1: the payment is in block 1.
  The new head was announced, and eth_getLogs up to latest has none of its logs: the payment is in block 1.
  The node has caught up: the payment is in block 1.
  = 0 orphans, received 25000000, block 1, head 1
LostPreconfirmation
  It was sent: the payment waits in the pool.
  Flashblock 0 of block 1 came: the payment is pre-confirmed.
  The fault drop struck. Blocks were sealed up to 1: nothing is left of the payment.
  = 0 orphans, received 0, block 0, head 1
MemoReorgedOut
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 1: the payment is in block 1.
  A reorg replaced 1 blocks by 2: the payment is only in a block that a reorg removed.
  = 1 orphans, received 0, block 0, head 2
NonceFromReplica
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 1: the payment is in block 1.
  A node that is a block behind answers: the merchant's nonce there is the one just used: the payment is in block 1.
  The node has caught up: the payment is in block 1.
  = 0 orphans, received 25000000, block 1, head 1
OperationInLostFlashblock
  Blocks were sealed up to 1.
  It was sent: the payment waits in the pool.
  Flashblock 0 of block 2 came: the payment is pre-confirmed.
  The fault omit struck. Blocks were sealed up to 2: nothing is left of the payment.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 3: the payment is in block 3.
  = 0 orphans, received 25000000, block 3, head 3
PartialCapturesThenReorg
  Blocks were sealed up to 1.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 2: the payment is in block 2.
  A reorg replaced 2 blocks by 3: the payment is only in a block that a reorg removed.
  = 1 orphans, received 12500000, block 0, head 3
PaymasterRanDry
  Blocks were sealed up to 1.
  It was sent: the payment waits in the pool.
  It was sent: the payment waits in the pool.
  Flashblock 0 of block 2 came: the payment is pre-confirmed.
  Blocks were sealed up to 2: the payment is in block 2, where it failed.
  Blocks were sealed up to 3: the payment is in block 2, where it failed.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 4: the payment is in block 4.
  = 0 orphans, received 25000000, block 4, head 4
PeriodRollover
  Blocks were sealed up to 1.
  Blocks were sealed up to 2.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 3: the payment is in block 3.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 4: the payment is in block 4, where it failed.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 5: the payment is in block 5.
  = 0 orphans, received 50000000, block 5, head 5
PermissionRevoked
  Blocks were sealed up to 1.
  Blocks were sealed up to 2.
  It was sent: the payment waits in the pool.
  Flashblock 0 of block 3 came: the payment is pre-confirmed.
  The fault omit struck. Blocks were sealed up to 3: nothing is left of the payment.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 4: the payment is in block 4, where it failed.
  = 0 orphans, received 0, block 0, head 4
PermitFrontRun
  Blocks were sealed up to 1: nothing is left of the payment.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 2: the payment is in block 2.
  = 0 orphans, received 25000000, block 2, head 2
PhantomLog
  The fault alterLogs struck. It was sent: the payment waits in the pool.
  Flashblock 0 of block 1 came: the payment is pre-confirmed.
  Blocks were sealed up to 1: the payment is in block 1.
  = 0 orphans, received 25000000, block 1, head 1
ReceiptThenNull
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 1: the payment is in block 1.
  A node that is a block behind answers: the receipt is null again: the payment is in block 1.
  The node has caught up: the payment is in block 1.
  = 0 orphans, received 25000000, block 1, head 1
ReclaimRacesCapture
  Blocks were sealed up to 1.
  It was sent: the payment waits in the pool.
  Flashblock 0 of block 2 came: the payment is pre-confirmed.
  The fault omit struck. Blocks were sealed up to 2: nothing is left of the payment.
  Blocks were sealed up to 3: nothing is left of the payment.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 4: the payment is in block 4, where it failed.
  = 0 orphans, received 0, block 0, head 4
ReplicaOnOrphan
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 1: the payment is in block 1.
  A reorg replaced 1 blocks by 2: the payment is only in a block that a reorg removed.
  A node that has not seen the reorg answers: there the payment is in a block still: the payment is only in a block that a reorg removed.
  The node has caught up: the payment is only in a block that a reorg removed.
  = 1 orphans, received 0, block 0, head 2
ShippedThenReorgedOut
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 3: the payment is in block 1.
  A reorg replaced 3 blocks by 4: the payment is only in a block that a reorg removed.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 5: the payment is in block 5, where it failed.
  = 1 orphans, received 0, block 0, head 5
SponsoredThenReorgedOut
  Blocks were sealed up to 1.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 2: the payment is in block 2.
  A reorg replaced 1 blocks by 2: the payment is only in a block that a reorg removed.
  It was sent: the payment waits in the pool.
  Blocks were sealed up to 4: the payment is in block 4, where it failed.
  = 1 orphans, received 0, block 0, head 4
StalledPending
  The fault stall struck. It was sent: the payment waits in the pool.
  Flashblock 0 of block 0 came: the payment waits in the pool.
  Flashblock 0 of block 0 came: the payment waits in the pool.
  Flashblock 0 of block 0 came: the payment waits in the pool.
  Flashblock 0 of block 0 came: the payment waits in the pool.
  Flashblock 0 of block 0 came: the payment waits in the pool.
  Blocks were sealed up to 1: the payment is in block 1.
  = 0 orphans, received 25000000, block 1, head 1
VoucherAfterRefund
  Blocks were sealed up to 1.
  Blocks were sealed up to 2.
  It was sent: the payment waits in the pool.
  Flashblock 0 of block 3 came: the payment is pre-confirmed.
  Blocks were sealed up to 3: the payment is in block 3, where it failed.
  = 0 orphans, received 0, block 0, head 3
WithdrawalOverslept
  Blocks were sealed up to 1.
  Blocks were sealed up to 2.
  Blocks were sealed up to 3.
  It was sent: the payment waits in the pool.
  Flashblock 0 of block 4 came: the payment is pre-confirmed.
  Blocks were sealed up to 4: the payment is in block 4, where it failed.
  = 0 orphans, received 0, block 0, head 4
`

const crossingMoves = `DepositDelayed
  The L1 is at block 1, the L2 at block 7.
  A reorg replaced 1 blocks of the L1.
  = 1 orphans, received 1000000000000000000, block 12, head 12
DepositReorgedOut
  The L1 is at block 1, the L2 at block 7.
  A reorg replaced 1 blocks of the L1.
  = 1 orphans, received 0, block 0, head 12
FinalizedTooEarly
  The L1 is at block 0, the L2 at block 1.
  The L1 is at block 1, the L2 at block 7.
  The L1 is at block 2, the L2 at block 13.
  The L1 is at block 3, the L2 at block 19.
  The L1 is at block 4, the L2 at block 25.
  The L1 is at block 5, the L2 at block 31.
  The L1 is at block 6, the L2 at block 32.
  The L1 is at block 7, the L2 at block 39.
  = 0 orphans, received 1000000000000000000, block 7, head 39
GameBlacklisted
  The L1 is at block 0, the L2 at block 1.
  The L1 is at block 1, the L2 at block 7.
  The L1 is at block 2, the L2 at block 13.
  The L1 is at block 3, the L2 at block 19.
  The L1 is at block 4, the L2 at block 25.
  The L1 is at block 5, the L2 at block 31.
  The L1 is at block 6, the L2 at block 32.
  The L1 is at block 7, the L2 at block 39.
  The L1 is at block 8, the L2 at block 45.
  The L1 is at block 9, the L2 at block 51.
  The L1 is at block 10, the L2 at block 57.
  The L1 is at block 11, the L2 at block 63.
  The L1 is at block 12, the L2 at block 64.
  The L1 is at block 13, the L2 at block 71.
  = 0 orphans, received 1000000000000000000, block 13, head 71
PortalPaused
  The L1 is at block 0, the L2 at block 1.
  The L1 is at block 1, the L2 at block 7.
  The L1 is at block 2, the L2 at block 13.
  The L1 is at block 3, the L2 at block 19.
  The L1 is at block 4, the L2 at block 25.
  The L1 is at block 5, the L2 at block 26.
  The L1 is at block 6, the L2 at block 33.
  The L1 is at block 7, the L2 at block 39.
  The L1 is at block 8, the L2 at block 45.
  The L1 is at block 9, the L2 at block 51.
  = 0 orphans, received 1000000000000000000, block 9, head 51
ProvedTwice
  The L1 is at block 0, the L2 at block 1.
  The L1 is at block 1, the L2 at block 7.
  The L1 is at block 2, the L2 at block 13.
  The L1 is at block 3, the L2 at block 19.
  The L1 is at block 4, the L2 at block 25.
  The L1 is at block 5, the L2 at block 31.
  The L1 is at block 6, the L2 at block 32.
  The L1 is at block 7, the L2 at block 39.
  The L1 is at block 8, the L2 at block 45.
  = 0 orphans, received 1000000000000000000, block 7, head 45
WithdrawalProvenAgainstBadRoot
  The L1 is at block 0, the L2 at block 1.
  The L1 is at block 1, the L2 at block 7.
  The L1 is at block 2, the L2 at block 13.
  The L1 is at block 3, the L2 at block 19.
  The L1 is at block 4, the L2 at block 25.
  The L1 is at block 5, the L2 at block 26.
  The L1 is at block 6, the L2 at block 33.
  = 1 orphans, received 0, block 0, head 33
`
