package preconf_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure a transaction gets the next nonce even where another one takes that while it is made, and that one with a
// nonce of its own is sent as it is.
func TestSendAs(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{Mode: control.Instant})
	from := accounts[0]
	for _, signed := range []bool{true, false} {
		var nonces []uint64
		fill := func(nonce uint64) (*types.Transaction, error) {
			nonces = append(nonces, nonce)
			if len(nonces) <= 2 {
				send(t, timeline, from.pay(nonce, sink, 1))
			}
			tx := from.pay(nonce, sink, 2)
			if !signed {
				tx = types.NewTx(&types.LegacyTx{Nonce: nonce, To: &sink, Gas: 21_000, GasPrice: big.NewInt(2e9)})
			}
			return tx, nil
		}
		first := timeline.Moment().PoolNonce(from.address)
		sent, err := timeline.SendAs(from.address, nil, fill)
		require.NoError(t, err)
		require.Equal(t, []uint64{first, first + 1, first + 2}, nonces)
		found := find(t, timeline.Moment(), sent.Hash())
		require.True(t, found.Executed())
		require.Equal(t, from.address, found.Sender)

		_, err = timeline.SendAs(from.address, new(first), fill)
		require.ErrorIs(t, err, core.ErrNonceTooLow)
		sent, err = timeline.SendAs(from.address, new(first+5), fill)
		require.NoError(t, err)
		require.Equal(t, preconf.Pooled, timeline.Moment().Place(sent.Hash()).Where)
		timeline.ClearPool()
	}
}
