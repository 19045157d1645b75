package checkout

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure settlements are found among more nonces than one filter names and more blocks than one query covers, and that
// nobody else's use of an equal nonce counts.
func TestSearch(t *testing.T) {
	t.Parallel()
	never := uint64(1 << 20)
	node := fakenode.RunConfigT(t, fakenode.Config{Limits: fakenode.Limits{LogsMaxRange: maxLogRange}, Lags: fakenode.Lags{SafeLag: &never, FinalizedLag: &never}})
	payer, merchant := node.Account(0), node.Account(1)
	c, err := dialChain(t.Context(), node.URL(), time.Minute, node.Token().Address(), merchant.Address)
	require.NoError(t, err)
	t.Cleanup(c.close)

	orders := make([]Order, maxNonces+1)
	for i := range orders {
		a := fixtures.Authorization(payer, merchant, fixtures.USD("1"), node.Now())
		a.Nonce, a.ValidBefore = tokencontract.NonceFromSeed(fmt.Sprint(i)), a.ValidBefore+86_400
		orders[i] = Order{ID: fmt.Sprint(i), Terms: a}
	}
	first, last := orders[0], orders[maxNonces]
	other := node.Account(2)
	settle := func(from fakenode.Account, data []byte) (number uint64) {
		token := node.Token().Address()
		tx, err := types.SignNewTx(from.Key, c.signer, &types.LegacyTx{
			Nonce: node.Moment().PoolNonce(from.Address), GasPrice: big.NewInt(4e9), Gas: 200_000, To: &token, Data: data,
		})
		require.NoError(t, err)
		require.NoError(t, node.Send(tx))
		node.Seal()
		return node.BlockNumber()
	}
	domain := node.Token().Domain()
	canceled := settle(payer, first.cancellation().Pack(payer.Sign(domain, first.cancellation().Message())))
	equal := tokencontract.Cancellation{Authorizer: other.Address, Nonce: orders[1].Terms.Nonce}
	settle(other, equal.Pack(other.Sign(domain, equal.Message())))
	node.Advance(2 * maxLogRange * 2 * time.Second)
	captured := settle(merchant, last.Terms.PackReceive(payer.Sign(domain, last.Terms.ReceiveMessage())))

	found, err := c.settlements(t.Context(), orders, node.BlockNumber())
	require.NoError(t, err)
	require.Len(t, found, 2)
	require.Equal(t, OutcomeCanceled, found[first.replayKey()].Outcome)
	require.Equal(t, canceled, found[first.replayKey()].BlockNumber)
	require.Equal(t, OutcomeCaptured, found[last.replayKey()].Outcome)
	require.Equal(t, captured, found[last.replayKey()].BlockNumber)
}
