package channel_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/examples/facilitator/channel"
	"github.com/fakenode/fakenode/examples/facilitator/paywall"
	"github.com/fakenode/fakenode/fixtures"
)

// Ensure a facilitator that was started again waits for the transaction that it had sent before, and sends no other for
// the same payment.
func TestSettlementPendingAfterRestart(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	payer, merchant, domain, path := node.Account(0), node.Account(1), node.Token().Domain(), filepath.Join(t.TempDir(), "ledger.db")
	begin := func() *paywall.Facilitator {
		f, err := paywall.NewFacilitator(t.Context(), node.Client(), node.Account(3).Key)
		require.NoError(t, err)
		ledger, err := channel.OpenLedger(t.Context(), path, node.ChainID(), common.Hash{1})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, ledger.Close()) })
		f.Remember(ledger, paywall.Confirm)
		return f
	}
	f := begin()
	r := paywall.Requirements{
		Scheme: paywall.Exact, Network: f.Network(), Amount: fixtures.USD("1"), Asset: domain.VerifyingContract, PayTo: merchant.Address,
		Extra: paywall.Extra{Name: domain.Name, Version: domain.Version},
	}
	a := fixtures.Authorization(payer, merchant, r.Amount, node.Now())
	payload := fmt.Sprintf(`{"authorization":{"from":%q,"to":%q,"value":%q,"validAfter":"%d","validBefore":"%d","nonce":%q},"signature":"0x%x"}`,
		a.From, a.To, a.Value.Dec(), a.ValidAfter, a.ValidBefore, a.Nonce, payer.Sign(domain, a.TransferMessage()).Bytes())
	payment := paywall.Payment{Version: 2, Accepted: r, Payload: json.RawMessage(payload)}

	sent := make(chan common.Hash, 2)
	subscription, err := node.Client().Client().EthSubscribe(t.Context(), sent, "newPendingTransactions")
	require.NoError(t, err)
	defer subscription.Unsubscribe()
	ctx, kill := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, _, err := f.Settle(ctx, payment, r, r.Amount)
		ended <- err
	}()
	transaction := <-sent
	kill()
	require.ErrorIs(t, <-ended, context.Canceled)

	before := node.Token().BalanceOf(merchant.Address)
	node.Seal()
	_, settled, err := begin().Settle(t.Context(), payment, r, r.Amount)
	require.NoError(t, err)
	require.Equal(t, transaction, settled)
	require.Equal(t, new(uint256.Int).Add(before, r.Amount), node.Token().BalanceOf(merchant.Address))
	require.Empty(t, sent)
}
