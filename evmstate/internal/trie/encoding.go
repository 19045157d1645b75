package trie

import (
	"math"
	"math/bits"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Nodes are RLP lists: a leaf is [path, value], an extension is [path, reference], and a branch is sixteen references
// and a value (Yellow Paper, appendices B to D).

// Flags of the compact encoding of paths (Yellow Paper, appendix C).
const (
	oddPath  = 0x10
	leafPath = 0x20
)

func appendLeaf(buf []byte, l *node) []byte {
	start, end := int(l.start), 2*len(l.key)
	buf = appendHeader(buf, 0xc0, pathSize(start, end)+stringSize(l.value))
	buf = appendPath(buf, leafPath, l.key, start, end)
	return appendString(buf, l.value)
}

// appendExtension appends the encoding of the path in front of a branch. below is the reference to the branch.
func appendExtension(buf []byte, b *node, below []byte) []byte {
	start, end := int(b.start), int(b.end)
	buf = appendHeader(buf, 0xc0, pathSize(start, end)+len(below))
	buf = appendPath(buf, 0, b.key, start, end)
	return append(buf, below...)
}

// appendBranch appends the encoding of a branch without its path. The children must have their references.
func appendBranch(buf []byte, b *node) []byte {
	var value []byte
	if end := b.children[terminator]; end != nil {
		value = end.value
	}
	size := stringSize(value)
	for _, child := range b.children[:terminator] {
		if child == nil {
			size++
		} else {
			size += int(child.len)
		}
	}
	buf = appendHeader(buf, 0xc0, size)
	for _, child := range b.children[:terminator] {
		if child == nil {
			buf = append(buf, 0x80)
		} else {
			buf = append(buf, child.reference()...)
		}
	}
	return appendString(buf, value)
}

// appendPath appends the nibbles of key in [start, end) in compact encoding, as an RLP string.
func appendPath(buf []byte, flags byte, key []byte, start, end int) []byte {
	if size := 1 + (end-start)/2; size > 1 {
		buf = appendHeader(buf, 0x80, size)
	}
	if (end-start)%2 == 1 {
		flags |= oddPath | nibble(key, start)
		start++
	}
	buf = append(buf, flags)
	if start%2 == 0 {
		return append(buf, key[start/2:end/2]...)
	}
	for ; start < end; start += 2 {
		buf = append(buf, nibble(key, start)<<4|nibble(key, start+1))
	}
	return buf
}

func pathSize(start, end int) int {
	size := 1 + (end-start)/2
	if size == 1 {
		return 1 // with its flags a byte below 0x80: its own encoding
	}
	return headerSize(size) + size
}

func appendString(buf, s []byte) []byte {
	if len(s) == 1 && s[0] < 0x80 {
		return append(buf, s[0])
	}
	return append(appendHeader(buf, 0x80, len(s)), s...)
}

func stringSize(s []byte) int {
	if len(s) == 1 && s[0] < 0x80 {
		return 1
	}
	return headerSize(len(s)) + len(s)
}

// maxShort is the longest RLP content whose length fits the header's one byte.
const maxShort = 55

// appendHeader appends the RLP header of a string (kind 0x80) or list (0xc0) with size bytes of content.
func appendHeader(buf []byte, kind byte, size int) []byte {
	if size <= maxShort {
		return append(buf, kind+byte(size))
	}
	width := headerSize(size) - 1
	buf = append(buf, kind+maxShort+byte(width))
	for shift := 8 * (width - 1); shift >= 0; shift -= 8 {
		buf = append(buf, byte(size>>shift))
	}
	return buf
}

func headerSize(size int) int {
	if size <= maxShort {
		return 1
	}
	return 1 + (bits.Len(uint(size))+7)/8
}

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
