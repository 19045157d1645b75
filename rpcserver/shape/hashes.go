package shape

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
)

// HashesOf returns the hashes of transactions, an array even if there are none.
func HashesOf(transactions evmstate.Transactions) []common.Hash {
	hashes := make([]common.Hash, len(transactions))
	for i, tx := range transactions {
		hashes[i] = tx.Hash()
	}
	return hashes
}

// OrEmpty returns an empty slice for nil, so that the answer is [] and not null.
func OrEmpty(hashes []common.Hash) []common.Hash {
	if hashes == nil {
		return []common.Hash{}
	}
	return hashes
}
