package trie

import (
	"bytes"

	"github.com/ethereum/go-ethereum/common"
)

// node is a *leaf or a *branch. An extension is no node of its own: it is the path of the branch below it, so that two
// can never meet and need no merging.
//
// Positions in a key are counted in nibbles from the root. A node keeps whole keys and the position where its path
// starts: moving it up or down the trie changes that number only.
type node interface {
	common() *head
	// moved returns the node with its path starting elsewhere.
	moved(start int, by *owner) node
}

// owner marks the nodes that one Edit created and may still change in place. It has a size, so that no two of them
// share an address.
type owner struct{ _ byte }

// head is what both kinds of nodes begin with.
type head struct {
	owner *owner
	// start is the position in the key where the node's path starts.
	start int32 // not int: with it a leaf takes 96 bytes, a branch 352
	// ref is how a parent refers to the node: the RLP string of its hash or, when shorter than a hash, the node itself.
	// Its length is 0 until the node is hashed, which happens only after the owning Edit has let go of it.
	ref [1 + common.HashLength]byte
	len uint8
}

func newHead(start int, by *owner) head { return head{owner: by, start: int32(start)} }

func (h *head) common() *head { return h }

func (h *head) reference() []byte { return h.ref[:h.len] }

// hash returns the node's hash, false when it is embedded or not yet hashed.
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

// branch is where keys part, at the nibble at end. Below it all keys equal its own up to there; when start < end that
// stretch is an extension in front.
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

// ownedBy returns the branch itself or a copy, whichever by may change.
func (b *branch) ownedBy(by *owner) *branch {
	if b.owner == by {
		return b
	}
	return &branch{head: newHead(int(b.start), by), end: b.end, key: b.key, children: b.children}
}

// only returns the child left when that at index goes, nil when several are.
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

// terminator is the nibble that follows a key's last: with it no key is a prefix of another.
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

// parting returns the first position from start on where the keys differ, or end if they do not before it.
func parting(a, b []byte, start, end int) int {
	for start < end && nibble(a, start) == nibble(b, start) {
		start++
	}
	return start
}

func get(n node, key []byte) []byte {
	for {
		switch at := n.(type) {
		case *leaf:
			if bytes.Equal(at.key, key) {
				return at.value
			}
			return nil
		case *branch:
			// The leaf compares whole keys, so paths need no look here.
			if at.end > 2*len(key) {
				return nil
			}
			n = at.children[nibble(key, at.end)]
		default:
			return nil
		}
	}
}
