package preconf

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Reorg replaces the newest blocks. The replacements take the slots of those they replace, further ones the next slots,
// and the clock is set forward to the last. What is pre-confirmed stays so, executed anew on the new head and
// unannounced, unless it does not execute any more; while a block is late, all that is pre-confirmed goes back to the
// pool. Settings for the next block only are forgotten. Readers get the removed logs, then each new head and its logs.
// Errors: *DepthError, *BlockTransactionError, *chain.PrunedError, or what is wrong with o. On an error nothing
// changed.
func (t *Timeline) Reorg(o ReorgOptions) (ReorgResult, error) {
	var result ReorgResult
	err := t.change(func(c *change) error {
		var err error
		result, err = c.reorg(o)
		return err
	})
	return result, err
}

func (c *change) reorg(o ReorgOptions) (ReorgResult, error) {
	length, err := c.checkReorg(o)
	if err != nil {
		return ReorgResult{}, err
	}
	c.fateAbove = o.Above
	b := c.branchOff(o)
	for i := range length {
		if err := b.build(i); err != nil {
			return ReorgResult{}, err
		}
	}
	var left control.FromL1 // what L1 brought into removed blocks that nothing replaces
	for _, removed := range b.removed[min(length, len(b.removed)):] {
		left = left.With(c.brought(removed))
	}
	c.control.Next.FromL1 = left.With(c.control.Next.FromL1)
	back, err := c.moveTo(b)
	if err != nil {
		return ReorgResult{}, err
	}
	result := ReorgResult{Removed: hashesOf(b.removed), Added: hashesOf(b.added), Requeued: c.giveBack(b, back)}
	c.rememberReorged(b.removed)
	c.tellReorg(b, o.RemovedOrder)
	return result, nil
}

// branchOff begins the branch that o describes, below the blocks it removes.
func (c *change) branchOff(o ReorgOptions) *branch {
	if c.late != nil {
		c.unconfirm()
	}
	ancestor := c.chain.Head().Number() - uint64(o.Depth)
	b := &branch{change: c, listed: o.Blocks, removed: blocksAbove(c.chain, ancestor)}
	b.senders = c.sendersOf(b.removed)
	b.take(surviving(b.removed, o))
	c.control.KeptFinalized = min(c.finalizedNumber(), ancestor)
	c.chain = c.chain.Truncate(ancestor)
	if !o.follows {
		c.control.Reorgs++
	}
	c.control.Next = control.Next{FromL1: c.control.Next.FromL1}
	return b
}

// moveTo sets the clock forward to the new head and puts the pending block onto it. It returns the pre-confirmed
// transactions that do not execute there now.
func (c *change) moveTo(b *branch) (back []*pool.Entry, err error) {
	if len(b.added) > 0 {
		before := c.control.Clock.Now
		c.catchUp(c.head().Time, c.control.Settings.Interval != nil)
		if c.control.Clock.Now > before {
			c.control.Clock = c.control.Clock.Sealed()
		}
	}
	return c.rebuild()
}

// giveBack puts into the pool what the removed blocks held and b did not take, then what was pre-confirmed. It returns
// the hashes of the former, as far as they can still execute.
func (c *change) giveBack(b *branch, back []*pool.Entry) (requeued []common.Hash) {
	left := b.waiting.Sorted()
	c.requeue(append(left, back...))
	c.pruneAll()
	for _, e := range left {
		if c.pool.Get(e.Tx.Hash()) != nil {
			requeued = append(requeued, e.Tx.Hash())
		}
	}
	return requeued
}

// rememberReorged remembers which transactions of removed blocks are neither in the chain nor in the pool now.
func (c *change) rememberReorged(removed []*chain.Block) {
	for _, b := range removed {
		for _, tx := range b.Transactions().Signed() { // the others come again by themselves
			hash := tx.Hash()
			_, _, mined := c.chain.Find(hash)
			if !mined && c.pool.Get(hash) == nil && c.dropped.Reason(hash) == nil {
				c.dropped = c.dropped.With(hash, ErrReorged)
			}
		}
	}
}

// tellReorg notifies readers of the logs that are removed, then of each new head.
func (c *change) tellReorg(b *branch, order RemovedOrder) {
	c.tellRemoved(b.removed, order)
	for i, added := range b.added {
		c.tellAdded(b.chains[i], added)
	}
	if len(b.added) == 0 {
		c.tellHead()
	}
}

// tellHead notifies readers that a block they know is the head again.
func (c *change) tellHead() { c.emit(&Event{Kind: HeadAdded, View: c.sealed(c.chain.Head())}) }

// tellRemoved notifies readers of the logs of orphans, which are given oldest first.
func (c *change) tellRemoved(blocks []*chain.Block, order RemovedOrder) {
	if order == NewestFirst {
		blocks = slices.Clone(blocks)
		slices.Reverse(blocks)
	}
	for _, b := range blocks {
		logs := removedLogs(b.Logs())
		if len(logs) == 0 {
			continue
		}
		if order == NewestFirst {
			slices.Reverse(logs)
		}
		c.emit(&Event{Kind: LogsRemoved, View: &View{chain: c.chain, block: b, orphan: true}, Logs: logs})
	}
}

// blocksAbove returns the blocks of a chain above number n, oldest first.
func blocksAbove(c *chain.Chain, n uint64) []*chain.Block {
	blocks := make([]*chain.Block, 0, c.Head().Number()-n)
	for n++; n <= c.Head().Number(); n++ {
		blocks = append(blocks, c.BlockByNumber(n))
	}
	return blocks
}

func hashesOf(blocks []*chain.Block) []common.Hash {
	var hashes []common.Hash
	for _, b := range blocks {
		hashes = append(hashes, b.Hash())
	}
	return hashes
}
