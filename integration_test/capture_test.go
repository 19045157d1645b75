package integration_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// Ensure an authorization reserves nothing (contract 1-unreserved): of a capture and a transfer of the whole balance in
// one flashblock the earlier one wins, and a capture that came too late leaves its nonce unused.
func TestCaptureAndDrain(t *testing.T) {
	t.Parallel()
	for _, captureFirst := range []bool{true, false} {
		name := map[bool]string{true: "capture first", false: "drain first"}[captureFirst]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			payer, merchant := node.Account(0), node.Account(1)
			s := openShop(t, node, merchant)
			balance, amount := node.Token().BalanceOf(payer.Address), fixtures.USD("25.00")
			payment := fixtures.Sign(payer, s.domain(), fixtures.Authorization(payer, merchant, amount, node.Now()))
			capture := func() common.Hash { return s.submit(merchant, payment.Capture()).Hash() }
			drain := func() common.Hash {
				return s.submit(payer, binding.PackTransfer(node.Account(2).Address, balance.ToBig())).Hash()
			}

			var captured, drained common.Hash
			if captureFirst {
				captured, drained = capture(), drain()
			} else {
				drained, captured = drain(), capture()
			}
			node.Preconfirm()
			check := func(token *fakenode.Token) {
				for hash, succeeds := range map[common.Hash]bool{captured: captureFirst, drained: !captureFirst} {
					receipt, err := s.client.TransactionReceipt(t.Context(), hash)
					require.NoError(t, err)
					require.Equal(t, succeeds, receipt.Status == types.ReceiptStatusSuccessful)
				}
				require.Equal(t, captureFirst, token.AuthorizationState(payer.Address, payment.Authorization.Nonce))
			}
			check(node.Token().Pending())
			require.False(t, node.Token().AuthorizationState(payer.Address, payment.Authorization.Nonce))
			node.Seal()
			check(node.Token())
			if captureFirst {
				node.CheckBalance(t, payer.Address, new(uint256.Int).Sub(balance, amount))
			} else {
				node.CheckBalance(t, payer.Address, new(uint256.Int))
			}
		})
	}
}
