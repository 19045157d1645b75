package chain

import (
	"hash/maphash"

	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"
)

// index finds blocks, transactions and logs. Entries are never removed: what a Truncate made stale is recognised when it
// is read, because the canonical block of that number is another one.
type index struct {
	blocks       *immutable.Map[common.Hash, *Block] // orphans too
	transactions *immutable.Map[common.Hash, place]
	logs         *immutable.Map[common.Address, postings]
}

// place is where a transaction stands in a block.
type place struct {
	block *Block
	index int
}

func newIndex() index {
	return index{
		blocks:       immutable.NewMap[common.Hash, *Block](hashHasher{}),
		transactions: immutable.NewMap[common.Hash, place](hashHasher{}),
		logs:         immutable.NewMap[common.Address, postings](addressHasher{}),
	}
}

// with returns the index with a new canonical block in it.
func (x index) with(b *Block) index {
	x.blocks = x.blocks.Set(b.hash, b)
	for i, tx := range b.transactions {
		x.transactions = x.transactions.Set(tx.Hash(), place{b, i})
	}
	n := b.Number()
	for i, l := range b.logs {
		if i > 0 && l.Address == b.logs[i-1].Address {
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

// seed keeps callers from choosing keys that collide. Nothing iterates over the maps, so no result depends on it.
var seed = maphash.MakeSeed()

type hashHasher struct{}

func (hashHasher) Hash(h common.Hash) uint32   { return uint32(maphash.Bytes(seed, h[:])) }
func (hashHasher) Equal(a, b common.Hash) bool { return a == b }

type addressHasher struct{}

func (addressHasher) Hash(a common.Address) uint32   { return uint32(maphash.Bytes(seed, a[:])) }
func (addressHasher) Equal(a, b common.Address) bool { return a == b }
