package trie

import "github.com/ethereum/go-ethereum/common"

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
