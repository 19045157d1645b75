package paywall

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// paid checks what the merchant has got, and that the facilitator has sent no transaction that did not pay.
func paid(t *testing.T, node *fakenode.Node, f *Facilitator, r Requirements, before *uint256.Int, payments uint64) {
	t.Helper()
	require.Equal(t, new(uint256.Int).Add(before, new(uint256.Int).Mul(r.Amount, uint256.NewInt(payments))), node.Token().BalanceOf(r.PayTo))
	state, err := node.Moment().Latest().State()
	require.NoError(t, err)
	require.Equal(t, payments, state.Nonce(f.Address()))
}

// Ensure each payment is settled once where three answers in ten are of a node that is behind, or on a branch that was
// removed.
func TestStaleAnswers(t *testing.T) {
	t.Parallel()
	for _, behind := range []fakenode.Behind{{Blocks: 3}, {Time: 600 * time.Millisecond}, {Orphaned: true}} {
		t.Run(fmt.Sprintf("%+v", behind), func(t *testing.T) {
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
