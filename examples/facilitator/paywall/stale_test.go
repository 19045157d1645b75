package paywall

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// another returns a payment for the same terms as one before.
func another(node *fakenode.Node, r Requirements) Payment {
	payer := node.Account(0)
	a := fixtures.Authorization(payer, node.Account(1), r.Amount, node.Now())
	payload := fmt.Sprintf(`{"authorization":{"from":%q,"to":%q,"value":%q,"validAfter":"%d","validBefore":"%d","nonce":%q},"signature":"0x%x"}`,
		a.From, a.To, a.Value.Dec(), a.ValidAfter, a.ValidBefore, a.Nonce, payer.Sign(node.Token().Domain(), a.TransferMessage()).Bytes())
	return Payment{Version: 2, Accepted: r, Payload: json.RawMessage(payload)}
}

// paid checks what the merchant has got, and that the facilitator has sent no transaction that did not pay.
func paid(t *testing.T, node *fakenode.Node, f *Facilitator, r Requirements, before *uint256.Int, payments uint64) {
	t.Helper()
	require.Equal(t, new(uint256.Int).Add(before, new(uint256.Int).Mul(r.Amount, uint256.NewInt(payments))), node.Token().BalanceOf(r.PayTo))
	state, err := node.Moment().Latest().State()
	require.NoError(t, err)
	require.Equal(t, payments, state.Nonce(f.Address()))
}

// Ensure a payment that is settled in the blocks of a story of nodes that are behind is settled once, and by what the
// chain says, and that so is one that is asked for while such a node answers, or it is refused and nothing is sent.
func TestStoriesOfNodesBehind(t *testing.T) {
	t.Parallel()
	for _, scenario := range fakenode.Scenarios() {
		if scenario.Kind != "nodes that are behind" {
			continue
		}
		t.Run(scenario.Name, func(t *testing.T) {
			t.Parallel()
			node, f, payment, r := newFacilitator(t, fakenode.Dev)
			node.Seal()
			before := node.Token().BalanceOf(r.PayTo)
			story, err := node.Story(scenario.Name, fakenode.ScenarioParams{Payer: 4, Merchant: 5})
			require.NoError(t, err)
			next := func() fakenode.StoryMove {
				move, err := story.Next(t.Context())
				require.NoError(t, err)
				return move
			}
			move := next()
			for !strings.Contains(move.Did, "It was sent") {
				move = next()
			}
			looks := 0
			f.wait = func(context.Context) error {
				if looks++; looks%3 == 0 && !move.Done {
					move = next()
				}
				require.Less(t, looks, 50, "it is in a block, and was not seen there")
				return nil
			}
			_, transaction, err := f.Settle(t.Context(), payment, r, r.Amount)
			require.NoError(t, err)
			require.Equal(t, fakenode.Sealed, node.Place(transaction).Where, move.Did)
			payments := uint64(1)
			for !move.Done {
				move = next()
				f.wait = func(context.Context) error { node.Seal(); return nil }
				if _, _, err := f.Settle(t.Context(), another(node, r), r, r.Amount); err == nil {
					payments++
				}
			}
			_, _, err = f.Settle(t.Context(), another(node, r), r, r.Amount)
			require.NoError(t, err)
			paid(t, node, f, r, before, payments+1)
		})
	}
}

// Ensure each payment is settled once where three answers in ten are of a node that is behind, or on a branch that was
// removed.
func TestStaleAnswers(t *testing.T) {
	t.Parallel()
	for name, behind := range map[string]fakenode.Behind{"a block": {Blocks: 1}, "three blocks": {Blocks: 3}, "flashblocks": {Time: 600 * time.Millisecond}, "a branch": {Orphaned: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node, f, _, r := newFacilitator(t, fakenode.Dev)
			before := node.Token().BalanceOf(r.PayTo)
			node.Seal()
			require.NoError(t, node.Fail(fakenode.Fault{Times: fakenode.Forever, Share: 0.3, Seed: 7, Behind: behind}))
			rng := rand.New(rand.NewPCG(7, 0))
			f.wait = func(context.Context) error {
				switch n := rng.IntN(6); {
				case n < 2:
					node.Preconfirm()
				case n < 5 || !behind.Orphaned:
					node.Seal()
				default: // what settled before is in the new blocks as well
					_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1})
					require.NoError(t, err)
				}
				return nil
			}
			for range 12 {
				_, transaction, err := f.Settle(t.Context(), another(node, r), r, r.Amount)
				require.NoError(t, err)
				require.Equal(t, fakenode.Sealed, node.Place(transaction).Where)
			}
			paid(t, node, f, r, before, 12)
		})
	}
}
