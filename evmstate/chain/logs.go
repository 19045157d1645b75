package chain

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/internal/persistent"
)

// LogFilter selects logs. The zero value selects all logs.
type LogFilter struct {
	// Addresses are the contracts whose logs are selected; empty selects all.
	Addresses []common.Address
	// Topics lists, by position, the values that a topic may have. An empty list accepts any value, but the log must
	// have a topic at that position.
	Topics [][]common.Hash
}

// Matches reports whether the filter selects a log.
func (f LogFilter) Matches(l *types.Log) bool {
	if len(f.Addresses) > 0 && !slices.Contains(f.Addresses, l.Address) {
		return false
	}
	if len(f.Topics) > len(l.Topics) {
		return false
	}
	for i, accepted := range f.Topics {
		if len(accepted) > 0 && !slices.Contains(accepted, l.Topics[i]) {
			return false
		}
	}
	return true
}

// Logs returns the logs that f selects in the canonical blocks from … to, both included, in the order of the chain;
// there are none above the head. The blocks at or below a fork block take one request. If f has addresses, Logs reads
// only blocks in which these logged. The caller must not modify the logs. The error is a *remote.Error.
func (c *Chain) Logs(f LogFilter, from, to uint64) (iter.Seq[*types.Log], error) {
	if !c.Ancestral(from) || from > to {
		return c.ownLogs(f, from, to), nil
	}
	below, err := c.fork.Logs(remote.LogQuery{From: from, To: min(to, c.base), Addresses: f.Addresses, Topics: f.Topics})
	if err != nil {
		return nil, err
	}
	return func(yield func(*types.Log) bool) {
		for _, l := range below {
			if !yield(l) {
				return
			}
		}
		c.ownLogs(f, c.base+1, to)(yield)
	}, nil
}

// ownLogs is Logs for the blocks above a fork block, or for all blocks of a chain that is no fork.
func (c *Chain) ownLogs(f LogFilter, from, to uint64) iter.Seq[*types.Log] {
	from, to = max(from, c.base), min(to, c.Head().Number())
	return func(yield func(*types.Log) bool) {
		visit := func(number uint64) bool {
			for _, l := range c.blocks.items[number-c.base].ownLogs() {
				if f.Matches(l) && !yield(l) {
					return false
				}
			}
			return true
		}
		if len(f.Addresses) > 0 {
			for _, n := range c.numbersWith(f.Addresses, from, to) {
				if !visit(n) {
					return
				}
			}
			return
		}
		for n := from; n <= to && visit(n); n++ {
		}
	}
}

// numbersWith returns, in ascending order, the numbers of the blocks from … to with a log of one of the addresses.
func (c *Chain) numbersWith(addresses []common.Address, from, to uint64) []uint64 {
	var merged []uint64
	for _, address := range addresses {
		all, _ := c.index.logs.Get(address)
		p := before(all, to+1).items
		p = p[sort.Search(len(p), func(i int) bool { return p[i] >= from }):]
		if len(addresses) == 1 {
			return p
		}
		merged = append(merged, p...)
	}
	slices.Sort(merged)
	return slices.Compact(merged)
}

// index finds blocks, transactions and logs. The zero value is empty. Entries are never removed. A reader recognises an
// entry of hashes and logs that Truncate made stale because the canonical block of that number is another one.
type index struct {
	hashes  hashIndex // of canonical blocks and their transactions
	orphans persistent.Map[common.Hash, *Block]
	lost    persistent.Map[common.Hash, place] // transactions of orphans
	logs    persistent.Map[common.Address, postings]
}

// place is a block and the index of a transaction in it.
type place struct {
	block *Block
	index int
}

// with returns the index with a new canonical block with these transactions, which is at that distance from the first
// of the chain.
func (x index) with(b *Block, transactions evmstate.Transactions, at uint64) index {
	x.hashes = x.hashes.with(b, transactions, at)
	n := b.Number()
	logs := b.ownLogs()
	for i, l := range logs {
		if i > 0 && l.Address == logs[i-1].Address {
			continue
		}
		p, _ := x.logs.Get(l.Address)
		if k := p.len(); k > 0 && p.items[k-1] == n {
			continue
		}
		x.logs = x.logs.Set(l.Address, before(p, n).append(n))
	}
	return x
}

// withOrphan returns the index with a block that is not canonical. Its transactions are found in it unless a canonical
// block holds them.
func (x index) withOrphan(b *Block) index {
	for i, tx := range b.own().transactions.all() {
		x.lost = x.lost.Set(tx.Hash(), place{b, i})
	}
	x.orphans = x.orphans.Set(b.hash, b)
	return x
}

const (
	// recentHashes is the number of hashes that are searched one by one before they are sorted.
	recentHashes = 1024
	// mostHashes is the length from which on a sorted list is not merged with another.
	mostHashes = 64 * 1024
)

// hashIndex maps a hash to the places on a chain where its block or transaction may be. It is immutable. It keeps 16
// bytes of each hash that was ever appended, so an answer can be wrong: the caller checks the block there.
type hashIndex struct {
	sorted [][]hashEntry // ascending by start; an older list is longer
	recent vector[hashEntry]
}

// hashEntry is a block, or a transaction of it.
type hashEntry struct {
	start uint64 // first eight bytes of the hash
	block uint32 // how many blocks above the first of the chain
	index int32  // of the transaction; -1: the block itself
}

// with returns the index with a block with these transactions that is at that distance from the first of the chain.
func (x hashIndex) with(b *Block, transactions evmstate.Transactions, at uint64) hashIndex {
	x.recent = x.recent.append(hashEntry{startOf(b.hash), uint32(at), -1})
	for i, tx := range transactions {
		x.recent = x.recent.append(hashEntry{startOf(tx.Hash()), uint32(at), int32(i)})
	}
	if x.recent.len() < recentHashes {
		return x
	}
	newest := slices.Clone(x.recent.items)
	slices.SortFunc(newest, func(a, b hashEntry) int { return cmp.Compare(a.start, b.start) })
	x.sorted, x.recent = slices.Clip(x.sorted), vector[hashEntry]{}
	for n := len(x.sorted); n > 0 && len(newest) < mostHashes && len(x.sorted[n-1]) <= len(newest); n-- {
		newest, x.sorted = merge(x.sorted[n-1], newest), slices.Clip(x.sorted[:n-1])
	}
	x.sorted = append(x.sorted, newest)
	return x
}

// find returns the entries of hashes that begin as h does.
func (x hashIndex) find(h common.Hash) iter.Seq[hashEntry] {
	return func(yield func(hashEntry) bool) {
		start := startOf(h)
		for _, e := range slices.Backward(x.recent.items) {
			if e.start == start && !yield(e) {
				return
			}
		}
		for _, list := range slices.Backward(x.sorted) {
			for i := sort.Search(len(list), func(i int) bool { return list[i].start >= start }); i < len(list) && list[i].start == start; i++ {
				if !yield(list[i]) {
					return
				}
			}
		}
	}
}

func startOf(h common.Hash) uint64 { return binary.BigEndian.Uint64(h[:]) }

func merge(a, b []hashEntry) []hashEntry {
	merged := make([]hashEntry, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].start <= b[0].start {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

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
