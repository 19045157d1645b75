package shape

import (
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
)

// PendingHeader returns the header of the pending block so far: gas, bloom and the roots that follow from
// its transactions and receipts. The state root stays zero: it is computed when the block is sealed.
func PendingHeader(v *preconf.View) *types.Header {
	header := types.CopyHeader(v.Header())
	receipts := evmstate.Receipts{Transactions: v.Transactions(), List: v.Receipts()}
	header.GasUsed = v.GasUsed()
	header.Bloom = types.MergeBloom(v.Receipts())
	header.TxHash = types.DeriveSha(v.Transactions(), trie.NewStackTrie(nil))
	header.ReceiptHash = types.DeriveSha(receipts, trie.NewStackTrie(nil))
	if header.ExcessBlobGas != nil {
		header.BlobGasUsed = new(uint64)
		for _, receipt := range v.Receipts() {
			*header.BlobGasUsed += receipt.BlobGasUsed
		}
	}
	if list := v.AccessList(); list != nil {
		header.BlockAccessListHash = new(list.Hash())
	}
	return header
}
