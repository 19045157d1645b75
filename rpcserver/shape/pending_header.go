package shape

import (
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf"
)

// PendingHeader returns the header of the pending block so far: gas, bloom and the roots that follow from
// its transactions and receipts. The state root stays zero: it is computed when the block is sealed.
func PendingHeader(v *preconf.View) *types.Header {
	header := types.CopyHeader(v.Header())
	receipts := optimism.Receipts{Deposits: v.Deposits(), Signed: v.Receipts()}
	header.GasUsed = v.GasUsed()
	header.Bloom = receipts.Bloom()
	header.TxHash = types.DeriveSha(optimism.Transactions{Deposits: v.Deposits(), Signed: v.Transactions()}, trie.NewStackTrie(nil))
	header.ReceiptHash = types.DeriveSha(receipts, trie.NewStackTrie(nil))
	if header.ExcessBlobGas != nil {
		header.BlobGasUsed = new(uint64)
		for _, receipt := range receipts.Signed {
			*header.BlobGasUsed += receipt.BlobGasUsed
		}
	}
	return header
}
