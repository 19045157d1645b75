package integration_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a payment by the x402 exact scheme goes through the node, and that what a facilitator rejects it rejects for
// its own specific reasons, which it finds out by calls to the token and Multicall3.
func TestX402(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.Dev, fakenode.BaseFlashblocks, fakenode.Monad, fakenode.Arc} { // x402 knows the second's and third's tokens
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			// The facilitator compares with the wall clock, where the node's clock starts.
			testX402(t, fakenode.RunConfigT(t, fakenode.Config{Preset: preset, Mode: fakenode.Instant}))
		})
	}
}

func testX402(t *testing.T, node *fakenode.Node) {
	t.Helper()
	got := runScript[struct {
		Bought struct {
			Unpaid, Status int
			Body           map[string]string
			Paid, Received *uint256.Int
			Payer, Relayer common.Address
			Network        string
			Success        bool
			Receipt        string
		}
		Verified, Settled map[string]string
	}](t, node, "x402.mjs")

	cent := uint256.NewInt(10_000)
	require.Equal(t, http.StatusPaymentRequired, got.Bought.Unpaid)
	require.Equal(t, http.StatusOK, got.Bought.Status)
	require.Equal(t, map[string]string{"report": "sunny"}, got.Bought.Body)
	require.Equal(t, cent, got.Bought.Paid)
	require.Equal(t, cent, got.Bought.Received)
	require.Equal(t, node.Account(0).Address, got.Bought.Payer)
	require.Equal(t, node.Account(3).Address, got.Bought.Relayer)
	require.Equal(t, fmt.Sprintf("eip155:%d", node.ChainID()), got.Bought.Network)
	require.True(t, got.Bought.Success)
	require.Equal(t, "success", got.Bought.Receipt)

	require.Equal(t, map[string]string{
		"fresh":          "",
		"replayed":       "invalid_exact_evm_nonce_already_used",
		"tampered value": "invalid_exact_evm_signature",
		"wrong name":     "invalid_exact_evm_token_name_mismatch",
		"over balance":   "invalid_exact_evm_insufficient_balance",
		"paused":         "invalid_exact_evm_transaction_simulation_failed",
	}, got.Verified)
	require.Equal(t, map[string]string{
		"fresh":  "",
		"again":  "invalid_exact_evm_nonce_already_used",
		"paused": "invalid_exact_evm_transaction_failed",
	}, got.Settled)
}
