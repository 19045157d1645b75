package chain

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"sort"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/internal/persistent"
)

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

// with returns the index with a new canonical block, which is at that distance from the first of the chain.
func (x index) with(b *Block, at uint64) index {
	x.hashes = x.hashes.with(b, at)
	n := b.Number()
	logs := b.own().logs
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

// with returns the index with a block that is at that distance from the first of the chain.
func (x hashIndex) with(b *Block, at uint64) hashIndex {
	x.recent = x.recent.append(hashEntry{startOf(b.hash), uint32(at), -1})
	for i, tx := range b.own().transactions.all() {
		x.recent = x.recent.append(hashEntry{startOf(tx.Hash()), uint32(at), int32(i)})
	}
	if x.recent.len() < recentHashes {
		return x
	}
	newest := slices.Clone(x.recent.items)
	slices.SortFunc(newest, compareHashes)
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

func compareHashes(a, b hashEntry) int { return cmp.Compare(a.start, b.start) }

// merge returns two sorted lists as one.
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
