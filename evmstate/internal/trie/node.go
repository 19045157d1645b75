package trie

import "github.com/ethereum/go-ethereum/common"

// node is a *leaf or a *branch. There are no nodes for extensions: an extension is the path of the branch below it, so
// two extensions can never follow each other and need no merging.
//
// Positions in a key are counted in nibbles from the root. A node keeps a whole key and the position where its path
// starts, so moving the node up or down the trie changes only that number.
type node interface {
	common() *head
	// moved returns the node with a path that starts at start.
	moved(start int, by *owner) node
}

// owner marks the nodes that an Edit created and may still change in place. Its size is not zero, so that no two owners
// share an address.
type owner struct{ _ byte }

// head holds the fields of both kinds of nodes.
type head struct {
	owner *owner
	// start is the position in the key where the node's path starts. As an int32 it keeps a leaf at 96 bytes and a
	// branch at 352.
	start int32
	// ref is what a parent contains for the node: the RLP string of its hash or, if it is shorter than a hash, the node
	// itself. Its length is 0 until the node is hashed. That happens only after the owning Edit returned the Trie.
	ref [1 + common.HashLength]byte
	len uint8
}

func newHead(start int, by *owner) head { return head{owner: by, start: int32(start)} }

func (h *head) common() *head { return h }

func (h *head) reference() []byte { return h.ref[:h.len] }

// hash returns the node's hash, and false if the node is embedded in its parent or not hashed yet.
func (h *head) hash() (common.Hash, bool) {
	return common.Hash(h.ref[1:]), int(h.len) == len(h.ref)
}

// leaf is a key and its value. Its path is the rest of the key.
type leaf struct {
	head
	key   []byte
	value []byte
}

func newLeaf(start int, key, value []byte, by *owner) *leaf {
	return &leaf{head: newHead(start, by), key: key, value: value}
}

func (l *leaf) moved(start int, by *owner) node {
	return newLeaf(start, l.key, l.value, by)
}

// branch is the node at which keys part, at the nibble at end. All keys below equal its own key up to there. If start <
// end, the nibbles between are an extension in front of the branch.
type branch struct {
	head
	end      int
	key      []byte
	children [terminator + 1]node // at least two; the last is always a leaf
}

func (b *branch) moved(start int, by *owner) node {
	b = b.ownedBy(by)
	b.start = int32(start)
	return b
}

// ownedBy returns a branch that by may change in place: b itself or a copy.
func (b *branch) ownedBy(by *owner) *branch {
	if b.owner == by {
		return b
	}
	return &branch{head: newHead(int(b.start), by), end: b.end, key: b.key, children: b.children}
}

// only returns the child that is left if the one at index is removed, or nil if several are left.
func (b *branch) only(index byte) node {
	var only node
	for i, child := range b.children {
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
