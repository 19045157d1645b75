package paywall

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// unseen returns a facilitator on a node whose receipts are null, which gives up after three looks, and a shop of it.
func unseen(t *testing.T) (node *fakenode.Node, f *Facilitator, payment Payment, shop Route) {
	t.Helper()
	node, f, payment, r := newFacilitator(t, fakenode.Dev)
	require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_getTransactionReceipt", Null: true, Times: 100}))
	looks := 0
	f.wait = func(context.Context) error {
		if node.Seal(); looks%3 == 2 {
			looks = 0
			return context.DeadlineExceeded
		}
		looks++
		return nil
	}
	return node, f, payment, Route{Scheme: f.Scheme(Exact), Price: r, Serve: func(http.ResponseWriter, *http.Request) *uint256.Int { return r.Amount }}
}

// pay presents a payment at a shop.
func pay(t *testing.T, shop Route, payment Payment) (status int, settled Settled) {
	t.Helper()
	raw, err := json.Marshal(payment)
	require.NoError(t, err)
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.Header.Set("PAYMENT-SIGNATURE", base64.StdEncoding.EncodeToString(raw))
	response := httptest.NewRecorder()
	shop.ServeHTTP(response, request)
	raw, err = base64.StdEncoding.DecodeString(response.Header().Get("PAYMENT-RESPONSE"))
	require.NoError(t, err)
	if len(raw) > 0 {
		require.NoError(t, json.Unmarshal(raw, &settled))
	}
	return response.Code, settled
}

// Ensure a settlement whose receipt is null is pending, and that the same payment, settled again, tells its outcome and
// is in one transaction.
func TestSettlementPending(t *testing.T) {
	t.Parallel()
	node, f, payment, shop := unseen(t)
	before := node.Token().BalanceOf(shop.Price.PayTo)
	pending := shop.Scheme.Settle(t.Context(), payment, shop.Price, shop.Price.Amount)
	require.False(t, pending.Success)
	require.Equal(t, SettlementPending, pending.Reason)
	require.NotEmpty(t, pending.Transaction)
	_, err := f.Verify(t.Context(), payment, shop.Price)
	require.NoError(t, err, "what is under way may be presented again")

	node.ClearFaults()
	status, settled := pay(t, shop, payment)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, pending.Transaction, settled.Transaction)
	require.Equal(t, new(uint256.Int).Add(before, shop.Price.Amount), node.Token().BalanceOf(shop.Price.PayTo))

	status, _ = pay(t, shop, payment)
	require.Equal(t, http.StatusPaymentRequired, status, "it has bought once")
}

// Ensure a shop asks once more, that other payments go on meanwhile, and that a buyer who signs anew when both waits
// are over pays twice, as does one who presents the first payment too late.
func TestSettlementPendingTooLong(t *testing.T) {
	t.Parallel()
	node, f, payment, shop := unseen(t)
	before := node.Token().BalanceOf(shop.Price.PayTo)
	status, pending := pay(t, shop, payment)
	require.Equal(t, http.StatusPaymentRequired, status)
	require.Equal(t, SettlementPending, pending.Reason)

	node.ClearFaults()
	f.pending = &memory{all: map[common.Hash]remembered{}} // five minutes later
	status, _ = pay(t, shop, payment)
	require.Equal(t, http.StatusPaymentRequired, status)
	status, settled := pay(t, shop, another(node, shop.Price))
	require.Equal(t, http.StatusOK, status)
	require.NotEqual(t, pending.Transaction, settled.Transaction)
	twice := new(uint256.Int).Mul(shop.Price.Amount, uint256.NewInt(2))
	require.Equal(t, new(uint256.Int).Add(before, twice), node.Token().BalanceOf(shop.Price.PayTo))
}

// Ensure what is pending is remembered for its time and no longer.
func TestPendingExpires(t *testing.T) {
	t.Parallel()
	node, f, payment, shop := unseen(t)
	_, transaction, err := f.Settle(t.Context(), payment, shop.Price, shop.Price.Amount)
	require.ErrorIs(t, err, ErrPending)
	s, err := payment.settlement(shop.Price, shop.Price.Amount)
	require.NoError(t, err)
	for after, known := range map[time.Duration]bool{pendingTime - time.Minute: true, pendingTime + time.Minute: false} {
		tx, err := f.pending.Pending(t.Context(), s.key(), time.Now().Add(after))
		require.NoError(t, err)
		require.Equal(t, known, tx != nil && tx.Hash() == transaction, after)
	}
	require.NotZero(t, node.BlockNumber())
}
