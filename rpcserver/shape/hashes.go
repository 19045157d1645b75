package shape

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/optimism"
)

// HashesOf is the hashes of deposits and the transactions behind them, an array even if there are none.
func HashesOf(deposits []optimism.Included, transactions types.Transactions) []common.Hash {
	hashes := make([]common.Hash, 0, len(deposits)+len(transactions))
	for i := range deposits {
		hashes = append(hashes, deposits[i].Hash)
	}
	for _, tx := range transactions {
		hashes = append(hashes, tx.Hash())
	}
	return hashes
}

// OrEmpty makes the answer an array even if there is nothing in it.
func OrEmpty(hashes []common.Hash) []common.Hash {
	if hashes == nil {
		return []common.Hash{}
	}
	return hashes
}
