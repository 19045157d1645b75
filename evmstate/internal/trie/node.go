package trie

import (
	"bytes"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/internal/persistent"
)

// node is a leaf, which has a value, or a branch, which has children. There are no nodes for extensions: an extension
// is the path of the branch below it, so two extensions can never follow each other and need no merging.
//
// Positions in a key are counted in nibbles from the root. A node keeps a whole key and the position where its path
// starts, so moving the node up or down the trie changes only that number.
//
// One type for both kinds lets a branch have its children as pointers, which take half of what interfaces do: most of a
// kept State is branches. The order of the fields keeps a leaf at 112 bytes without its value and a branch at 256.
type node struct {
	owner persistent.Owner // the Edit that created the node and may still change it in place
	// key is the whole key of a leaf. All keys below a branch equal its own key up to end.
	key   []byte
	value []byte // of a leaf
	// children has at least two nodes, by the nibble at end, where their keys part; nil for a leaf. If start < end, the
	// nibbles between are an extension in front of the branch. The last child is always a leaf.
	children   *children
	start, end int32
	// ref holds the bytes by which a parent refers to the node: the RLP string of its hash or, if it is shorter than a
	// hash, the node itself. Its length is 0 until the node is hashed, which no Edit owns any more.
	ref [1 + common.HashLength]byte
	len uint8
}

type children [terminator + 1]*node

// newBranch returns a branch with these children, which it copies.
func newBranch(start, end int32, key []byte, of *children, by persistent.Owner) *node {
	b := &struct { // one object, for the collector's sake
		node
		own children
	}{own: *of}
	b.node = node{owner: by, key: key, children: &b.own, start: start, end: end}
	return &b.node
}

// shortValue is the length up to which a leaf's value is in one object with the leaf: the value of a storage slot is.
const shortValue = 40

// newLeaf returns a leaf with a copy of the value. Its path is the rest of the key from start on.
func newLeaf(start int, key, value []byte, by persistent.Owner) *node {
	if len(value) > shortValue {
		return &node{owner: by, key: key, value: bytes.Clone(value), start: int32(start)}
	}
	l := &struct {
		node
		own [shortValue]byte
	}{}
	l.node = node{owner: by, key: key, value: append(l.own[:0], value...), start: int32(start)}
	return &l.node
}

func (n *node) isLeaf() bool { return n.children == nil }

func (n *node) reference() []byte { return n.ref[:n.len] }

// hash returns the node's hash, and false if the node is embedded in its parent or not hashed yet.
func (n *node) hash() (common.Hash, bool) {
	return common.Hash(n.ref[1:]), int(n.len) == len(n.ref)
}

// moved returns the node with a path that starts at start.
func (n *node) moved(start int, by persistent.Owner) *node {
	if n.isLeaf() {
		return newLeaf(start, n.key, n.value, by)
	}
	n = n.ownedBy(by)
	n.start = int32(start)
	return n
}

// ownedBy returns a branch that by may change in place: n itself or a copy.
func (n *node) ownedBy(by persistent.Owner) *node {
	if n.owner == by {
		return n
	}
	return newBranch(n.start, n.end, n.key, n.children, by)
}

// only returns the child of a branch that is left if the one at index is removed, or nil if several are left.
func (n *node) only(index byte) *node {
	var only *node
	for i, child := range n.children {
		if child == nil || i == int(index) {
			continue
		}
		if only != nil {
			return nil
		}
		only = child
	}
	return only
}

// terminator is the nibble that follows the last one of a key. It makes sure that no key is a prefix of another.
const terminator = 16

// nibble returns the nibble of key at position i, at most 2*len(key).
func nibble(key []byte, i int) byte {
	switch {
	case i == 2*len(key):
		return terminator
	case i%2 == 0:
		return key[i/2] >> 4
	default:
		return key[i/2] & 0x0f
	}
}

// parting returns the first position in [start, end) where the keys differ, or end if they are equal there.
func parting(a, b []byte, start, end int) int {
	for start < end && nibble(a, start) == nibble(b, start) {
		start++
	}
	return start
}
