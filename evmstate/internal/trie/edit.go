package trie

import "bytes"

// Edit makes many changes to a trie at the price of one copy of each node they touch, and leaves the trie it started
// from as it was. The zero value edits the empty trie. Not safe for concurrent use.
type Edit struct {
	root  node
	owner *owner // nil until the first change since Trie
}

// Edit starts an edit from t.
func (t Trie) Edit() *Edit { return &Edit{root: t.root} }

// Trie returns the result so far. The edit may go on; what it does then no longer shows in the trie returned.
func (e *Edit) Trie() Trie {
	e.owner = nil
	return Trie{root: e.root}
}

// Get returns the value at key with the changes so far, nil when there is none. The caller must not modify it.
func (e *Edit) Get(key []byte) []byte { return get(e.root, key) }

// Put sets the value at key; an empty value deletes the key. The key is copied, the value is kept: the caller must not
// modify it afterwards.
func (e *Edit) Put(key, value []byte) {
	if len(value) == 0 {
		e.Delete(key)
		return
	}
	e.own()
	e.root = e.put(e.root, 0, key, value)
}

// Delete removes key. Deleting an absent key changes nothing.
func (e *Edit) Delete(key []byte) {
	e.own()
	e.root = e.delete(e.root, key)
}

func (e *Edit) own() {
	if e.owner == nil {
		e.owner = new(owner)
	}
}

// put returns what takes the place of n, whose path starts at start. It is n itself when nothing above it needs to
// change: n was changed in place, or already held the value, so that no hash is computed again for nothing.
func (e *Edit) put(n node, start int, key, value []byte) node {
	switch n := n.(type) {
	case *leaf:
		if !bytes.Equal(n.key, key) {
			return e.fork(n, n.key, start, parting(n.key, key, start, 2*len(key)), key, value)
		}
		switch {
		case bytes.Equal(n.value, value):
		case n.owner == e.owner:
			n.value = value
		default:
			return newLeaf(start, n.key, value, e.owner)
		}
		return n
	case *branch:
		if at := parting(n.key, key, start, n.end); at < n.end {
			return e.fork(n, n.key, start, at, key, value)
		}
		return e.setChild(n, nibble(key, n.end), e.put(n.children[nibble(key, n.end)], n.end+1, key, value))
	default:
		return newLeaf(start, bytes.Clone(key), value, e.owner)
	}
}

// fork puts a branch in the place of n, where the key of n and the new key part.
func (e *Edit) fork(n node, old []byte, start, end int, key, value []byte) node {
	b := &branch{head: newHead(start, e.owner), end: end, key: old}
	b.children[nibble(old, end)] = n.moved(end+1, e.owner)
	b.children[nibble(key, end)] = newLeaf(end+1, bytes.Clone(key), value, e.owner)
	return b
}

// delete returns what takes the place of n: nil when nothing is left, n itself when nothing above it needs to change.
func (e *Edit) delete(n node, key []byte) node {
	switch n := n.(type) {
	case *leaf:
		if bytes.Equal(n.key, key) {
			return nil
		}
		return n
	case *branch:
		if n.end > 2*len(key) {
			return n
		}
		index := nibble(key, n.end)
		child := e.delete(n.children[index], key)
		if child == nil && n.children[index] != nil {
			if only := n.only(index); only != nil {
				return only.moved(int(n.start), e.owner)
			}
		}
		return e.setChild(n, index, child)
	default:
		return nil
	}
}

// setChild returns b with the child at index, b itself when it is there already. Only what the edit owns hangs on what
// it owns: a child changed in place is the child of a branch that needs no copy either.
func (e *Edit) setChild(b *branch, index byte, child node) node {
	if b.children[index] == child {
		return b
	}
	b = b.ownedBy(e.owner)
	b.children[index] = child
	return b
}
