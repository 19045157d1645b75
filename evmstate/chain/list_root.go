package chain

import (
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"
)

// stackTries keeps tries for reuse, because a new one takes more memory than the lists of most blocks.
var stackTries = sync.Pool{New: func() any { return trie.NewStackTrie(nil) }}

// listRoot returns the root of the trie of transactions, receipts or withdrawals (Yellow Paper 4.3).
func listRoot(list types.DerivableList) common.Hash {
	t := stackTries.Get().(*trie.StackTrie)
	defer stackTries.Put(t)
	return types.DeriveSha(list, t)
}
