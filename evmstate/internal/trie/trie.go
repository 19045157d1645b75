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
	"bytes"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/internal/persistent"
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

// Edit makes changes to a trie. It copies each node that they touch once, and leaves the trie that it started from as
// it was, if that was hashed. It is not safe for concurrent use.
type Edit struct {
	root  *node
	owner persistent.Owner
}

// Edit returns an edit that starts from t.
func (t Trie) Edit() *Edit { return &Edit{t.root, persistent.NewOwner()} }

// Trie returns the result so far. The edit may go on; its further changes do not show in the returned trie.
func (e *Edit) Trie() Trie {
	e.owner = persistent.NewOwner()
	return Trie{root: e.root}
}

// Put sets the value at key; an empty value deletes the key. Put copies both.
func (e *Edit) Put(key, value []byte) {
	if len(value) == 0 {
		e.Delete(key)
		return
	}
	e.root = e.put(e.root, 0, key, value)
}

// Delete removes key, if it is there.
func (e *Edit) Delete(key []byte) { e.root = e.delete(e.root, key) }

// put returns the node that replaces n, whose path starts at start. It returns n itself if no node above needs to
// change, because n was changed in place or already holds the value; then no hash is computed again without need.
func (e *Edit) put(n *node, start int, key, value []byte) *node {
	switch {
	case n == nil:
		return newLeaf(start, bytes.Clone(key), value, e.owner)
	case !n.isLeaf():
		end := int(n.end)
		if at := parting(n.key, key, start, end); at < end {
			return e.fork(n, start, at, key, value)
		}
		return e.setChild(n, nibble(key, end), e.put(n.children[nibble(key, end)], end+1, key, value))
	case !bytes.Equal(n.key, key):
		return e.fork(n, start, parting(n.key, key, start, 2*len(key)), key, value)
	case bytes.Equal(n.value, value):
	case n.owner == e.owner:
		n.value = append(n.value[:0], value...)
	default:
		return newLeaf(start, n.key, value, e.owner)
	}
	return n
}

// fork returns a branch that replaces n, at the position where the key of n and the new key part.
func (e *Edit) fork(n *node, start, end int, key, value []byte) *node {
	var of children
	of[nibble(n.key, end)] = n.moved(end+1, e.owner)
	of[nibble(key, end)] = newLeaf(end+1, bytes.Clone(key), value, e.owner)
	return newBranch(int32(start), int32(end), n.key, &of, e.owner)
}

// delete returns the node that replaces n: nil if nothing is left, or n itself if no node above needs to change.
func (e *Edit) delete(n *node, key []byte) *node {
	switch {
	case n == nil:
		return nil
	case n.isLeaf():
		if bytes.Equal(n.key, key) {
			return nil
		}
		return n
	case int(n.end) > 2*len(key):
		return n
	}
	index := nibble(key, int(n.end))
	child := e.delete(n.children[index], key)
	if child == nil && n.children[index] != nil {
		if only := n.only(index); only != nil {
			return only.moved(int(n.start), e.owner)
		}
	}
	return e.setChild(n, index, child)
}

// setChild returns the branch b with the child at index, or b itself if the child is there already. All nodes above a
// node that the edit owns are owned by it too, so the branch above a child that was changed in place needs no copy.
func (e *Edit) setChild(b *node, index byte, child *node) *node {
	if b.children[index] == child {
		return b
	}
	b = b.ownedBy(e.owner)
	b.children[index] = child
	return b
}
