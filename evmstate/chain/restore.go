package chain

import (
	"fmt"
	"math/big"

	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/internal/persistent"
)

// Kept is what Restore makes a chain of: blocks of BlockFromRecord, and States.
type Kept struct {
	// Blocks are canonical, from the one after Base to the head.
	Blocks []*Block
	// Orphans are in the order in which they were sealed, each after its parent.
	Orphans []*Block
	// Head is the State after the last of Blocks. It must be committed.
	Head *evmstate.State
	// Past returns the committed State after another block of Kept or the first block, or nil if there is none. It is
	// called when such a State is asked for, and must be safe for concurrent use. Nil: those States are pruned.
	Past func(*Block) *evmstate.State
}

// Restore returns the chain of c's first block with the blocks of an earlier chain, without executing them. It takes
// over what k holds. The error names a block that does not follow its parent.
func (c *Chain) Restore(k Kept) (*Chain, error) {
	first := c.BlockByNumber(c.base)
	next := *c
	next.blocks = newVector(append([]*Block{first}, k.Blocks...))
	if c.track {
		k.Head = k.Head.Tracked()
	}
	next.state, next.kept, next.cut = k.Head, k.Past, nil
	next.states = window{first: c.base + uint64(len(k.Blocks))}

	index := newIndexBuilder()
	index.add(first)
	for i, b := range k.Blocks {
		if err := b.follow(next.blocks.items[i]); err != nil {
			return nil, err
		}
		if i > 0 {
			k.Blocks[i-1].shorten(next.blocks.items[i-1])
		}
		index.add(b)
	}
	for _, b := range k.Orphans {
		parent, _ := index.blocks.Get(b.parentHash())
		if err := b.follow(parent); err != nil {
			return nil, err
		}
		index.addOrphan(b)
	}
	next.index = index.index()
	return &next, nil
}

// follow sets what a restored block has from its parent, or returns an error if parent, which may be nil, is not that.
func (b *Block) follow(parent *Block) error {
	if parent == nil || parent.hash != b.parentHash() || parent.Number()+1 != b.Number() {
		return fmt.Errorf("block %d, %s, does not follow the block before it", b.Number(), b.hash)
	}
	b.totalDifficulty = parent.totalDifficulty
	if difficulty := b.Header().Difficulty; difficulty.Sign() > 0 {
		b.totalDifficulty = new(big.Int).Add(parent.totalDifficulty, difficulty)
	}
	b.body = b.body.sharedWith(parent)
	return nil
}

// remembered returns the State of a block that Restore brought, or nil.
func (c *Chain) remembered(b *Block) *evmstate.State {
	if c.kept == nil {
		return nil
	}
	return c.kept(b)
}

// indexBuilder makes an index of many blocks at once.
type indexBuilder struct {
	blocks       *immutable.MapBuilder[common.Hash, *Block]
	transactions *immutable.MapBuilder[common.Hash, place]
	deposits     *immutable.MapBuilder[common.Hash, place]
	logs         map[common.Address][]uint64
	orphans      map[*Block]bool
}

func newIndexBuilder() *indexBuilder {
	return &indexBuilder{
		blocks:       persistent.NewMapBuilder[common.Hash, *Block](),
		transactions: persistent.NewMapBuilder[common.Hash, place](),
		deposits:     persistent.NewMapBuilder[common.Hash, place](),
		logs:         make(map[common.Address][]uint64),
		orphans:      make(map[*Block]bool),
	}
}

// add adds a canonical block, whose number is above that of the one before.
func (x *indexBuilder) add(b *Block) {
	x.blocks.Set(b.hash, b)
	for i, tx := range b.transactions.all() {
		x.transactions.Set(tx.Hash(), place{b, i})
	}
	for i := range b.deposits {
		x.deposits.Set(b.deposits[i].Hash, place{b, i})
	}
	n := b.Number()
	for _, l := range b.logs {
		if p := x.logs[l.Address]; len(p) == 0 || p[len(p)-1] != n {
			x.logs[l.Address] = append(p, n)
		}
	}
}

// addOrphan adds a block that is not canonical, after those that are.
func (x *indexBuilder) addOrphan(b *Block) {
	x.orphans[b] = true
	x.blocks.Set(b.hash, b)
	for i, tx := range b.transactions.all() {
		if at, ok := x.transactions.Get(tx.Hash()); !ok || x.orphans[at.block] {
			x.transactions.Set(tx.Hash(), place{b, i})
		}
	}
}

// index returns what was built; the builder must not be used afterwards.
func (x *indexBuilder) index() index {
	logs := persistent.NewMapBuilder[common.Address, postings]()
	for address, numbers := range x.logs {
		logs.Set(address, newVector(numbers))
	}
	return index{blocks: x.blocks.Map(), transactions: x.transactions.Map(), deposits: x.deposits.Map(), logs: logs.Map()}
}
