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

	known := newDevNode(t, fakenode.Config{Compat: fakenode.Geth, Preconf: fakenode.PreconfPending, FlashblockTime: fakenode.NoFlashblocks})
	require.NotNil(t, answer[map[string]any](known, "eth_getBlockByNumber", "pending", false)["hash"], "clients know pre-confirmed blocks by it")

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

// requireAnnounced sends transactions whose nonces leave gaps and close them. The node announces each once no nonce is
// missing before it, and one that replaces another at once; or with early each as it comes.
func requireAnnounced(t *testing.T, c fakenode.Config, early bool) {
	t.Helper()
	c.Mode = fakenode.Manual
	n := newDevNode(t, c)
	filter := answer[string](n, "eth_newPendingTransactionFilter")
	announced := func() []common.Hash { return answer[[]common.Hash](n, "eth_getFilterChanges", filter) }
	send := func(nonce, fee string) common.Hash {
		return answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{
			"to": n.Account(1).Address, "gas": "0x5208", "nonce": nonce, "maxFeePerGas": fee, "maxPriorityFeePerGas": fee,
		}))
	}
	const low, high = "0x77359400", "0xee6b2800"
	second, third, fifth := send("0x1", low), send("0x2", low), send("0x4", low)
	if early {
		require.Equal(t, []common.Hash{second, third, fifth}, announced())
		require.Equal(t, []common.Hash{send("0x0", low)}, announced())
		return
	}
	require.Empty(t, announced())
	require.Equal(t, []common.Hash{send("0x0", low), second, third}, announced())
	require.Equal(t, []common.Hash{send("0x1", high)}, announced())
	require.Equal(t, []common.Hash{send("0x3", low), fifth}, announced())
}

func TestGethAnnounces(t *testing.T) {
	t.Parallel()
	requireAnnounced(t, fakenode.Config{Compat: fakenode.Geth, FlashblockTime: fakenode.NoFlashblocks}, false)
	requireAnnounced(t, fakenode.Config{Compat: fakenode.Geth}, true)
	requireAnnounced(t, fakenode.Config{Preset: fakenode.Hardhat}, true)
}

// requirePrecompile calls a precompile whose account a state override gives code that returns nothing. The precompile
// runs all the same if it is fixed.
func requirePrecompile(n *devNode, fixed bool) {
	n.t.Helper()
	const identity, data = "0x0000000000000000000000000000000000000004", "0x1234"
	call, want := map[string]any{"to": identity, "data": data}, "0x"
	if fixed {
		want = data
	}
	override := map[string]any{identity: map[string]any{"code": "0x", "balance": "0x1"}}
	require.Equal(n.t, want, answer[string](n, "eth_call", call, "latest", override))
	simulated := answer[[]struct{ Calls []struct{ ReturnData string } }](n, "eth_simulateV1", map[string]any{
		"blockStateCalls": []any{map[string]any{"calls": []any{call}, "stateOverrides": override}},
	}, "latest")
	require.Equal(n.t, want, simulated[0].Calls[0].ReturnData)
}

func TestGethReplacesPrecompiles(t *testing.T) {
	t.Parallel()
	requirePrecompile(newDevNode(t, fakenode.Config{Compat: fakenode.Geth}), false)
}
