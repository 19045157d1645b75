package chain

import (
	"slices"
	"sort"
	"sync/atomic"
)

// vector is an immutable list: append returns a longer vector and leaves the old one as it was. Vectors share a backing
// array. A vector that reaches to the end of the used part extends it in place; any other (after truncate, or when two
// vectors are made from the same one) copies it first. The zero value is an empty list.
type vector[T any] struct {
	items []T
	used  *atomic.Int64 // length of the used part of the backing array
}

func (v vector[T]) len() int { return len(v.items) }

// append returns v with item at its end. It is safe for concurrent use on the same vector.
func (v vector[T]) append(item T) vector[T] {
	n := len(v.items)
	if n < cap(v.items) && v.used.CompareAndSwap(int64(n), int64(n+1)) {
		items := v.items[:n+1]
		items[n] = item
		return vector[T]{items, v.used}
	}
	return newVector(append(slices.Clip(v.items), item))
}

// truncate returns the first n items. The next append copies them, because what follows belongs to longer vectors.
func (v vector[T]) truncate(n int) vector[T] {
	return vector[T]{v.items[:n], v.used}
}

// all returns the items. The caller must not modify them.
func (v vector[T]) all() []T { return slices.Clip(v.items) }

// newVector returns a vector that takes over a slice.
func newVector[T any](items []T) vector[T] {
	used := new(atomic.Int64)
	used.Store(int64(len(items)))
	return vector[T]{items, used}
}

// postings lists, in ascending order, the numbers of the blocks with a log of one address.
type postings = vector[uint64]

func before(p postings, n uint64) postings {
	if k := len(p.items); k == 0 || p.items[k-1] < n {
		return p
	}
	return p.truncate(sort.Search(len(p.items), func(i int) bool { return p.items[i] >= n }))
}
