package chain

import (
	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/internal/persistent"
)

// index finds blocks, transactions and logs. Entries are never removed. A reader recognises an entry that Truncate made
// stale because the canonical block of that number is another one.
type index struct {
	blocks       *immutable.Map[common.Hash, *Block] // orphans included
	transactions *immutable.Map[common.Hash, place]
	logs         *immutable.Map[common.Address, postings]
}

// place is a block and the index of a transaction in it.
type place struct {
	block *Block
	index int
}

func newIndex() index {
	return index{
		blocks:       persistent.NewMap[common.Hash, *Block](),
		transactions: persistent.NewMap[common.Hash, place](),
		logs:         persistent.NewMap[common.Address, postings](),
	}
}

// with returns the index with a new canonical block.
func (x index) with(b *Block) index {
	x.blocks = x.blocks.Set(b.hash, b)
	for i, tx := range b.transactions.all() {
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
