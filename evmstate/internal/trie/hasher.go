package trie

import (
	"math"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// hasher encodes nodes and hashes them.
type hasher struct {
	keccak crypto.KeccakState
	buf    []byte // encoding of the node being hashed
	left   int    // nodes to hash before others help
}

var hashers = sync.Pool{New: func() any {
	// A branch with sixteen hashes takes 532 bytes.
	return &hasher{keccak: crypto.NewKeccakState(), buf: make([]byte, 0, 532)}
}}

// parallelFrom is the number of hashed nodes from which on the rest is shared among cores; for fewer it costs more than
// it saves.
const parallelFrom = 100

// sealRoot seals the trie below root. If there are many nodes, it seals the parts below a branch at the root in
// parallel.
func sealRoot(root *node) {
	if sealPart(root, parallelFrom) {
		return
	}
	var parts sync.WaitGroup
	for _, child := range root.children[:terminator] {
		if child != nil {
			parts.Go(func() { sealPart(child, math.MaxInt) })
		}
	}
	parts.Wait()
	sealPart(root, math.MaxInt)
}

// sealPart seals n and all below it, or reports false if that needs more nodes to be hashed than most.
func sealPart(n *node, most int) bool {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	h.left = most
	return h.seal(n)
}

// seal computes the references of n and of all below it that have none, until h has hashed enough nodes: then it
// reports false.
func (h *hasher) seal(n *node) bool {
	if n.len != 0 {
		return true
	}
	if n.isLeaf() {
		h.buf = appendLeaf(h.buf[:0], n)
		h.refer(n)
	} else {
		for _, child := range n.children[:terminator] {
			if child != nil && !h.seal(child) {
				return false
			}
		}
		h.buf = appendBranch(h.buf[:0], n)
		h.refer(n)
		if n.start < n.end {
			h.buf = appendExtension(h.buf[:0], n, n.reference())
			h.refer(n)
		}
	}
	h.left--
	return h.left >= 0
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
