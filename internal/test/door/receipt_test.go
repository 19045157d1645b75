package door_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

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
		plain := shape.ReceiptOf(found, shape.AllMembers)
		require.NotContains(t, string(plain.AppendJSON(nil)), "blobGasPrice")
		var priced map[string]any
		require.NoError(t, json.Unmarshal(shape.ReceiptOf(found, shape.AnvilMembers).AppendJSON(nil), &priced))
		require.Equal(t, want, priced["blobGasPrice"], fork)
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
			require.NotContains(t, receipt, "operatorFeeConstant")
			require.Equal(t, v.Chain().Optimism.Upgrade.GasRefund > 0, receipt["opGasRefund"] != nil)
		}
	}
}

// Ensure a receipt of an OP-stack chain has what the transaction paid for the L1, and a deposit's has none of it.
func TestReceiptsOfRollup(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism})
	require.NoError(t, node.Client().Client().Call(nil, "fakenode_setL1", map[string]any{"operatorFeeScalar": 5, "operatorFeeConstant": 6}))
	hash, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address)})
	require.NoError(t, err)
	node.Seal()
	v := node.Moment().Latest()
	fees := v.Fees()
	size, err := optimism.SizeOf(evmstate.Signed(v.At(1).Transaction))
	require.NoError(t, err)
	var receipt map[string]any
	require.NoError(t, node.Client().Client().Call(&receipt, "eth_getTransactionReceipt", hash))
	for name, want := range map[string]uint64{
		"daFootprintGasScalar": uint64(fees.FootprintScalar()), "l1BaseFeeScalar": uint64(fees.BaseFeeScalar), "l1BlobBaseFee": fees.BlobBaseFee.Uint64(),
		"l1BlobBaseFeeScalar": uint64(fees.BlobBaseFeeScalar), "l1Fee": fees.L1Fee(size).Uint64(), "l1GasPrice": fees.L1BaseFee.Uint64(), "l1GasUsed": optimism.L1GasUsed(size),
		"blobGasUsed": v.Receipts()[1].BlobGasUsed, "operatorFeeScalar": 5, "operatorFeeConstant": 6,
	} {
		require.Equal(t, hexutil.EncodeUint64(want), receipt[name], name)
	}
	var all []map[string]any
	require.NoError(t, node.Client().Client().Call(&all, "eth_getBlockReceipts", "latest"))
	require.Equal(t, receipt, all[1])
	require.NotContains(t, all[0], "l1Fee")
	require.Equal(t, "0x7e", all[0]["type"])

	var block struct{ Transactions []map[string]any }
	require.NoError(t, node.Client().Client().Call(&block, "eth_getBlockByNumber", "latest", true))
	require.Equal(t, common.Hash(v.At(0).Transaction.Hash()).Hex(), block.Transactions[0]["hash"])
	require.Equal(t, hexutil.EncodeBig(new(big.Int).SetUint64(v.Number())), block.Transactions[1]["blockNumber"])
	require.Equal(t, hexutil.EncodeUint64(v.Time()), block.Transactions[1]["blockTimestamp"])
}

// Ensure results estimate how long their JSON is: those that are long wait for their turn to be encoded.
func TestSizes(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Logs(0, "0xa", "0xb", 50)
	n.Do("fakenode_seal")
	m := n.Timeline.Moment()
	v := m.Latest()
	for name, result := range map[string]jsonrpc.Sized{
		"logs":     shape.LogsOf(m, v.At(0).Receipt.Logs),
		"receipts": shape.ReceiptsOf(v, shape.AllMembers),
		"block":    shape.BlockOf(v, true),
		"hashes":   shape.BlockOf(v, false),
	} {
		require.InEpsilon(t, len(result.AppendJSON(nil)), result.Size(), 0.5, name)
	}
}
