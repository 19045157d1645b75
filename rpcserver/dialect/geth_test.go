package dialect_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure that pending is what geth would mine while nothing is pre-confirmed, a block without a hash, and that it is a
// pre-confirmed block with the zero hash where there are flashblocks.
func TestGethPendingBlock(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, fakenode.Config{Compat: fakenode.Geth, FlashblockTime: fakenode.NoFlashblocks})
	alice := n.Account(0).Address
	sent := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address, "value": "0x5"}))
	require.Equal(t, "0x1", answer[string](n, "eth_getTransactionCount", alice, "pending"))
	require.Equal(t, "0x1", answer[string](n, "eth_getBlockTransactionCountByNumber", "pending"))
	block := answer[map[string]any](n, "eth_getBlockByNumber", "pending", false)
	require.Equal(t, []any{sent.Hex()}, block["transactions"])
	for _, name := range []string{"hash", "nonce", "miner"} {
		require.Contains(t, block, name)
		require.Nil(t, block[name], name)
	}
	require.NotContains(t, block, "parentBeaconBlockRoot")
	n.Seal()
	require.Equal(t, fakenode.FeeRecipient, common.HexToAddress(answer[map[string]any](n, "eth_getBlockByNumber", "latest", false)["miner"].(string)))

	n = newDevNode(t, fakenode.Config{Compat: fakenode.Geth})
	n.Preconfirm()
	require.Equal(t, common.Hash{}.Hex(), answer[map[string]any](n, "eth_getBlockByNumber", "pending", false)["hash"])
}

// Ensure that a transaction without a tip is refused as by geth while there is a base fee.
func TestGethTip(t *testing.T) {
	t.Parallel()
	free := func(n *devNode) map[string]any {
		return n.object(map[string]any{"to": n.Account(1).Address, "gas": "0x5208", "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x0"})
	}
	n := newDevNode(t, fakenode.Config{Compat: fakenode.Geth})
	code, message, _ := n.failure("eth_sendTransaction", free(n))
	require.Equal(t, -32000, code)
	require.Equal(t, "transaction gas price below minimum: gas tip cap 0, minimum needed 1", message)
	n = newDevNode(t, fakenode.Config{Compat: fakenode.Geth, BaseFee: new(uint256.Int)})
	answer[common.Hash](n, "eth_sendTransaction", free(n))
	n = newDevNode(t, fakenode.Config{Preset: fakenode.Anvil})
	answer[common.Hash](n, "eth_sendTransaction", free(n))
}
