package shape_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Ensure a receipt of an OP-stack chain has what the transaction paid for the L1, and a deposit's has none of it.
func TestReceiptsOfRollup(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism})
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
		"blobGasUsed": v.Receipts()[1].BlobGasUsed,
	} {
		require.Equal(t, hexutil.EncodeUint64(want), receipt[name], name)
	}
	var all []map[string]any
	require.NoError(t, node.Client().Client().Call(&all, "eth_getBlockReceipts", "latest"))
	require.Equal(t, receipt, all[1])
	require.NotContains(t, all[0], "l1Fee")
	require.Equal(t, "0x7e", all[0]["type"])
	require.Equal(t, fees.HasOperatorFee(), receipt["operatorFeeConstant"] != nil)

	var block struct{ Transactions []map[string]any }
	require.NoError(t, node.Client().Client().Call(&block, "eth_getBlockByNumber", "latest", true))
	require.Equal(t, common.Hash(v.At(0).Transaction.Hash()).Hex(), block.Transactions[0]["hash"])
	require.Equal(t, hexutil.EncodeBig(new(big.Int).SetUint64(v.Number())), block.Transactions[1]["blockNumber"])
	require.Equal(t, hexutil.EncodeUint64(v.Time()), block.Transactions[1]["blockTimestamp"])
}
