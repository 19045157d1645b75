package tracers_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/eth/tracers"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

func init() {
	tracers.DefaultDirectory.Register("receiptTracer", newReceiptTracer, false)
}

// newReceiptTracer returns a tracer as a user may write one in Go: it answers with the receipt at the end.
func newReceiptTracer(*tracers.Context, json.RawMessage, *params.ChainConfig) (*tracers.Tracer, error) {
	got := types.Receipt{Logs: []*types.Log{}} // for JSON
	return &tracers.Tracer{
		Hooks: &tracing.Hooks{OnTxEnd: func(receipt *types.Receipt, _ error) {
			logs := append(got.Logs, receipt.Logs...)
			got = *receipt
			got.Logs = logs
		}},
		GetResult: func() (json.RawMessage, error) { return json.Marshal(got) },
		Stop:      func(error) {},
	}, nil
}

// Ensure a tracer of one's own, registered with go-ethereum, gets the receipt of the transaction: its place, status,
// gas and logs, and the contract that it created.
func TestOwnTracer(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	emitting := program.New().Push0().Push0().Op(vm.LOG0).Op(vm.STOP).Bytes()
	failing := program.New().Push0().Push0().Op(vm.REVERT).Bytes()
	var hashes []common.Hash
	for _, code := range [][]byte{emitting, failing, emitting} {
		hash, err := node.Transact(node.Account(0), fakenode.Tx{Data: code, Gas: 200_000})
		require.NoError(t, err)
		hashes = append(hashes, hash)
	}
	node.Seal()
	for i, hash := range hashes {
		want, err := node.Client().TransactionReceipt(t.Context(), hash)
		require.NoError(t, err)
		require.EqualValues(t, i, want.TransactionIndex)
		var got types.Receipt
		config := map[string]any{"tracer": "receiptTracer"}
		require.NoError(t, node.Client().Client().CallContext(t.Context(), &got, "debug_traceTransaction", hash, config))
		require.Equal(t, want.Status, got.Status)
		require.Equal(t, want.GasUsed, got.GasUsed)
		require.Equal(t, want.GasUsed, got.CumulativeGasUsed, "of the one transaction, as in go-ethereum")
		require.Equal(t, want.Type, got.Type)
		require.Equal(t, want.TxHash, got.TxHash)
		require.Equal(t, want.BlockHash, got.BlockHash)
		require.Equal(t, want.BlockNumber, got.BlockNumber)
		require.Equal(t, want.TransactionIndex, got.TransactionIndex)
		require.Equal(t, want.ContractAddress, got.ContractAddress)
		require.Len(t, got.Logs, len(want.Logs))
		for j := range want.Logs {
			require.Equal(t, want.Logs[j].Address, got.Logs[j].Address)
			require.Equal(t, want.Logs[j].Index, got.Logs[j].Index)
		}
	}
}
