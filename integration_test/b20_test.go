package integration_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/b20"
)

// Ensure viem pays with a memo, finds the payment by it, collects by a permit, and reads each refusal by the published
// ABI, on a node that resembles Base.
func TestB20(t *testing.T) {
	t.Parallel()
	type payment struct {
		Order            string
		Caller, From, To common.Address
		Amount, Balance  string
	}
	type report struct {
		Paid     payment
		Decimals int
		Currency string
		Order    []string
		Paused   bool
		Refusals map[string]string
		Minted   string
	}
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Base})
	payer, merchant := node.Account(0).Address, node.Account(1).Address
	sender := crypto.Keccak256Hash([]byte("TRANSFER_SENDER_POLICY")).Hex()
	minter := crypto.Keccak256Hash([]byte("MINT_ROLE")).Hex()
	require.Equal(t, report{
		Paid:     payment{"order-42", payer, payer, merchant, "10000000", "1000010000000"},
		Decimals: 6, Currency: "USD", Order: []string{"Transfer", "Memo"}, Paused: true,
		Refusals: map[string]string{
			"open": "", "other": "",
			"poor":    "InsufficientBalance(" + payer.Hex() + ", 999980000000, 10000000000000)",
			"toToken": "InvalidReceiver(" + b20.Address.Hex() + ")",
			"mint":    "AccessControlUnauthorizedAccount(" + payer.Hex() + ", " + minter + ")",
			"paused":  "ContractPaused(0)",
			"blocked": "PolicyForbids(" + sender + ", 2)",
		},
		Minted: "1000010000000",
	}, runScript[report](t, node, "b20.mjs", b20.Address.Hex(), b20.RegistryAddress.Hex()))
}
