package channel_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a channel's deposit, claims and settlements are made once each where three answers in ten are of a node that
// is behind or on a removed branch, and that a deposit which a reorg removed is made again, once.
func TestStaleAnswers(t *testing.T) {
	t.Parallel()
	for _, behind := range []fakenode.Behind{{Blocks: 3}, {Orphaned: true}} {
		t.Run(fmt.Sprintf("%+v", behind), func(t *testing.T) {
			t.Parallel()
			s := newShop(t, fakenode.Config{})
			w := s.wallet(0)
			s.node.Seal()
			require.NoError(t, s.node.Fail(fakenode.Fault{Times: fakenode.Forever, Share: 0.3, Seed: 7, Behind: behind}))
			w.buys(w.deposit(10_000, price))
			for n := uint64(2); n <= 20; n++ {
				w.buys(w.payload("voucher", n*price))
				if n%5 == 0 {
					s.keep()
				}
			}
			require.EqualValues(t, 20*price, s.received())
			require.EqualValues(t, 10_000, w.spent())
			require.EqualValues(t, 1+4*2, s.sent(), "the deposit, and four claims and settlements")

			for range 3 {
				s.keep()
			}
			require.EqualValues(t, 1+4*2, s.sent(), "nothing is left to do")

			s.removes(9)
			s.keep()
			require.EqualValues(t, 20*price, s.received())
			require.EqualValues(t, 10_000, w.spent())
			require.EqualValues(t, 3, s.sent(), "on the new branch: the deposit, one claim, one settlement")
			w.buys(w.payload("voucher", 21*price))
		})
	}
}

// sent returns how many transactions of the facilitator are in blocks.
func (s *shop) sent() uint64 {
	s.t.Helper()
	state, err := s.node.Moment().Latest().State()
	require.NoError(s.t, err)
	return state.Nonce(s.f.Address())
}
