// Package persistent makes the immutable maps that hold accounts, storage slots, blocks and transactions.
//
// It is for the packages of fakenode: it adds to github.com/benbjohnson/immutable what that library lacks for addresses
// and hashes, hashers.
package persistent

import (
	"hash/maphash"

	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"
)

// NewMap returns an empty immutable map. Map.Set and Map.Delete return a new map that shares what did not change with
// the old one, so that a map is safe for concurrent use.
//
// Hashes of keys are seeded by the process. A caller who chooses addresses or storage keys therefore cannot choose ones
// that collide, and the order of iteration differs from run to run.
func NewMap[K common.Address | common.Hash, V any]() *immutable.Map[K, V] {
	return immutable.NewMap[K, V](hasherOf[K]())
}

// NewMapBuilder returns a builder of such a map, which sets many keys in less time.
func NewMapBuilder[K common.Address | common.Hash, V any]() *immutable.MapBuilder[K, V] {
	return immutable.NewMapBuilder[K, V](hasherOf[K]())
}

func hasherOf[K common.Address | common.Hash]() immutable.Hasher[K] {
	// maphash.Comparable would serve both kinds of keys but takes 1.5 times as long as maphash.Bytes.
	hasher, ok := any(hashHasher{}).(immutable.Hasher[K])
	if !ok {
		hasher = any(addressHasher{}).(immutable.Hasher[K])
	}
	return hasher
}

var seed = maphash.MakeSeed()

type hashHasher struct{}

func (hashHasher) Hash(key common.Hash) uint32 { return uint32(maphash.Bytes(seed, key[:])) }
func (hashHasher) Equal(a, b common.Hash) bool { return a == b }

type addressHasher struct{}

func (addressHasher) Hash(key common.Address) uint32 { return uint32(maphash.Bytes(seed, key[:])) }
func (addressHasher) Equal(a, b common.Address) bool { return a == b }
