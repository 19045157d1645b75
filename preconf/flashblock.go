package preconf

import (
	"context"
	"errors"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Errors of what needs flashblocks.
var (
	// ErrNoPreconf is returned when the timeline has no pre-confirmation layer.
	ErrNoPreconf = errors.New("this node does not pre-confirm")
	// ErrFlashblocksEnded is returned when the rules of the chain replaced flashblocks by blocks (optimism.Denim).
	ErrFlashblocksEnded = errors.New("this chain has no flashblocks since denim: it makes a block every 200ms")
)

// NoFlashblocks returns why there are no flashblocks, ErrNoPreconf or ErrFlashblocksEnded, or nil where there are.
func (w *world) NoFlashblocks() error {
	switch {
	case w.fixedBlockTime() > 0:
		return ErrFlashblocksEnded
	case w.cfg.NoPreconf:
		return ErrNoPreconf
	}
	return nil
}

// Preconfirm executes everything ready in the pool as one more flashblock of the pending block, and announces it, empty
// or not. Transactions that do not fit wait. The clock stays. Error: that of Moment.NoFlashblocks.
func (t *Timeline) Preconfirm() (Flashblock, error) {
	var result Flashblock
	err := t.change(func(c *change) error {
		if err := c.NoFlashblocks(); err != nil {
			return err
		}
		f, err := c.preconfirm()
		if err == nil {
			result = *f
		}
		return err
	})
	return result, err
}

// preconfirm adds a flashblock to the pending block, or lets a stall swallow it.
func (c *change) preconfirm() (*Flashblock, error) {
	if c.control.Faults.Stalled > 0 {
		c.control.Faults.Stalled--
		return &Flashblock{Stalled: true}, nil
	}
	start, err := c.opened()
	if err != nil {
		return nil, err
	}
	b, err := c.fill(start.draft, 0)
	if err != nil {
		return nil, err
	}
	return c.announce(start, b), nil
}

// begun reports whether the block being built stays as it began. In Instant mode an empty one does not: there are no
// slots, and its time has passed.
func (c *change) begun() bool {
	return c.tip != nil && !(c.control.Settings.Mode == control.Instant && c.tip.isEmpty())
}

// opened returns the newest flashblock, or the beginning of a new pending block.
func (c *change) opened() (*slice, error) {
	if c.begun() {
		return c.tip, nil
	}
	env := c.env()
	if err := control.CheckTime(env.Time); err != nil {
		return nil, err
	}
	d, err := c.builder().NewDraft(env)
	if err != nil {
		return nil, err
	}
	return startOf(d), nil
}

// announce makes b the flashblock after s and notifies readers.
func (c *change) announce(s *slice, b pool.Batch) *Flashblock {
	altered, armed := c.control.Faults.Altered(b.Receipts)
	c.control.Faults = armed
	c.tip = s.with(b, altered)
	c.control.Announced++
	return c.tell()
}

// tell notifies readers of the newest flashblock, whose announced logs are its own. Nobody else has it yet.
func (c *change) tell() *Flashblock {
	previous := c.previous(c.tip)
	f := c.tip.flashblock(c.pendingView(c.tip))
	f.Previous, f.skipped, c.skipped = previous, c.skipped != FlashblockID{}, FlashblockID{}
	c.tip.announced = f.Logs
	c.emit(&Event{Kind: FlashblockAdded, View: f.View, Flashblock: f})
	c.control.Silent = false
	return f
}

// rebuild executes the pre-confirmed transactions anew, flashblock by flashblock, on the present head, state and
// settings. Readers are not notified: real nodes do not notify them either. It returns what may execute later, and
// drops the rest of what does not execute now.
func (c *change) rebuild() (back []*pool.Entry, err error) {
	old := c.tip.all()
	if old == nil {
		return nil, nil
	}
	c.tip = nil
	s, err := c.opened()
	if err != nil {
		return nil, err
	}
	c.tip = c.replay(s, old, nil, func(e *pool.Entry, err error) { back = append(back, c.refused(e, err)...) })
	return back, nil
}

// replay executes flashblocks anew after s, without the transactions left out; those that fail are handed to failed.
func (c *change) replay(s *slice, flashblocks []*slice, left map[common.Hash]bool, failed func(*pool.Entry, error)) *slice {
	for _, f := range flashblocks {
		b := pool.Batch{Draft: s.draft}
		for _, e := range pool.Without(f.entries, left) {
			if err := b.Add(e); err != nil {
				failed(e, err)
			}
		}
		s = s.with(b, f.altered)
		s.announced = s.announcedOf(f.announced)
	}
	return s
}

// refused returns e if it may execute later, else it remembers why e was dropped.
func (c *change) refused(e *pool.Entry, err error) []*pool.Entry {
	if pool.Waits(err) {
		return []*pool.Entry{e}
	}
	c.dropped = c.dropped.With(e.Tx.Hash(), err)
	return nil
}

// unconfirm takes every pre-confirmed transaction back into the pool, also those of a late block.
func (c *change) unconfirm() {
	entries := c.tip.allEntries()
	if c.late != nil {
		entries = append(c.late.slice.allEntries(), entries...)
	}
	c.late, c.tip = nil, nil
	c.requeue(entries)
}

// entriesOf returns the transactions of sealed blocks that the pool can hold, in order.
func entriesOf(blocks []*chain.Block) []*pool.Entry {
	var entries []*pool.Entry
	for _, b := range blocks {
		for i, tx := range b.Transactions() {
			if signed := evmstate.Signed(tx); signed != nil {
				entries = append(entries, &pool.Entry{Tx: signed, From: b.Sender(i)})
			}
		}
	}
	return entries
}

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
				if err := c.arrive(c.blockDue()); err != nil {
					return false, err
				}
			}
			b, err := c.seal()
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

