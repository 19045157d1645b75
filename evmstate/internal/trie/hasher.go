package trie

import (
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// hasher encodes nodes and hashes them.
type hasher struct {
	keccak crypto.KeccakState
	buf    []byte // encoding of the node being hashed
}

var hashers = sync.Pool{New: func() any {
	// A branch with sixteen hashes takes 532 bytes.
	return &hasher{keccak: crypto.NewKeccakState(), buf: make([]byte, 0, 532)}
}}

// parallelFrom is the number of unhashed nodes from which on hashing is shared among cores; for fewer it costs more
// than it saves.
const parallelFrom = 100

// sealRoot seals the trie below root. If there are many nodes, it seals the parts below a branch at the root in
// parallel.
func sealRoot(root *node) {
	if !root.isLeaf() && unsealed(root, parallelFrom) >= parallelFrom {
		var parts sync.WaitGroup
		for _, child := range root.children[:terminator] {
			if child != nil {
				parts.Go(func() { sealPart(child) })
			}
		}
		parts.Wait()
	}
	sealPart(root)
}

func sealPart(n *node) {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	h.seal(n)
}

// unsealed returns the number of nodes at and below n that have no reference yet. It stops counting at enough.
func unsealed(n *node, enough int) int {
	if n == nil || n.len != 0 {
		return 0
	}
	count := 1
	if !n.isLeaf() {
		for _, child := range n.children[:terminator] {
			if count >= enough {
				break
			}
			count += unsealed(child, enough-count)
		}
	}
	return count
}

// seal computes the references of n and of all below it that have none.
func (h *hasher) seal(n *node) {
	switch {
	case n.len != 0:
	case n.isLeaf():
		h.buf = appendLeaf(h.buf[:0], n)
		h.refer(n)
	default:
		for _, child := range n.children[:terminator] {
			if child != nil {
				h.seal(child)
			}
		}
		h.buf = appendBranch(h.buf[:0], n)
		h.refer(n)
		if n.start < n.end {
			h.buf = appendExtension(h.buf[:0], n, n.reference())
			h.refer(n)
		}
	}
}

// refer sets the reference to the node whose encoding is in the buffer.
func (h *hasher) refer(n *node) {
	if len(h.buf) < common.HashLength {
		n.len = uint8(copy(n.ref[:], h.buf))
		return
	}
	n.ref[0] = 0x80 + common.HashLength
	h.keccak.Reset()
	h.keccak.Write(h.buf)
	h.keccak.Read(n.ref[1:])
	n.len = uint8(len(n.ref))
}
