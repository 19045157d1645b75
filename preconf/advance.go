package preconf

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/fakenode/fakenode/preconf/control"
)

// Progress is how far Advance came.
type Progress struct {
	// Time of the clock.
	Time time.Time
	// BlockNumber of the head.
	BlockNumber uint64
	// FlashblockIndex of the newest flashblock on top of the head, -1: none.
	FlashblockIndex int
}

// Advance moves the clock by d and runs every flashblock and block that is due on the way, in order, before it returns.
// A flashblock is due every FlashblockTime after the last sealing, and the first of a block at once when the block
// before was sealed on the way; on an OP-stack chain that one holds the deposits alone. A block that becomes due is
// sealed with what is pre-confirmed (1-seen). In Instant mode the clock moves, and ends holds. Readers see every
// flashblock and block as it is made; an empty flashblock that no reader is there for is not made (see canSkip), and
// then up to 129 empty blocks appear at once. Errors, with nothing changed: *TimeError, or d is negative or would make
// more than 15,000,000 flashblocks and blocks, or more than 1,000,000 flashblocks of one block. Where the rules allow
// no next block it returns an error; what was made by then stays.
func (t *Timeline) Advance(d time.Duration) (Progress, error) {
	return t.AdvanceContext(context.Background(), d)
}

// AdvanceContext is Advance, but ends when ctx is done: what was made by then stays. Error: also ctx.Err(). While it
// makes many blocks, other writers come in between; the time it advances to stays that of its beginning.
func (t *Timeline) AdvanceContext(ctx context.Context, d time.Duration) (Progress, error) {
	if t.above != nil {
		_, err := t.owner().AdvanceContext(ctx, d)
		return t.Moment().progress(), err
	}
	var p Progress
	if d < 0 {
		return p, fmt.Errorf("cannot advance by %s: the clock only moves forward", d)
	}
	var until int64 // zero in the first turn
	err := t.stepwise(func(c *change, over func(int) bool) (more bool, err error) {
		if until == 0 {
			if until, err = c.control.Clock.After(d); err == nil {
				err = c.control.CheckAdvance(d, c.head(), c.tickTime())
			}
			if err != nil {
				return false, err
			}
		}
		more, err = c.advance(ctx, until, over)
		p = c.progress()
		return more, err
	})
	if err != nil {
		return Progress{}, err
	}
	return p, nil
}

// Jump moves the clock forward by d, with no flashblock and no block on the way, and seals one block there, as Seal
// does: AdjustTime of go-ethereum's simulated backend. A month costs as much as a second. The block's timestamp is the
// clock's then, rounded up to the second or to the block time that the rules fix. Errors, with nothing changed:
// *TimeError, or d is negative.
func (t *Timeline) Jump(d time.Duration) (Progress, error) {
	var p Progress
	err := t.Atomically(func(t *Timeline) error {
		if err := t.IncreaseTime(d); err != nil {
			return err
		}
		if _, err := t.Seal(1); err != nil {
			return err
		}
		p = t.Moment().progress()
		return nil
	})
	return p, err
}

func (w *world) progress() Progress {
	p := Progress{
		Time:            time.Unix(0, w.control.Clock.Now).UTC(),
		BlockNumber:     w.chain.Head().Number(),
		FlashblockIndex: -1,
	}
	if w.tip != nil {
		p.FlashblockIndex = w.tip.index
	}
	return p
}

