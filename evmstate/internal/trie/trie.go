// Package trie is an immutable Merkle-Patricia trie: an edit of a trie gives a new one that shares everything unchanged
// with the old one.
//
// It computes the roots and proofs of the account trie and the storage tries of package evmstate, which keeps the
// values themselves in maps; so this package does not read values. Roots and proofs follow the Yellow Paper, appendix
// D. Keys are used as given: the caller passes the Keccak-256 hash of an address or slot.
//
//	edit := before.Edit()
//	edit.Put(key, value)
//	edit.Delete(other)
//	after := edit.Trie() // before has not changed
//	root, proof := after.Hash(), after.Prove(key)
package trie

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// Trie is an immutable Merkle-Patricia trie from keys to non-empty values. Keys may be any byte strings; evmstate uses
// 32-byte hashes. The zero value is the empty trie.
//
// The first call of Hash or Prove computes the hashes of nodes and stores them in the nodes, which tries share. Call
// Hash before handing a trie to other goroutines; from then on all methods, and all edits that start from the trie,
// only read it and are safe for concurrent use.
type Trie struct{ root *node }

// Empty reports whether the trie has no keys.
func (t Trie) Empty() bool { return t.root == nil }

// Hash returns the root hash, which is types.EmptyRootHash for the empty trie. See Trie for when it must be called.
func (t Trie) Hash() common.Hash {
	if t.root == nil {
		return types.EmptyRootHash
	}
	if hash, ok := t.root.hash(); ok {
		return hash
	}
	sealRoot(t.root)
	if hash, ok := t.root.hash(); ok {
		return hash
	}
	// A root shorter than a hash is hashed too, because no parent embeds it.
	return crypto.Keccak256Hash(t.root.reference())
}

// Prove returns the RLP of the nodes from the root to key or, if key is absent, to the node that shows that (EIP-1186).
// Nodes shorter than a hash are part of their parent and not listed. The proof of the empty trie is empty but not nil.
// See Trie for concurrent use.
func (t Trie) Prove(key []byte) [][]byte {
	t.Hash() // it sets the references of all nodes
	proof := [][]byte{}
	add := func(encoded []byte) {
		if len(proof) == 0 || len(encoded) >= common.HashLength {
			proof = append(proof, encoded)
		}
	}
	for n := t.root; n != nil; {
		if n.isLeaf() {
			add(appendLeaf(nil, n))
			break
		}
		encoded := appendBranch(nil, n)
		if n.start < n.end {
			add(appendExtension(nil, n, reference(encoded)))
		}
		end := int(n.end)
		if parting(n.key, key, int(n.start), end) < end {
			break
		}
		add(encoded)
		index := nibble(key, end)
		if index == terminator {
			break // the value is in the branch
		}
		n = n.children[index]
	}
	return proof
}

// reference returns the reference to a node with this encoding that its parent contains.
func reference(encoded []byte) []byte {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	h.buf = append(h.buf[:0], encoded...)
	var n node
	h.refer(&n)
	return n.reference()
}
