package shape_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Ensure a fork's transactions and receipts of the chain below are as that chain answers them: those that are signed,
// and those that no wallet sends.
func TestObjectsBelowFork(t *testing.T) {
	t.Parallel()
	below := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism})
	hash, err := below.Transact(below.Account(0), fakenode.Tx{To: new(below.Account(1).Address)})
	require.NoError(t, err)
	below.Seal()
	deposit := below.Moment().Latest().Transaction(0).Hash()
	fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: below.URL()}})
	for _, hash := range []common.Hash{hash, deposit} {
		for _, method := range []string{"eth_getTransactionByHash", "eth_getTransactionReceipt"} {
			var was, is map[string]any
			require.NoError(t, below.Client().Client().Call(&was, method, hash))
			require.NoError(t, fork.Client().Client().Call(&is, method, hash))
			require.NotEmpty(t, was)
			for name, value := range was {
				require.Equal(t, value, is[name], "%s: %s", method, name)
			}
		}
	}
}

// Ensure receipts since Amsterdam have the gas of both kinds, of their own transaction, and older ones have not.
func TestReceiptsOfKindsOfGas(t *testing.T) {
	t.Parallel()
	for fork, has := range map[string]bool{"osaka": false, "amsterdam": true} {
		node := fakenode.RunConfigT(t, fakenode.Config{Hardfork: fork, Rules: fakenode.EthereumRules})
		for i, data := range []string{"", "0x600160005560006000f3"} { // a transfer, and a creation that writes a slot
			tx := fakenode.Tx{To: &common.Address{1}, Gas: 1_000_000}
			if data != "" {
				tx.To, tx.Data = nil, common.FromHex(data)
			}
			_, err := node.Transact(node.Account(i), tx)
			require.NoError(t, err)
		}
		node.Seal()
		v := node.Moment().Latest()
		require.Equal(t, 2, v.Count())
		require.Equal(t, has, v.GasByKind() != nil)
		var all []map[string]any
		require.NoError(t, node.Client().Client().Call(&all, "eth_getBlockReceipts", "latest"))
		for i, receipt := range all {
			require.Equal(t, has, receipt["executionGasUsed"] != nil)
			if has {
				gas := v.GasByKind()[i]
				require.Equal(t, hexutil.EncodeUint64(gas.Execution), receipt["executionGasUsed"])
				require.Equal(t, hexutil.EncodeUint64(gas.State), receipt["stateGasUsed"])
			}
		}
	}
}

// Ensure the price of blob gas is in a receipt on demand where its block has one, and a transaction that no block holds
// has no place.
func TestPricesOfBlobGas(t *testing.T) {
	t.Parallel()
	for fork, want := range map[string]any{"shanghai": nil, "cancun": "0x1", "prague": "0x1"} {
		node := fakenode.RunConfigT(t, fakenode.Config{Hardfork: fork, Rules: fakenode.EthereumRules})
		hash, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address)})
		require.NoError(t, err)
		pooled, err := node.Moment().Find(hash)
		require.NoError(t, err)
		var object map[string]any
		require.NoError(t, json.Unmarshal(shape.TransactionOf(pooled).AppendJSON(nil), &object))
		require.Equal(t, hash.Hex(), object["hash"])
		for _, name := range []string{"blockHash", "blockNumber", "blockTimestamp", "transactionIndex"} {
			require.Contains(t, object, name)
			require.Nil(t, object[name])
		}
		node.Seal()
		found, err := node.Moment().Find(hash)
		require.NoError(t, err)
		plain := shape.ReceiptOf(found, shape.Spec)
		for text, want := range map[string]any{
			string(plain.AppendJSON(nil)): nil, string(plain.WithBlobGasPrice().AppendJSON(nil)) + " ": want,
		} {
			var receipt map[string]any
			require.NoError(t, json.Unmarshal([]byte(text), &receipt))
			require.Equal(t, want, receipt["blobGasPrice"], fork)
		}
		block := shape.BlockOf(found.View, false)
		var members map[string]any
		require.NoError(t, json.Unmarshal(block.AppendJSON(nil), &members))
		require.Equal(t, []any{hash.Hex()}, members["transactions"])
		require.Equal(t, []any{}, members["withdrawals"])
		pending := shape.BlockOf(node.Moment().Pending(), true)
		members = nil
		require.NoError(t, json.Unmarshal(pending.AppendJSON(nil), &members))
		require.Equal(t, []any{}, members["withdrawals"])
		require.NotContains(t, members, "size")
	}
	node := fakenode.RunConfigT(t, fakenode.Config{Hardfork: "paris", Rules: fakenode.EthereumRules})
	node.Seal()
	for _, v := range []string{"latest", "pending"} {
		var block map[string]any
		require.NoError(t, node.Client().Client().Call(&block, "eth_getBlockByNumber", v, false))
		require.NotContains(t, block, "withdrawals")
	}
}

// Ensure the receipts of a block of Lagoon have what they cost the L1 where they cost anything: the transaction that
// ends the block uses no gas of blobs, and has no fees.
func TestReceiptsOfLagoon(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Rules: fakenode.LagoonRules})
	_, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address)})
	require.NoError(t, err)
	node.Seal()
	v := node.Moment().Latest()
	var all []map[string]any
	require.NoError(t, node.Client().Client().Call(&all, "eth_getBlockReceipts", "latest"))
	require.Len(t, all, v.Count())
	for i, receipt := range all {
		switch v.Transaction(i).Type() {
		case optimism.PostExecType:
			require.Equal(t, "0x0", receipt["blobGasUsed"])
			require.NotContains(t, receipt, "l1Fee")
		case optimism.DepositType:
			require.NotContains(t, receipt, "blobGasUsed")
			require.NotContains(t, receipt, "l1Fee")
		default:
			require.Contains(t, receipt, "l1Fee")
			require.Equal(t, v.Chain().Optimism().Upgrade.GasRefund > 0, receipt["opGasRefund"] != nil)
		}
	}
}
