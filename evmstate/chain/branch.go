package chain

import (
	"slices"

	"github.com/fakenode/fakenode/evmstate"
)

// branchTo returns the chain with the known block b as its head.
func (c *Chain) branchTo(b *Block) *Chain {
	var path []*Block // from b down to the canonical chain
	for !c.canonical(b) {
		path = append(path, b)
		b, _ = c.BlockByHash(b.header.ParentHash)
	}
	on := c.Truncate(b.Number())
	for _, b := range slices.Backward(path) {
		state, err := c.StateAt(b)
		if err != nil {
			state = nil // pruned: building on it will say so
		}
		on = on.append(b, state)
	}
	return on
}

// outweighs tells whether a new block takes the head from another branch: by total difficulty before the merge, on a
// tie the shorter branch, then the older one; after it the consensus layer decides, and what it sends last is its choice.
func outweighs(candidate, head *Block) bool {
	if candidate.header.Difficulty.Sign() == 0 {
		return true
	}
	switch candidate.totalDifficulty.Cmp(head.totalDifficulty) {
	case 1:
		return true
	case 0:
		return candidate.Number() < head.Number()
	default:
		return false
	}
}

// withOrphan keeps a block that did not become canonical.
func (c *Chain) withOrphan(b *Block, s *evmstate.State) *Chain {
	next := *c
	next.index.blocks = c.index.blocks.Set(b.hash, b)
	next.cut = c.keep(c.cut.with([]*Block{b}, []*evmstate.State{s}))
	return &next
}