// seal closes the block being built with all that is ready in the pool.
func (c *change) seal() (*chain.Block, error) {
	if c.upper != nil {
		if err := c.upper.operate(); err != nil {
			return nil, err
		}
	}
	s, err := c.opened()
	if err != nil {
		return nil, err
	}
	b, err := c.fill(s.draft, 0)
	if err != nil {
		return nil, err
	}
	return c.close(s, b)
}

// close seals the block at s with b as its last flashblock, where b holds any transaction or readers were not told what
// the block holds. The block becomes head, unless a fault makes it late; a late one before it does first.
func (c *change) close(s *slice, b pool.Batch) (*chain.Block, error) {
	if len(b.Entries) > 0 || c.untold(s) {
		switch {
		case c.NoFlashblocks() != nil:
			s = s.with(b, nil)
		case c.control.Faults.Stalled > 0:
			c.control.Faults.Stalled--
			s = s.with(b, nil)
		default:
			c.announce(s, b)
			s = c.tip
		}
	}
	s = c.omit(s)
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
	c.catchUp(next.Time(b).UnixNano(), chosen || c.control.Settings.Interval != nil)
	if chosen && c.control.Settings.Mode == control.Instant && !c.derives() {
		c.control.Clock.Now = next.Time(b).UnixNano()
	}
	c.control.Next, c.control.Coming = control.Next{FromL1: c.control.Coming}, control.FromL1{}
	c.control.Clock = c.control.Clock.Sealed()
}

// untold reports whether the flashblocks that readers of an OP-stack chain were told of do not add up to the block at
// s: there was none, or they were executed anew and came out differently. A fault that takes flashblocks back wants
// that.
func (c *change) untold(s *slice) bool {
	if c.chain.Optimism() == nil || c.NoFlashblocks() != nil || c.control.Silent {
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
	c.tellAdded(next, b)
}

// tellAdded notifies readers that b, the head of on, is the head.
func (c *change) tellAdded(on *chain.Chain, b *chain.Block) {
	v := viewOf(on, b, false)
	c.emit(&Event{Kind: HeadAdded, View: v})
	if logs := b.Logs(); len(logs) > 0 {
		c.emit(&Event{Kind: LogsAdded, View: v, Logs: logs})
	}
}
