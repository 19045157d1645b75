package bundler_test

import (
	"maps"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
)

// Ensure the receipt of an operation that the service pays for names the paymaster; the data and the stub have one
// length, the stub says who sponsors, and an operation without a limit is not paid for.
func TestReceiptOfSponsoredOperation(t *testing.T) {
	t.Parallel()
	for _, entryPoint := range []common.Address{entrypoint.V06Address, entrypoint.V07Address, entrypoint.V08Address, entrypoint.V09Address} {
		node := fakenode.RunT(t)
		client, sender := node.Client().Client(), common.Address{0xa1}
		node.SetCode(sender, common.FromHex("0x60205ff3")) // answers with a word of zeros: it accepts everything
		op := map[string]any{
			"sender": sender, "nonce": "0x0", "callData": "0x", "signature": "0x", "callGasLimit": "0x10000", "verificationGasLimit": "0x80000",
			"preVerificationGas": "0x10000", "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x1",
		}
		var stub, data map[string]any
		require.NoError(t, client.Call(&stub, "pm_getPaymasterStubData", op, entryPoint, "0x7a69", nil))
		require.Equal(t, map[string]any{"name": "fakenode"}, stub["sponsor"])
		delete(stub, "sponsor")
		maps.Copy(op, stub)
		require.NoError(t, client.Call(&data, "pm_getPaymasterData", op, entryPoint, "0x7a69", nil))
		require.NotContains(t, data, "sponsor")
		for name, value := range data {
			require.Len(t, value, len(stub[name].(string)), name)
		}
		limit := op["callGasLimit"]
		delete(op, "callGasLimit")
		err := client.Call(nil, "pm_getPaymasterData", op, entryPoint, "0x7a69", nil)
		require.ErrorContains(t, err, "callGasLimit is missing")
		require.Equal(t, -32602, err.(rpc.Error).ErrorCode())
		require.ErrorContains(t, client.Call(nil, "eth_sendUserOperation", op, entryPoint), "callGasLimit is missing")

		op["callGasLimit"] = limit
		require.ErrorContains(t, client.Call(nil, "eth_sendUserOperation", op, entryPoint), "AA34", "the stub is no signature")
		maps.Copy(op, data)
		var hash common.Hash
		require.NoError(t, client.Call(&hash, "eth_sendUserOperation", op, entryPoint))
		node.Seal()
		var receipt struct {
			Paymaster common.Address
			Success   bool
		}
		require.NoError(t, client.Call(&receipt, "eth_getUserOperationReceipt", hash))
		require.True(t, receipt.Success)
		require.Equal(t, entrypoint.PaymasterAddress, receipt.Paymaster)
	}
}
