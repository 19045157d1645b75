package chain

import (
	"fmt"
	"math/big"

	"github.com/fakenode/fakenode/evmstate"
)

// Kept holds the blocks and States that Restore makes a chain of. The blocks come from BlockFromRecord.
type Kept struct {
	// Blocks are canonical, from the one after the head of the chain that Restore goes on from.
	Blocks []*Block
	// Orphans are in the order in which they were sealed, each after its parent.
	Orphans []*Block
	// Head is the State after the last of Blocks. It must be committed. Nil: nothing but Restore may be called on the
	// chain.
	Head *evmstate.State
	// Past returns the committed State after another block of Kept or the first block, or nil if there is none. It is
	// called when such a State is needed, and must be safe for concurrent use. Nil: those States are pruned.
	Past func(*Block) *evmstate.State
}

// Restore returns the chain that goes on from c's head with the blocks of an earlier chain, without executing them. It
// keeps k's slices. Chains that are restored on the same c share its orphans, so c should have none. The error names a
// block that does not follow its parent.
func (c *Chain) Restore(k Kept) (*Chain, error) {
	next := *c
	if c.track && k.Head != nil {
		k.Head = k.Head.Tracked()
	}
	next.state, next.kept, next.cut = k.Head, k.Past, nil
	next.states = window{first: c.Head().Number() + uint64(len(k.Blocks))}
	if err := next.restoreBlocks(k.Blocks); err != nil {
		return nil, err
	}
	for _, b := range k.Orphans {
		parent, _ := next.BlockByHash(b.header.parent)
		if err := b.follow(parent); err != nil {
			return nil, err
		}
		next.index = next.index.withOrphan(b)
	}
	return &next, nil
}

// restoreBlocks appends canonical blocks.
func (c *Chain) restoreBlocks(blocks []*Block) error {
	parent := c.Head()
	for i, b := range blocks {
		if err := b.follow(parent); err != nil {
			return err
		}
		c.blocks, c.index = c.blocks.append(b), c.index.with(b, b.Number()-c.base)
		if i+1 < len(blocks) { // the head is kept whole
			b.shorten(parent)
		}
		parent = b
	}
	return nil
}

// follow sets the fields that a restored block takes from its parent. It returns an error if parent is nil or another
// block.
func (b *Block) follow(parent *Block) error {
	if parent == nil || parent.hash != b.header.parent || parent.Number()+1 != b.Number() {
		return fmt.Errorf("block %d, %s, does not follow the block before it", b.Number(), b.hash)
	}
	b.totalDifficulty = parent.totalDifficulty
	if difficulty := b.Header().Difficulty; difficulty.Sign() > 0 {
		b.totalDifficulty = new(big.Int).Add(parent.totalDifficulty, difficulty)
	}
	b.kept.whole.Store(b.own().sharedWith(parent))
	return nil
}

// remembered returns the State of a block that Restore brought, or nil.
func (c *Chain) remembered(b *Block) *evmstate.State {
	if c.kept == nil {
		return nil
	}
	return c.kept(b)
}
