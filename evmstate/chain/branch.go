package chain

import (
	"cmp"
	"slices"

	"github.com/fakenode/fakenode/evmstate"
)

// branchTo returns the chain with b as its head. The chain must know b.
func (c *Chain) branchTo(b *Block) *Chain {
	var path []*Block // blocks from b down to the canonical chain
	for !c.Canonical(b) {
		path = append(path, b)
		b, _ = c.BlockByHash(b.parent)
	}
	on := c.Truncate(b.Number())
	for _, b := range slices.Backward(path) {
		state, err := c.StateAt(b)
		if err != nil {
			state = nil // it is pruned; building on the block returns a PrunedError
		}
		on = on.append(b, state, b.own().transactions.all())
	}
	return on
}

// outweighs reports whether a new block becomes the head in place of the head of another branch. Before the merge the
// branch of more total difficulty wins, on a tie the shorter one, then the older one. After the merge the new block
// always wins, because the consensus layer decides and sends its choice last.
func outweighs(candidate, head *Block) bool {
	if candidate.Header().Difficulty.Sign() == 0 {
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

// withOrphan returns the chain with a further block that is not canonical.
func (c *Chain) withOrphan(b *Block, s *evmstate.State) *Chain {
	next := *c
	next.index = c.index.withOrphan(b)
	next.cut = c.keep(c.cut.with([]*Block{b}, []*evmstate.State{s}))
	return &next
}

// WithOrphansOf returns c with the blocks of another chain of the same genesis that c does not know as orphans:
// readable by hash, their States as far as the other chain keeps them.
func (c *Chain) WithOrphansOf(other *Chain) *Chain {
	var missing [][]*Block // newest branch first
	var canonical []*Block
	for n := other.Head().Number(); !c.knows(other.BlockByNumber(n)); n-- {
		canonical = append(canonical, other.BlockByNumber(n))
	}
	slices.Reverse(canonical)
	missing = append(missing, canonical)
	for br := other.cut; br != nil; br = br.next {
		missing = append(missing, slices.DeleteFunc(slices.Clone(br.blocks), c.knows))
	}
	next := *c
	for _, blocks := range slices.Backward(missing) {
		if len(blocks) == 0 {
			continue
		}
		states := make([]*evmstate.State, len(blocks))
		for i, b := range blocks {
			states[i], _ = other.StateAt(b) // nil where pruned
			next.index = next.index.withOrphan(b)
		}
		next.cut = next.keep(next.cut.with(blocks, states))
	}
	return &next
}

// Orphans returns the blocks that c knows and that are not canonical, each after its parent.
func (c *Chain) Orphans() []*Block {
	var orphans []*Block
	for _, b := range c.index.orphans.All() {
		if !c.Canonical(b) {
			orphans = append(orphans, b)
		}
	}
	slices.SortFunc(orphans, compareBlocks)
	return orphans
}

// OrphansSince returns the orphans of c that an earlier chain may lack, or have without their States, each after its
// parent: all of them if c does not go on from that chain.
func (c *Chain) OrphansSince(earlier *Chain) (orphans []*Block) {
	for br := c.cut; br != earlier.cut; br = br.next {
		if br == nil {
			return c.Orphans()
		}
		orphans = append(orphans, slices.DeleteFunc(slices.Clone(br.blocks), c.Canonical)...)
	}
	for b := earlier.Head(); !c.Canonical(b); b = earlier.BlockByNumber(b.Number() - 1) {
		if c.knows(b) {
			orphans = append(orphans, b)
		}
	}
	slices.SortFunc(orphans, compareBlocks)
	return slices.Compact(orphans) // both loops may find a block
}

// SameOrphans reports whether c only added blocks to an earlier chain, so that both have the same orphans.
func (c *Chain) SameOrphans(earlier *Chain) bool {
	return c.cut == earlier.cut && c.BlockByNumber(earlier.Head().Number()) == earlier.Head()
}

func compareBlocks(a, b *Block) int {
	return cmp.Or(cmp.Compare(a.Number(), b.Number()), a.hash.Cmp(b.hash))
}

// knows reports whether b is in the chain or one of its orphans.
func (c *Chain) knows(b *Block) bool {
	known, _ := c.BlockByHash(b.hash)
	return known != nil
}
