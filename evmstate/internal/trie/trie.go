// Package trie is an immutable Merkle-Patricia trie: every edit gives a new trie that shares what did not change with
// the old one, which stays as it was.
//
// Roots and proofs are those of Ethereum (Yellow Paper, appendix D). Keys are used as given: for Ethereum's state and
// storage tries the caller passes the Keccak-256 hash of the address or slot. The package stores nothing on disk and
// knows nothing of what its values mean.
//
//	before := trie.Trie{}.Put(key, value)
//	after := before.Delete(key)
//	before.Get(key) // still value
//	after.Hash()    // types.EmptyRootHash
package trie

import (
	"iter"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// Trie is an immutable Merkle-Patricia trie from keys to non-empty values. Keys may be any byte strings; in practice
// they are 32-byte hashes. The zero value is the empty trie.
//
// Node hashes are computed once, by the first Hash or Prove, and kept in the nodes, which tries share. Whoever makes a
// trie must therefore call Hash before handing it to other goroutines; from then on every method, and every edit that
// starts from it, only reads it and is safe for concurrent use.
type Trie struct{ root node }

// Get returns the value at key, nil when there is none. The caller must not modify it.
func (t Trie) Get(key []byte) []byte { return get(t.root, key) }

// Put returns the trie with value at key; an empty value deletes the key. The key is copied, the value is kept: the
// caller must not modify it afterwards. For more than one change an Edit is faster.
func (t Trie) Put(key, value []byte) Trie {
	edit := t.Edit()
	edit.Put(key, value)
	return edit.Trie()
}

// Delete returns the trie without key. Deleting an absent key changes nothing.
func (t Trie) Delete(key []byte) Trie {
	edit := t.Edit()
	edit.Delete(key)
	return edit.Trie()
}

// Hash returns the root hash; that of the empty trie is types.EmptyRootHash. See Trie for when it must be called.
func (t Trie) Hash() common.Hash {
	if t.root == nil {
		return types.EmptyRootHash
	}
	if hash, ok := t.root.common().hash(); ok {
		return hash
	}
	sealRoot(t.root)
	if hash, ok := t.root.common().hash(); ok {
		return hash
	}
	// A root shorter than a hash is hashed all the same: no parent embeds it.
	return crypto.Keccak256Hash(t.root.common().reference())
}

// All goes through the keys and their values in the order of the keys. The caller must not modify either.
func (t Trie) All() iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		if t.root != nil {
			each(t.root, yield)
		}
	}
}

func each(n node, yield func(key, value []byte) bool) bool {
	switch n := n.(type) {
	case *leaf:
		return yield(n.key, n.value)
	case *branch:
		// The key that ends here is a prefix of the others: it comes first.
		if end := n.children[terminator]; end != nil && !each(end, yield) {
			return false
		}
		for _, child := range n.children[:terminator] {
			if child != nil && !each(child, yield) {
				return false
			}
		}
	}
	return true
}