// advance runs what is due up to and including the given time, until ctx is done or the turn is over, and reports
// whether there is more. It publishes each step, so no reader falls behind by all of it at once.
func (c *change) advance(ctx context.Context, until int64, over func(steps int) bool) (more bool, err error) {
	for c.control.Settings.Mode != control.Instant {
		l1, block := c.belowDue(), c.blockDue()
		flashblock := c.flashblockDue(block)
		if min(l1, block, flashblock) > until {
			break
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		empty := 0
		if l1 <= min(block, flashblock) {
			c.forward(l1)
			if err = c.sealBelow(l1); err == nil {
				c.publish()
			}
		} else {
			empty, err = c.makeNext(block, flashblock, until)
		}
		if err != nil {
			return false, err
		}
		if over(1 + empty) {
			return true, nil
		}
	}
	if err := c.endHolds(until); err != nil {
		return false, err
	}
	c.forward(until)
	return false, nil
}

// makeDue makes what is due up to and including the given time.
func (c *change) makeDue(until int64) error {
	_, err := c.advance(context.Background(), until, func(int) bool { return false })
	return err
}

// makeNext makes what is due first: a flashblock, or a block with the first flashblock after it. Where no reader misses
// them, the block has no empty flashblocks, and further empty blocks follow: empty is how many.
func (c *change) makeNext(block, flashblock, until int64) (empty int, err error) {
	most := 0
	if (flashblock < block || c.tickTime() == 0) && c.canSkip(block, until) {
		// Who subscribes meanwhile waits, so that no reader misses flashblocks of a block of which it is told others.
		c.timeline.audience.Lock()
		defer c.timeline.audience.Unlock()
		if c.timeline.audience.Readers == 0 {
			if c.tip != nil {
				c.skipFlashblocks(block, c.tip.index)
			}
			most = int((until-block)/int64(c.control.Distance(c.head()))) - RecentFlashblocks - 1
			flashblock = math.MaxInt64
		}
	}
	if c.control.Clock.Now = min(block, flashblock); flashblock < block {
		c.control.Clock.Ticks++
		if _, err := c.preconfirm(takesAll); err != nil {
			return 0, err
		}
		c.publish()
		return 0, nil
	}
	if err := c.sealSlot(); err != nil {
		return 0, err
	}
	empty, err = c.sealEmpty(most)
	c.publish() // it stays even where no flashblock can follow
	if err != nil || c.tickTime() == 0 {
		return empty, err
	}
	if err := c.beginSlot(); err != nil {
		return empty, err
	}
	c.publish()
	return empty, nil
}

// canSkip reports whether the flashblocks until a block is due would be empty and change nothing that stays. It never
// does of the last ones before the end of an Advance: those that SubscribeAs returns are made.
func (c *change) canSkip(block, until int64) bool {
	faults := &c.control.Faults
	return block+(RecentFlashblocks+1)*int64(c.control.Distance(c.head())) <= until &&
		(c.tip.isEmpty() || c.tip == nil && c.tickTime() == 0) && c.pool.Len() == 0 && c.late == nil && faults.Stalled == 0 && faults.LateBlocks == 0 &&
		!c.control.Silent && c.upper == nil && !c.hasL1() && c.chain.Fork() == nil
}

// skipFlashblocks leaves out the flashblocks before the block is due, which follow the one with that index.
func (c *change) skipFlashblocks(block int64, index int) {
	if c.tickTime() == 0 {
		return
	}
	clock := c.control.Clock
	for c.flashblockDue(block) < block {
		c.control.Clock.Ticks++
		index++
	}
	c.control.Clock, c.skipped = clock, FlashblockID{c.nextNumber(), index}
}

// mostEmpty is how many empty blocks readers see at once.
const mostEmpty = 256

// sealEmpty seals up to n empty blocks, without flashblocks, on one that was empty, and returns how many. Readers see
// them at once.
func (c *change) sealEmpty(n int) (made int, err error) {
	if !c.control.Slotted(c.head()) {
		return 0, nil
	}
	for ; made < min(n, mostEmpty); made++ {
		block := c.blockDue()
		d, err := c.chain.NewDraft(c.env())
		if err != nil {
			return made, err
		}
		next, b, err := d.Seal()
		if err != nil {
			return made, err
		}
		c.skipFlashblocks(block, 0)
		c.control.Clock.Now = block
		c.closed(next, b)
		c.addHead(next, b)
	}
	return made, nil
}
