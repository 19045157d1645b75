package chain

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

const (
	maxUncles     = 2 // uncles in a block
	maxUncleDepth = 6 // generations between a block and its uncle
)

// verifyUncles checks the uncles of a block on the head (Yellow Paper 11.1). There may be at most two. Their headers
// must be valid, not be in the chain and not have been included before, and be children of one of the block's ancestors
// within six generations.
func (c *Chain) verifyUncles(b *types.Block) error {
	n := b.NumberU64()
	if len(b.Uncles()) == 0 {
		return nil
	}
	if b.Difficulty().Sign() == 0 {
		return refused(n, "uncles", len(b.Uncles()), "none after the merge")
	}
	if len(b.Uncles()) > maxUncles {
		return refused(n, "uncles", len(b.Uncles()), fmt.Sprintf("at most %d", maxUncles))
	}
	ancestors, taken := c.family()
	for i, uncle := range b.Uncles() {
		field, hash := fmt.Sprintf("uncle %d", i), uncle.Hash()
		if taken[hash] {
			return refused(n, field, hash, "one not included before")
		}
		taken[hash] = true
		if ancestors[hash] != nil {
			return refused(n, field, hash, "a block that is not an ancestor")
		}
		parent := ancestors[uncle.ParentHash]
		if parent == nil || parent == c.Head() {
			return refused(n, field, hash, fmt.Sprintf("a child of an ancestor, at most %d generations back", maxUncleDepth))
		}
		if uncle.Difficulty.Sign() == 0 {
			return refused(n, field+": difficulty", 0, "proof of work")
		}
		if err := c.verifyHeader(uncle, parent.Header()); err != nil {
			var bad *ImportError
			if errors.As(err, &bad) {
				bad.Number, bad.Field = n, field+": "+bad.Field
			}
			return err
		}
	}
	return nil
}

// family returns, by hash, the ancestors that can be the parent of an uncle of the next block, and the uncles that they
// include.
func (c *Chain) family() (ancestors map[common.Hash]*Block, taken map[common.Hash]bool) {
	ancestors, taken = make(map[common.Hash]*Block), make(map[common.Hash]bool)
	for i := range min(maxUncleDepth+1, c.blocks.len()) {
		b := c.blocks.items[c.blocks.len()-1-i]
		ancestors[b.hash] = b
		for _, uncle := range b.own().uncles {
			taken[uncle.Hash()] = true
		}
	}
	return ancestors, taken
}
