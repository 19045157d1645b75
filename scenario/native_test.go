package scenario_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/scenario"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure the scenarios of a native token end as they say, in each mode, and need such a token.
func TestNativeScenarios(t *testing.T) {
	t.Parallel()
	for _, mode := range []fakenode.Mode{fakenode.Manual, fakenode.Instant} {
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Arc, Mode: mode})
		for name, settled := range map[string]bool{"BlockedPayee": false, "CountedTwice": true, "DustLeft": false} {
			for range 2 {
				conclusion, err := node.Scenario(name, fakenode.ScenarioParams{})
				require.NoError(t, err)
				require.Equal(t, settled, conclusion.Settled, name)
				require.Equal(t, settled, node.Token().AuthorizationState(conclusion.Payer, conclusion.Nonce))
			}
		}
	}
	_, err := fakenode.RunT(t).Scenario("DustLeft", fakenode.ScenarioParams{})
	require.ErrorContains(t, err, "the token is not the native coin, which it is with --preset arc")
}

// shop credits what logs of transfers bring the merchant, of the token or of whoever has the topics.
func shop(node *fakenode.Node, addresses ...common.Address) fakenode.BackEnd {
	return func(ctx context.Context, q fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
		receipt, err := node.Client().TransactionReceipt(ctx, q.Transaction)
		if err != nil || receipt.Status == 0 || !node.Token().AuthorizationState(q.Payer, q.Nonce) {
			return scenario.Open, nil
		}
		logs, err := node.Client().FilterLogs(ctx, ethereum.FilterQuery{
			BlockHash: &receipt.BlockHash, Addresses: addresses,
			Topics: [][]common.Hash{{tokencontract.TransferTopic}, {common.BytesToHash(q.Payer[:])}, {common.BytesToHash(q.Merchant[:])}},
		})
		sum := new(uint256.Int)
		for _, log := range logs {
			sum.Add(sum, uint256.MustFromBig(new(big.Int).SetBytes(log.Data)))
		}
		return fakenode.ExamAnswer{Payment: scenario.Paid.Payment, Amount: sum}, err
	}
}

// Ensure the exam and the exploration fail a shop that counts both logs of a payment, and pass one that counts the
// token's.
func TestShopThatCountsTwice(t *testing.T) {
	t.Parallel()
	for wrong, addresses := range map[bool][]common.Address{true: nil, false: {tokencontract.NativeAddress}} {
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Arc})
		exam := fakenode.Exam{Kinds: []fakenode.ScenarioKind{"a native token"}, Ask: shop(node, addresses...)}
		marks, err := node.Exam(t.Context(), exam)
		require.NoError(t, err)
		require.Len(t, marks.Played(), 3, marks.String())
		require.Equal(t, wrong, len(marks.Failed()) > 0, marks.String())

		begin := func(context.Context) (*scenario.World, error) {
			world := node.CloneT(t)
			return world.Network.ExploredWorld(shop(world, addresses...), func() {}), nil
		}
		found, err := fakenode.Exploration{Runs: 20}.Explore(t.Context(), begin)
		require.NoError(t, err)
		if !wrong {
			require.Empty(t, found.Failed)
			continue
		}
		require.Contains(t, found.Failed, "it says paid with 25000000000025000000 token units, and the payment is of 25000000")
	}
}
