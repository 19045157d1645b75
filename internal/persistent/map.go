// Package persistent has the immutable maps that hold accounts, storage slots, blocks and transactions.
//
// It is for the packages of fakenode. A node keeps the maps of thousands of blocks, each of which differs from the one
// before in a few entries, so a change must copy little: it copies half as much as github.com/benbjohnson/immutable.
package persistent

import (
	"hash/maphash"
	"iter"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
)

// Key lists the types that keys of a Map can have.
type Key interface {
	common.Address | common.Hash | uint64
}

// Map is an immutable map: Set and Delete return a new map that shares all unchanged parts with the old one. The zero
// value is the empty map. It is safe for concurrent use.
//
// Hashes of keys are seeded by the process. A caller who chooses addresses or storage keys therefore cannot choose ones
// that collide, and the order of iteration differs from run to run.
type Map[K Key, V any] struct {
	root *node[K, V]
	size int
}

const (
	fanout     = 16
	fanoutBits = 4
)

// node is one entry. below holds the further entries whose hash has the same bits so far, by their next bits. After the
// last bit of the hash zeros follow, so entries with equal hashes form a list.
type node[K Key, V any] struct {
	key   K
	value V
	below *[fanout]*node[K, V] // nil: none
	owner Owner
}

// Owner marks the nodes, of a Map or a trie, that one writer made and may change in place. It is a number, because a
// pointer would be one more object to keep for each writer. 0 is nobody.
type Owner uint64

var owners atomic.Uint64

func NewOwner() Owner { return Owner(owners.Add(1)) }

func (m Map[K, V]) Len() int { return m.size }

// Get returns the value at key, and whether there is one.
func (m Map[K, V]) Get(key K) (value V, ok bool) {
	hash := hashOf(&key)
	for n := m.root; n != nil; hash >>= fanoutBits {
		if n.key == key {
			return n.value, true
		}
		if n.below == nil {
			break
		}
		n = n.below[hash%fanout]
	}
	return value, false
}

// Set returns the map with value at key.
func (m Map[K, V]) Set(key K, value V) Map[K, V] {
	m.SetInPlace(key, value, 0)
	return m
}

// SetInPlace sets the value at key in m itself. For an Owner other than 0 it copies each node once, in less time than
// Set. No copy of m from between two calls for that Owner may be in use.
func (m *Map[K, V]) SetInPlace(key K, value V, by Owner) {
	at, hash := &m.root, hashOf(&key)
	for *at != nil && ((*at).below != nil || (*at).key != key) {
		if (*at).below == nil || by == 0 || (*at).owner != by {
			*at = (*at).branch(by)
		}
		if (*at).key == key {
			(*at).value = value
			return
		}
		at, hash = &(*at).below[hash%fanout], hash>>fanoutBits
	}
	if *at == nil {
		m.size++
	}
	*at = &node[K, V]{key: key, value: value, owner: by}
}

// Delete returns the map without an entry at key.
func (m Map[K, V]) Delete(key K) Map[K, V] {
	if _, ok := m.Get(key); !ok {
		return m
	}
	at, hash := &m.root, hashOf(&key)
	for (*at).key != key {
		*at = (*at).branch(0)
		at, hash = &(*at).below[hash%fanout], hash>>fanoutBits
	}
	*at = (*at).beheaded()
	m.size--
	return m
}

func (m Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { m.root.each(yield) }
}

func (n *node[K, V]) each(yield func(K, V) bool) bool {
	if n == nil {
		return true
	}
	if !yield(n.key, n.value) {
		return false
	}
	if n.below != nil {
		for _, child := range n.below {
			if !child.each(yield) {
				return false
			}
		}
	}
	return true
}

// branch returns a copy of the node that has room for others below.
func (n *node[K, V]) branch(by Owner) *node[K, V] {
	b := &struct { // one object, for the collector's sake
		node[K, V]
		own [fanout]*node[K, V]
	}{node: *n}
	if n.below != nil {
		b.own = *n.below
	}
	b.below, b.owner = &b.own, by
	return &b.node
}

// beheaded returns the nodes from n down without n's own entry: an entry from below takes its place.
func (n *node[K, V]) beheaded() *node[K, V] {
	if n.below == nil {
		return nil
	}
	for i, child := range n.below {
		if child != nil {
			next := n.branch(0)
			next.key, next.value = child.key, child.value
			next.below[i] = child.beheaded()
			return next
		}
	}
	return nil
}

var seed = maphash.MakeSeed()

// hashOf returns the hash of a key. maphash.Comparable would serve all kinds of keys but takes 1.5 times as long.
func hashOf[K Key](key *K) uint64 {
	switch key := any(key).(type) {
	case *common.Hash:
		return maphash.Bytes(seed, key[:])
	case *common.Address:
		return maphash.Bytes(seed, key[:])
	case *uint64:
		return maphash.Comparable(seed, *key)
	}
	panic("unreachable: K is a Key")
}
