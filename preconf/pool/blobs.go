package pool

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// maxBlobs is the number of transactions in Blobs, which take up to 1.2 MB each.
const maxBlobs = 64

// Blobs holds the newest 64 transactions with blobs, as they were sent. It is immutable.
type Blobs []*types.Transaction

// With returns the list with a transaction, if it has blobs.
func (b Blobs) With(tx *types.Transaction) Blobs {
	if tx.BlobTxSidecar() == nil {
		return b
	}
	return append(slices.Clone(b[max(0, len(b)+1-maxBlobs):]), tx)
}

// Find returns the transaction that has a hash, or a blob with that versioned hash, or nil.
func (b Blobs) Find(hash common.Hash) *types.Transaction {
	for _, tx := range slices.Backward(b) {
		if tx.Hash() == hash || slices.Contains(tx.BlobHashes(), hash) {
			return tx
		}
	}
	return nil
}
