// Package persistent makes the immutable maps that hold accounts, storage slots, blocks and transactions.
//
// It is for the packages of fakenode: it adds to github.com/benbjohnson/immutable what that library lacks for keys
// that are arrays of bytes, a hasher.
package persistent

import (
	"hash/maphash"

	"github.com/benbjohnson/immutable"
)

// NewMap returns an empty immutable map. Map.Set and Map.Delete return a new map that shares what did not change with
// the old one, so that a map is safe for concurrent use.
//
// Hashes of keys are seeded by the process. A caller who chooses addresses or storage keys therefore cannot choose ones
// that collide, and the order of iteration differs from run to run.
func NewMap[K comparable, V any]() *immutable.Map[K, V] {
	return immutable.NewMap[K, V](hasher[K]{})
}

var seed = maphash.MakeSeed()

type hasher[K comparable] struct{}

func (hasher[K]) Hash(key K) uint32 { return uint32(maphash.Comparable(seed, key)) }
func (hasher[K]) Equal(a, b K) bool { return a == b }
