package preconf

import (
	"context"
	"math"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Seal seals n blocks and returns their hashes; a block that a fault makes late becomes head with the next. Each holds
// all that is pre-confirmed and what is ready in the pool, which is pre-confirmed as a last flashblock first. On an
// OP-stack chain every block has a flashblock, and they add up to it. A slot is closed early: the clock moves to its
// end, unless the mode is Instant. Readers see every block as it is sealed. Where the rules allow no next block it
// returns an error and the hashes of the blocks sealed by then, which stay.
func (t *Timeline) Seal(n int) ([]common.Hash, error) {
	return t.SealContext(context.Background(), n)
}

// SealContext is Seal, but ends between two blocks when ctx is done: those sealed by then stay. Error: also ctx.Err().
// While it seals many blocks, other writers come in between.
func (t *Timeline) SealContext(ctx context.Context, n int) ([]common.Hash, error) {
	var hashes []common.Hash
	err := t.stepwise(func(c *change, over func(int) bool) (more bool, err error) {
		for len(hashes) < n && !over(1) {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			if !c.control.Free(c.head()) {
				if err := c.advanceTo(c.blockDue()); err != nil {
					return false, err
				}
			}
			b, err := c.seal(true)
			if err != nil {
				return false, err
			}
			hashes = append(hashes, b.Hash())
			c.publish()
		}
		return len(hashes) < n, nil
	})
	return hashes, err
}

// seal closes the block being built, if takes is set with all that is ready in the pool.
func (c *change) seal(takes bool) (*chain.Block, error) {
	if c.upper != nil {
		if err := c.upper.operate(); err != nil {
			return nil, err
		}
	}
	s, err := c.opened()
	if err != nil {
		return nil, err
	}
	b := pool.Batch{Draft: s.draft}
	if takes {
		if b, err = c.fill(s.draft, 0); err != nil {
			return nil, err
		}
	}
	return c.close(s, b)
}

// close seals the block at s with b as its last flashblock, where b holds any transaction or readers were not told what
// the block holds. The block becomes head, unless a fault makes it late; a late one before it does first.
func (c *change) close(s *slice, b pool.Batch) (*chain.Block, error) {
	if len(b.Entries) > 0 || c.announcementIsStale(s) {
		if stalled := c.control.Faults.Stalled > 0; stalled || c.NoFlashblocks() != nil {
			c.control.Faults.Stalled = max(c.control.Faults.Stalled-1, 0)
			s = s.with(b, nil)
		} else {
			c.announce(s, b)
			s = c.tip
		}
	}
	s = c.omit(s)
	c.pool = c.pool.Pruned(s.draft.State())
	next, block, err := s.draft.Seal()
	if err != nil {
		return nil, err
	}
	c.closed(next, block)
	c.endLateness()
	if c.control.Faults.LateBlocks > 0 {
		c.control.Faults.LateBlocks--
		c.late = &late{chain: next, block: block, slice: s}
		return block, nil
	}
	c.addHead(next, block)
	return block, nil
}

// closed moves the clock and what was set for the next block to after b, the head of next.
func (c *change) closed(next *chain.Chain, b *chain.Block) {
	c.tip, c.control.Silent = nil, false
	chosen := c.control.Next.Time != nil
	c.forwardToHead(next.Time(b).UnixNano(), chosen || c.control.Settings.Interval != nil)
	if chosen && c.control.Settings.Mode == control.Instant && !c.hasL1() {
		c.control.Clock.Now = next.Time(b).UnixNano()
	}
	c.control.Next, c.control.Coming = control.Next{FromL1: c.control.Coming}, control.FromL1{}
	c.control.Clock = c.control.Clock.Sealed()
}

// announcementIsStale reports whether the flashblocks that readers of an OP-stack chain were told of do not add up to
// the block at s: there was none, or they were executed again and came out differently. A fault that takes flashblocks
// back wants that.
func (c *change) announcementIsStale(s *slice) bool {
	if c.chain.Optimism == nil || c.NoFlashblocks() != nil || c.control.Silent {
		return false
	}
	return s.index < 0 || !s.agreesWith(c.lastFlashblock())
}

// endLateness makes a late block the announced head.
func (c *change) endLateness() {
	if c.late != nil {
		c.addHead(c.late.chain, c.late.block)
		c.late = nil
	}
}

// addHead makes b, the head of next, the announced head.
func (c *change) addHead(next *chain.Chain, b *chain.Block) {
	c.chain = next
	c.notifyAdded(b)
}

// notifyAdded notifies readers that b is the head.
func (c *change) notifyAdded(b *chain.Block) {
	v, logs := c.sealed(b), b.Logs()
	c.notifyState(HeadCommitted, v, nil, "Proposed")
	c.emit(&Event{Kind: HeadAdded, View: v})
	c.notifyState(LogsCommitted, v, logs, "Proposed")
	if len(logs) > 0 {
		c.emit(&Event{Kind: LogsAdded, View: v, Logs: logs})
	}
}

// sealSlot seals the block being built at the end of its slot, with what is pre-confirmed: what came since the last
// flashblock is pre-confirmed first, in the next block (1-seen). Where the clock makes no flashblocks, or a fault keeps
// them back, it takes what is ready in the pool as well.
func (c *change) sealSlot() error {
	_, err := c.seal(c.tickTime() == 0 || c.control.Faults.Stalled > 0)
	return err
}

// beginSlot makes the first flashblock of a block. Where blocks begin with deposits it holds these alone, if another
// one is due before the block is.
func (c *change) beginSlot() error {
	_, err := c.preconfirm(func(start *slice) bool {
		return len(start.receipts) == 0 || c.flashblockDue(c.blockDue()) == math.MaxInt64
	})
	return err
}
