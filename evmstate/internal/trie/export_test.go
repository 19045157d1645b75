package trie

import (
	"bytes"
	"iter"
)

// Get returns the value at key, or nil if there is none.
func (t Trie) Get(key []byte) []byte { return get(t.root, key) }

// Get returns the value at key with the changes so far, or nil if there is none.
func (e *Edit) Get(key []byte) []byte { return get(e.root, key) }

func get(n *node, key []byte) []byte {
	for n != nil && !n.isLeaf() {
		// The leaf compares whole keys, so paths need no comparison here.
		if int(n.end) > 2*len(key) {
			return nil
		}
		n = n.children[nibble(key, int(n.end))]
	}
	if n == nil || !bytes.Equal(n.key, key) {
		return nil
	}
	return n.value
}

// Put returns the trie with value at key; an empty value deletes the key.
func (t Trie) Put(key, value []byte) Trie {
	edit := t.Edit()
	edit.Put(key, value)
	return edit.Trie()
}

// Delete returns the trie without key.
func (t Trie) Delete(key []byte) Trie {
	edit := t.Edit()
	edit.Delete(key)
	return edit.Trie()
}

// All yields the keys and their values in the order of the keys.
func (t Trie) All() iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		if t.root != nil {
			each(t.root, yield)
		}
	}
}

func each(n *node, yield func(key, value []byte) bool) bool {
	if n.isLeaf() {
		return yield(n.key, n.value)
	}
	// The key that ends here is a prefix of the others, so it comes first.
	if end := n.children[terminator]; end != nil && !each(end, yield) {
		return false
	}
	for _, child := range n.children[:terminator] {
		if child != nil && !each(child, yield) {
			return false
		}
	}
	return true
}
