package scenario_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/scenario"
)

// Ensure every scenario that is told move by move comes to the conclusion of one that is played at once, also while
// others write between the moves, and that the last moves say what became of the payment.
func TestStories(t *testing.T) {
	t.Parallel()
	for _, s := range scenario.All() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			config := fakenode.Config{StartTime: time.Unix(1_800_000_000, 0)}
			node, disturbed := fakenode.RunConfigT(t, config), fakenode.RunConfigT(t, config)
			want, err := fakenode.RunConfigT(t, config).Scenario(s.Name, fakenode.ScenarioParams{})
			require.NoError(t, err)

			story, err := node.Story(s.Name, fakenode.ScenarioParams{})
			require.NoError(t, err)
			require.Zero(t, node.Moment().PoolSize(), "nothing happens before the first move")
			var moves []fakenode.StoryMove
			for len(moves) == 0 || !moves[len(moves)-1].Done {
				move, err := story.Next(t.Context())
				require.NoError(t, err)
				moves = append(moves, move)
				require.Equal(t, len(moves), move.Step)
				require.NotEmpty(t, move.Did)
			}
			require.Greater(t, len(moves), 2)
			require.Equal(t, want, *moves[len(moves)-1].Conclusion)
			require.Contains(t, moves[len(moves)-2].Did, map[bool]string{true: "the payment is in block ", false: "payment"}[want.Settled])
			_, err = story.Next(t.Context())
			require.ErrorIs(t, err, scenario.ErrOver)

			// Somebody else sends a transaction between any two moves.
			client, err := rpc.Dial(disturbed.URL())
			require.NoError(t, err)
			defer client.Close()
			var id uint64
			require.NoError(t, client.Call(&id, "fakenode_scenarioStart", s.Name))
			var move scenario.Move
			for !move.Done {
				require.NoError(t, client.Call(&move, "fakenode_scenarioNext", id))
				_, err := disturbed.Transact(disturbed.Account(7), fakenode.Tx{To: new(common.Address{1}), Value: uint256.NewInt(1)})
				require.NoError(t, err)
			}
			require.Equal(t, want.Settled, move.Conclusion.Settled)
			require.Equal(t, want.Received, move.Conclusion.Received)
			require.Equal(t, want.Statement, move.Did)
		})
	}
}

// Ensure each move of a lost pre-confirmation is seen by a client that polls, and said in words: one that ships at
// pending is fooled by the second.
func TestStoryOfLostPreconfirmation(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	story, err := node.Story("LostPreconfirmation", fakenode.ScenarioParams{})
	require.NoError(t, err)
	next := func() string {
		move, err := story.Next(t.Context())
		require.NoError(t, err)
		return move.Did
	}
	require.Equal(t, "It was sent: the payment waits in the pool.", next())
	require.Equal(t, "Flashblock 0 of block 1 came: the payment is pre-confirmed.", next())
	require.Len(t, node.Moment().Pending().Transactions(), 1)
	require.Equal(t, "The fault drop struck. Blocks were sealed up to 1: nothing is left of the payment.", next())
	require.Empty(t, node.Moment().Latest().Transactions())
	require.Contains(t, next(), "The payment did not happen")
}

// Ensure a story that is abandoned, by another one, by its end or by its context, is undone but for what others did.
func TestStoriesAreUndone(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	before := node.Moment().Latest().Hash()
	begin := func() *fakenode.Story {
		story, err := node.Story("CaptureThenReorg", fakenode.ScenarioParams{})
		require.NoError(t, err)
		for range 2 {
			_, err = story.Next(t.Context())
			require.NoError(t, err)
		}
		require.NotEqual(t, before, node.Moment().Latest().Hash())
		return story
	}
	begin()
	story := begin()
	require.EqualValues(t, 1, node.BlockNumber(), "the first was undone")
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := story.Next(gone)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, before, node.Moment().Latest().Hash())
	story = begin()
	sent, err := node.Transact(node.Account(7), fakenode.Tx{To: new(common.Address{1}), Value: uint256.NewInt(1)})
	require.NoError(t, err)
	require.NoError(t, story.Close())
	require.NoError(t, story.Close())
	require.Equal(t, before, node.Moment().Latest().Hash())
	require.Equal(t, "pool", string(node.Place(sent).Where))
	require.ErrorContains(t, node.Client().Client().Call(nil, "fakenode_scenarioNext", 9), "no scenario with the id 9 is told: the last that began has ")
}

// Ensure all names are listed in groups by what they are about.
func TestScenariosAreGrouped(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{
		"of pre-confirmations: FeeSpikeWhileCapturing, LateBlock, LostPreconfirmation, PhantomLog, " +
			"StalledPending",
		"of reorgs: CaptureReorgedOut, CaptureThenReorg, DeepReorg, FlappingHead, ProposalReplaced, ShippedThenReorgedOut",
		"of nodes that are behind: HeadGoesBack, LogsNotYetThere, NonceFromReplica, ReceiptThenNull, " +
			"ReplicaOnOrphan",
		"of decoys: FakeToken, NonceOfAnotherPayer, OtherToken",
		"of captures: SettledUnseen",
		"of orders: CeilingExceeded, MemoReorgedOut, PartialCapturesThenReorg, PermitFrontRun, " +
			"ReclaimRacesCapture",
		"of subscriptions: PeriodRollover, PermissionRevoked",
		"of channels: ChannelDepositReorgedOut, ClaimRacesWithdrawal, DepositSeenThenLost, " +
			"VoucherAfterRefund, WithdrawalOverslept",
		"of user operations: BundleRevertedByNeighbour, DelegationFrontRun, OperationInLostFlashblock, " +
			"PaymasterRanDry, SponsoredThenReorgedOut",
		"of a native token: BlockedPayee, CountedTwice, DustLeft",
		"of an L1's bridge: DepositDelayed, DepositReorgedOut, FinalizedTooEarly, GameBlacklisted, " +
			"PortalPaused, ProvedTwice, WithdrawalProvenAgainstBadRoot",
	}, scenario.Listed())
	for _, s := range append(scenario.All(), scenario.Crossings()...) {
		require.Equal(t, 1, strings.Count(strings.Join(scenario.Listed(), ", ")+",", " "+s.Name+","), s.Name)
	}
}

// Ensure every story is made of the moves in testdata on every node, and leaves so many orphans, so much received, and
// the payment and the head in these blocks.
func TestMoves(t *testing.T) {
	t.Parallel()
	start := time.Unix(1_800_000_000, 0)
	for file, played := range map[string]struct {
		list   []scenario.Scenario
		config fakenode.Config
	}{
		"moves.txt":     {scenario.All(), fakenode.Config{StartTime: start}},
		"crossings.txt": {scenario.Crossings(), fakenode.Config{StartTime: start, Preset: fakenode.Optimism, L1: &fakenode.L1Config{}}},
	} {
		want, err := os.ReadFile(filepath.Join("testdata", file))
		require.NoError(t, err)
		var told strings.Builder
		for _, s := range played.list {
			node := fakenode.RunConfigT(t, played.config)
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
		require.Equal(t, string(want), told.String(), file)
	}
}
