package dialect_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure anvil's receipts have the price of blob gas one by one and all together, and that the other answers which it
// adds to have their members.
func TestMembersOfAnvil(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil})
	hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
	require.Equal(t, "0x1", answer[map[string]any](n, "eth_getTransactionReceipt", hash)["blobGasPrice"])
	all := answer[[]map[string]any](n, "eth_getBlockReceipts", "latest")
	require.Len(t, all, 1)
	require.Equal(t, "0x1", all[0]["blobGasPrice"])
	sent := answer[map[string]any](n, "eth_sendTransactionSync", n.object(map[string]any{"to": n.Account(1).Address}))
	require.Equal(t, "0x1", sent["blobGasPrice"])
	for _, block := range []map[string]any{
		answer[map[string]any](n, "eth_getBlockByNumber", "latest", false), answer[[]map[string]any](n, "evm_mine_detailed")[0],
	} {
		require.Equal(t, "0x0", block["totalDifficulty"])
	}
}

// Ensure anvil's estimate of a transfer to an account without code checks nothing, and that of anything else does.
func TestEstimatesOfAnvil(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil})
	to, coded := n.Account(1).Address, n.deploy("fe")
	tooMuch := hexutil.EncodeBig(new(big.Int).Lsh(common.Big1, 200))
	estimate := func(members map[string]any, more ...any) string {
		var gas string
		if err := n.rpc.CallContext(t.Context(), &gas, "eth_estimateGas", append([]any{n.object(members), "latest"}, more...)...); err != nil {
			return err.Error()
		}
		return gas
	}
	code := func(code string) any {
		return map[common.Address]any{coded: map[string]any{"code": code}, to: map[string]any{"code": code}}
	}
	require.Equal(t, "0x5208", estimate(map[string]any{"to": to, "value": tooMuch}))
	require.Equal(t, "0x5208", estimate(map[string]any{"to": to, "gas": "0x1"}), "not even the gas")
	require.Contains(t, estimate(map[string]any{"to": to, "value": tooMuch, "data": "0x01"}), "Insufficient funds")
	require.NotEqual(t, "0x5208", estimate(map[string]any{"to": to, "accessList": []any{}, "value": tooMuch}))
	require.Equal(t, "EVM error InvalidFEOpcode", estimate(map[string]any{"to": coded}))
	require.Equal(t, "0x5208", estimate(map[string]any{"to": coded}, code("0x")), "without code by an override")
	require.Equal(t, "EVM error InvalidFEOpcode", estimate(map[string]any{"to": to}, code("0xfe")))
	require.Contains(t, estimate(map[string]any{"to": coded, "gas": "0x5207"}), "(20999)")
	require.NotContains(t, estimate(map[string]any{"to": coded, "gas": "0x5208"}), "(21000)")
}

// Ensure anvil signs for its accounts alone, gives an object without a sender the first one, and a fee cap of the base
// fee and a tip where it has none, or of its own tip where that is above both.
func TestSendersAndFeesOfAnvil(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual})
	to := n.Account(1).Address
	code, message, _ := n.failure("eth_signTransaction", map[string]any{"from": common.Address{9}, "to": to})
	require.Equal(t, []any{-32602, "No Signer available"}, []any{code, message})
	base := answer[map[string]any](n, "eth_getBlockByNumber", "pending", false)["baseFeePerGas"].(string)
	tip := hexutil.MustDecodeBig(answer[string](n, "eth_maxPriorityFeePerGas"))
	limit := new(big.Int).Add(hexutil.MustDecodeBig(base), tip)
	over := new(big.Int).Add(limit, common.Big1)
	for _, tc := range []struct {
		members map[string]any
		cap     *big.Int
	}{
		{map[string]any{}, limit},
		{map[string]any{"maxPriorityFeePerGas": "0x1"}, limit},
		{map[string]any{"maxPriorityFeePerGas": hexutil.EncodeBig(limit)}, limit},
		{map[string]any{"maxPriorityFeePerGas": hexutil.EncodeBig(over)}, new(big.Int).Add(hexutil.MustDecodeBig(base), over)},
		{map[string]any{"maxFeePerGas": "0x77777777777"}, big.NewInt(0x77777777777)},
		{map[string]any{"gasPrice": "0x77777777777"}, big.NewInt(0x77777777777)},
	} {
		tc.members["to"] = to
		tx := new(types.Transaction)
		require.NoError(t, tx.UnmarshalBinary(answer[hexutil.Bytes](n, "eth_signTransaction", tc.members)))
		require.Equal(t, tc.cap, tx.GasFeeCap(), tc.members)
		require.EqualValues(t, 21_000, tx.Gas())
		from, err := types.Sender(types.LatestSignerForChainID(tx.ChainId()), tx)
		require.NoError(t, err)
		require.Equal(t, n.Account(0).Address, from)
	}
	// One that no limit suffices for gets the largest there is, and is mined.
	n.SetCode(common.Address{7}, []byte{0xfe})
	hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": common.Address{7}}))
	require.Equal(t, "0x1c9c380", answer[map[string]any](n, "eth_getTransactionByHash", hash)["gas"])
	answer[any](n, "evm_mine")
	require.Equal(t, "0x0", n.receipt(hash).Status)
	_, message, _ = n.failure("eth_fillTransaction", n.object(map[string]any{"to": to, "chainId": "0x1"}))
	require.Contains(t, message, "does not match")
}

