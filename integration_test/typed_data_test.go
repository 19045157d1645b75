package integration_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/examples/merchant/checkout"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure the libraries that payers use take a merchant's typed data as it comes, and that the merchant takes what they
// sign.
func TestMerchantTypedDataJavaScript(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	payer := node.Account(0)
	shop, err := checkout.Open(t.Context(), checkout.Config{
		URL: node.URL(), Token: node.Token().Address(), Key: node.Account(1).Key,
		Database: filepath.Join(t.TempDir(), "merchant.db"), Timeout: time.Minute,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, shop.Close()) })
	do := func(method, path string, body any) (answer struct {
		OrderID       string
		Stage         string
		Authorization json.RawMessage
		TypedData     json.RawMessage
	}) {
		t.Helper()
		encoded, err := json.Marshal(body)
		require.NoError(t, err)
		recorder := httptest.NewRecorder()
		shop.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), method, path, bytes.NewReader(encoded)))
		require.Equal(t, http.StatusOK, recorder.Code, recorder.Body)
		require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &answer))
		return answer
	}

	order := do(http.MethodPost, "/orders", map[string]any{"payer": payer.Address, "amount": "25.00"})
	signed := runScript[map[string]tokencontract.Signature](t, node, "typed_data.mjs", string(order.TypedData))
	require.Len(t, signed, 4)
	for library, signature := range signed {
		stored := do(http.MethodPost, "/orders/"+order.OrderID+"/authorization", map[string]any{"authorization": order.Authorization, "signature": signature})
		require.Equal(t, "stored", stored.Stage, library)
	}

	var terms struct{ Nonce common.Hash }
	require.NoError(t, json.Unmarshal(order.Authorization, &terms))
	cancellation := tokencontract.Cancellation{Authorizer: payer.Address, Nonce: terms.Nonce}
	want := payer.Sign(node.Token().Domain(), cancellation.Message())
	for library, signature := range runScript[map[string]tokencontract.Signature](t, node, "typed_data.mjs",
		string(do(http.MethodGet, "/orders/"+order.OrderID+"/cancellation", nil).TypedData)) {
		require.Equal(t, want, signature, library)
	}
}
