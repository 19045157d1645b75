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

// anvilEstimates requires that anvil's estimate of a transfer to an account without code checks nothing, and that of
// anything else does.
func anvilEstimates(t *testing.T) {
	n := newDevNode(t, instantAnvil)
	to, coded, poor := n.Account(1).Address, n.deploy("fe"), common.Address{0xcc}
	tooMuch := hexutil.EncodeBig(new(big.Int).Lsh(common.Big1, 200))
	code := func(code string) any {
		return map[common.Address]any{coded: map[string]any{"code": code}, to: map[string]any{"code": code}}
	}
	listed := []any{map[string]any{"address": to, "storageKeys": []any{}}}
	for _, c := range []struct {
		members   map[string]any
		overrides any
		want      string // the estimate, or a part of the error
	}{
		{map[string]any{"to": to, "value": tooMuch, "gasPrice": "0xffffffffff"}, nil, "0x5208"},
		{map[string]any{"to": to, "value": tooMuch, "from": poor}, nil, "0x5208"},
		{map[string]any{"to": to, "gas": "0x1"}, nil, "0x5208"},
		{map[string]any{"to": to, "maxPriorityFeePerGas": "0x77359400"}, nil, "0x5208"},
		{map[string]any{"to": to, "accessList": listed}, nil, "0x5b68"},
		{map[string]any{"to": to, "accessList": []any{}, "value": tooMuch}, nil, "Insufficient funds for gas * price + value"},
		{map[string]any{"to": to, "value": tooMuch, "data": "0x01"}, nil, "Insufficient funds for gas * price + value"},
		{map[string]any{"to": coded}, nil, "EVM error InvalidFEOpcode"},
		{map[string]any{"to": coded, "value": tooMuch}, code("0x"), "0x5208"}, // without code by an override
		{map[string]any{"to": to}, code("0xfe"), "EVM error InvalidFEOpcode"},
		{map[string]any{"to": to}, code("0x6001600055"), "0xa862"},
		{map[string]any{"to": coded, "gas": "0x5207"}, nil, "gas required exceeds allowance (20999)"},
	} {
		var gas string
		if err := n.rpc.CallContext(t.Context(), &gas, "eth_estimateGas", n.object(c.members), "latest", c.overrides); err != nil {
			gas = err.Error()
		}
		require.Contains(t, gas, c.want, "%v", c.members)
	}
	require.Equal(t, "0x5208", answer[string](n, "eth_estimateGas", map[string]any{"to": to, "value": "0xde0b6b3a7640000"}), "without a sender")
}

// anvilFills requires that anvil gives an object without a sender the first account, and a fee cap of the base fee and
// a tip where it has none, or of its own tip where that is above both.
func anvilFills(t *testing.T) {
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual})
	to := n.Account(1).Address
	base := hexutil.MustDecodeBig(answer[map[string]any](n, "eth_getBlockByNumber", "pending", false)["baseFeePerGas"].(string))
	limit := new(big.Int).Add(base, hexutil.MustDecodeBig(answer[string](n, "eth_maxPriorityFeePerGas")))
	over := new(big.Int).Add(limit, common.Big1)
	for _, tc := range []struct {
		members map[string]any
		cap     *big.Int
	}{
		{map[string]any{}, limit},
		{map[string]any{"maxPriorityFeePerGas": "0x1"}, limit},
		{map[string]any{"maxPriorityFeePerGas": hexutil.EncodeBig(limit)}, limit},
		{map[string]any{"maxPriorityFeePerGas": hexutil.EncodeBig(over)}, new(big.Int).Add(base, over)},
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
	filled := answer[struct {
		Raw hexutil.Bytes
		Tx  map[string]any
	}](n, "eth_fillTransaction", map[string]any{"to": to})
	require.Equal(t, []any{hexutil.EncodeBig(limit), hexutil.Encode(n.Account(0).Address.Bytes()), nil},
		[]any{filled.Tx["maxFeePerGas"], filled.Tx["from"], filled.Tx["blockHash"]})
	tx := new(types.Transaction)
	require.NoError(t, tx.UnmarshalBinary(filled.Raw), "unsigned")
	require.Equal(t, filled.Tx["hash"], tx.Hash().Hex())
	_, message, _ := n.failure("eth_fillTransaction", n.object(map[string]any{"to": to, "chainId": "0x1"}))
	require.Contains(t, message, "does not match")
}

// anvilReads requires that anvil reads quantities in each form, wherever an object has them.
func anvilReads(t *testing.T) {
	n := newDevNode(t, instantAnvil)
	bob := n.Account(1).Address
	for given, want := range map[any]string{"0x": "0x0", 0: "0x0", "12": "0xc", "0x0c": "0xc", 12: "0xc"} {
		hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": bob, "value": given, "gas": "21000"}))
		require.Equal(t, want, answer[map[string]any](n, "eth_getTransactionByHash", hash)["value"], given)
	}
	for _, bad := range []any{-1, "-1", "1.5", true, "many"} {
		code, _, _ := n.failure("eth_call", n.object(map[string]any{"to": bob, "value": bad}))
		require.Equal(t, -32602, code, bad)
	}
	_, message, _ := n.failure("eth_call")
	require.Contains(t, message, "missing argument 0")
	simulated := answer[[]struct{ Calls []struct{ GasUsed string } }](n, "eth_simulateV1", map[string]any{"blockStateCalls": []any{
		map[string]any{"calls": []any{n.object(map[string]any{"to": bob, "value": 1, "gas": "30000"})}},
	}}, "latest")
	require.Equal(t, "0x5208", simulated[0].Calls[0].GasUsed)
}