// Ensure a call of anvil or Hardhat without a sender is from the first account, and one with too low a fee is not
// refused for it.
func TestCallsOfDevelopmentNodes(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.Anvil, fakenode.Hardhat} {
		n := newDevNode(t, fakenode.Config{Preset: preset})
		caller, price := n.deploy("335f5260205ff3"), n.deploy("3a5f5260205ff3")
		base := hexutil.MustDecodeBig(answer[map[string]any](n, "eth_getBlockByNumber", "latest", false)["baseFeePerGas"].(string))
		from := answer[common.Hash](n, "eth_call", map[string]any{"to": caller})
		if preset == fakenode.Hardhat {
			require.Equal(t, common.BytesToHash(n.Account(0).Address.Bytes()), from)
		}
		call := func(wei *big.Int, members ...string) *big.Int {
			object := n.object(map[string]any{"to": price})
			for _, member := range members {
				object[member] = hexutil.EncodeBig(wei)
			}
			return answer[common.Hash](n, "eth_call", object, "latest").Big()
		}
		high := new(big.Int).Lsh(base, 2)
		require.Equal(t, high, call(high, "gasPrice"), preset)
		require.Equal(t, high, call(high, "maxFeePerGas", "maxPriorityFeePerGas"), preset)
		if preset == fakenode.Anvil {
			require.Zero(t, call(new(big.Int).Sub(base, common.Big1), "gasPrice").Sign(), "below the base fee")
			require.Equal(t, base, call(base, "gasPrice"))
		} else {
			require.Equal(t, big.NewInt(1), call(common.Big1, "gasPrice"), "the base fee of calls is 0")
		}
	}
}

// Ensure block overrides of a call on Hardhat's network are those given, and that without any the base fee is 0, also
// on a chain from before there was one.
func TestBlockOverridesOfHardhat(t *testing.T) {
	t.Parallel()
	for _, hardfork := range []string{"", "berlin"} {
		n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat, Hardfork: hardfork})
		number := common.Address{7}
		n.SetCode(number, common.FromHex("435f5260205ff3"))
		if hardfork == "berlin" { // without PUSH0
			n.SetCode(number, common.FromHex("4360005260206000f3"))
		}
		call := n.object(map[string]any{"to": number})
		overridden := answer[common.Hash](n, "eth_call", call, "latest", map[string]any{}, map[string]any{"number": "0x64"})
		require.Equal(t, common.Hash{31: 0x64}, overridden, hardfork)
		require.NotEqual(t, overridden, answer[common.Hash](n, "eth_call", call, "latest"))
		call["gasPrice"] = "0x0"
		answer[common.Hash](n, "eth_call", call, "latest")
	}
}

// Ensure a call on Hardhat's network with a fee cap alone has a sender that can pay it, as one with a gas price has.
func TestHardhatLendsTheFeeCap(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat})
	balance := n.deploy("33315f5260205ff3")                                                          // returns that of its caller
	for member, want := range map[string]int64{"maxFeePerGas": 100_000, "maxPriorityFeePerGas": 0} { // the tip is paid at once
		call := map[string]any{"from": common.Address{9}, "to": balance, "gas": "0x186a0", member: "0x1"}
		require.Equal(t, want, answer[common.Hash](n, "eth_call", call).Big().Int64(), member)
	}
}

// Ensure clients of geth that know pre-confirmed blocks by their hash see it in the pending block.
func TestGethPendingHash(t *testing.T) {
	t.Parallel()
	for preconf, known := range map[fakenode.Preconf]bool{fakenode.PreconfPending: true, fakenode.PreconfFlashblocks: false} {
		n := newDevNode(t, fakenode.Config{Compat: fakenode.Geth, Preconf: preconf, FlashblockTime: fakenode.NoFlashblocks})
		pending := answer[map[string]any](n, "eth_getBlockByNumber", "pending", false)
		require.Equal(t, known, pending["hash"] != nil, preconf)
		require.NotNil(t, answer[map[string]any](n, "eth_getBlockByNumber", "latest", false)["hash"])
	}
}

// Ensure the steps of a trace of Hardhat's are those that half of the room for the answer has.
func TestHardhatTraceFitsTheAnswer(t *testing.T) {
	t.Parallel()
	const room = 100_000
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat, Limits: fakenode.Limits{MaxAnswer: room}})
	loop := n.deploy(endlessLoop)
	steps := answer[hardhatSteps](n, "debug_traceCall", n.object(map[string]any{"to": loop, "gas": "0x186a0"}), "latest", map[string]any{"limit": 60_000}).StructLogs
	size, largest := 0, 0
	for _, step := range steps {
		one := 256 + 67*(len(step["stack"].([]any))+len(step["memory"].([]any)))
		size, largest = size+one, max(largest, one)
	}
	require.LessOrEqual(t, size, room/2)
	require.Greater(t, size+largest, room/2)
}
