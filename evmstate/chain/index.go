package chain

import (
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

// withOrphan returns the index with a block that is not canonical.
func (x index) withOrphan(b *Block) index {
	x.orphans = x.orphans.Set(b.hash, b)
	return x
}

// withLost returns the index with a block that is not canonical and whose transactions are found in it unless a
// canonical block holds them.
func (x index) withLost(b *Block) index {
	for i, tx := range b.own().transactions.all() {
		x.lost = x.lost.Set(tx.Hash(), place{b, i})
	}
	return x.withOrphan(b)
}
