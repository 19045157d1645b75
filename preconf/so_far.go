package preconf

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"

	"github.com/fakenode/fakenode/evmstate"
)

// HeaderSoFar returns the header of a pending block with gas, bloom and the roots that follow from its transactions and
// receipts so far. The state root stays zero: it is computed when the block is sealed. The header is the caller's.
func (v *View) HeaderSoFar() *types.Header {
	header, list := types.CopyHeader(v.Header()), v.slice.receipts
	header.GasUsed = v.GasUsed()
	header.Bloom = types.MergeBloom(list)
	header.TxHash = types.DeriveSha(v.Transactions(), trie.NewStackTrie(nil))
	header.ReceiptHash = types.DeriveSha(evmstate.Receipts{Transactions: v.Transactions(), List: list}, trie.NewStackTrie(nil))
	if header.ExcessBlobGas != nil {
		header.BlobGasUsed = new(uint64)
		for _, receipt := range list {
			*header.BlobGasUsed += receipt.BlobGasUsed
		}
	}
	if list := v.slice.draft.AccessList(); list != nil {
		header.BlockAccessListHash = new(list.Hash())
	}
	return header
}

// hashedSlice holds the receipts and logs of a pending block that has a hash, in place of those announced without it.
type hashedSlice struct {
	hash     common.Hash
	receipts types.Receipts
	logs     []*types.Log
}

// withHash returns the pending block's hash, and copies of its receipts and logs with it.
func (v *View) withHash() *hashedSlice {
	h := &hashedSlice{hash: v.HeaderSoFar().Hash()}
	for _, announced := range v.slice.receipts {
		receipt := *announced
		receipt.BlockHash, receipt.Logs = h.hash, make([]*types.Log, len(announced.Logs))
		for i, log := range announced.Logs {
			receipt.Logs[i] = new(*log)
			receipt.Logs[i].BlockHash = h.hash
		}
		h.receipts = append(h.receipts, &receipt)
		h.logs = append(h.logs, receipt.Logs...)
	}
	return h
}
