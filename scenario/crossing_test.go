package scenario_test

import (
	"cmp"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/scenario"
)

// Ensure every scenario of a crossing ends as its conclusion says, twice on one node, sealed by each transaction and by
// hand, on the OP stack's bridge, on one with games about blocks and on Base's, and that a node without an L1 says what
// it needs.
func TestCrossings(t *testing.T) {
	t.Parallel()
	settled := map[string]bool{
		"DepositDelayed": true, "DepositReorgedOut": false, "FinalizedTooEarly": true, "GameBlacklisted": true,
		"PortalPaused": true, "ProvedTwice": true, "WithdrawalProvenAgainstBadRoot": false,
	}
	require.Len(t, scenario.Crossings(), len(settled))
	bridges := []fakenode.Config{{Preset: fakenode.Optimism}, {Preset: fakenode.Unichain, L1: &fakenode.L1Config{GameType: 8}}, {Preset: fakenode.Base}}
	modes := []fakenode.Mode{fakenode.Instant, fakenode.Manual}
	for _, config := range bridges[:laboratory.Budget(t, 2, len(bridges))] {
		for _, mode := range modes[:laboratory.Budget(t, 1, len(modes))] {
			t.Run(string(config.Preset)+"/"+mode.String(), func(t *testing.T) {
				t.Parallel()
				c := config
				c.L1, c.Mode, c.StartTime = cmp.Or(c.L1, new(fakenode.L1Config)), mode, time.Unix(1_800_000_000, 0)
				node := fakenode.RunConfigT(t, c)
				balance := func(on *fakenode.Network) *uint256.Int {
					state, err := on.Moment().Latest().State()
					require.NoError(t, err)
					return state.Balance(node.Account(1).Address)
				}
				for name, want := range settled {
					for range 2 {
						to := node.L1()
						if name == "DepositDelayed" || name == "DepositReorgedOut" {
							to = node.Network
						}
						before := balance(to)
						c, err := node.Scenario(name, fakenode.ScenarioParams{})
						require.NoError(t, err, name)
						require.Equal(t, want, c.Settled, name)
						got, paid := new(uint256.Int).Sub(balance(to), before), new(uint256.Int)
						if want {
							paid = fixtures.Ether("1")
						}
						require.Equal(t, paid, got, name)
						require.Equal(t, paid, c.Received, name)
						require.NotEqual(t, common.Hash{}, c.Transaction, name)
						for _, orphan := range c.Orphans {
							view, err := node.Moment().ByHash(orphan)
							require.NoError(t, err, name)
							require.True(t, view.Orphan(), name)
						}
					}
				}
			})
		}
	}
	_, err := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Base}).Scenario("PortalPaused", fakenode.ScenarioParams{})
	require.ErrorContains(t, err, "scenario PortalPaused: there is no L1 beside this chain: start the node with --l1")
}

// Ensure a reorg of the L1 is as deep as it is asked for, and moves a deposit to the second block or loses it.
func TestDeepReorgsOfL1(t *testing.T) {
	t.Parallel()
	for name, length := range map[string]uint64{"DepositDelayed": 2, "DepositReorgedOut": 0} {
		for _, depth := range []int{1, 3} {
			node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, L1: &fakenode.L1Config{}, StartTime: time.Unix(1_800_000_000, 0)})
			story, err := node.Story(name, fakenode.ScenarioParams{Depth: depth})
			require.NoError(t, err)
			var told []string
			move, err := story.Next(t.Context())
			for ; err == nil && !move.Done; move, err = story.Next(t.Context()) {
				told = append(told, move.Did)
			}
			require.NoError(t, err)
			require.Contains(t, told, map[int]string{1: "A reorg replaced 1 blocks of the L1.", 3: "A reorg replaced 3 blocks of the L1."}[depth])
			require.Len(t, told, 1+depth)
			require.Len(t, move.Conclusion.Orphans, 1)
			found, err := node.L1().Moment().Find(move.Conclusion.Nonce)
			require.NoError(t, err)
			require.Equal(t, length > 0, found.Executed(), name)
			if length > 0 {
				require.Equal(t, length, found.View.Number(), name)
			}
		}
	}
}
