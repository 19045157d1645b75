package preconf

import (
	"fmt"
	"time"

	"github.com/fakenode/fakenode/preconf/control"
)

// head returns the chain's limits for the time of its next block.
func (w *world) head() control.Head {
	c := w.builder()
	return control.Head{
		Time: c.Time(c.Head()).UnixNano(), BlockTime: int64(c.BlockTime()), Equal: w.cfg.EqualTimestamps,
		Slotless: w.cfg.PendingPool && w.cfg.Real,
	}
}

// forwardToHead sets the clock forward to the time of a new head. Without slots it sets a real clock forward only to a
// time that a user chose: one that is merely above the parent's must not carry the clock away from the wall.
func (c *change) forwardToHead(to int64, chosen bool) {
	if chosen || !c.cfg.Real || !c.control.Free(c.head()) {
		c.forward(to)
	}
}

// forward sets the clock forward to a time, unless it is later already.
func (c *change) forward(to int64) { c.control.Clock.Now = max(c.control.Clock.Now, to) }

// blockDue returns the time at which the block being built is due to be sealed.
func (w *world) blockDue() int64 {
	var opened *uint64
	if w.tip != nil {
		opened = &w.tip.draft.Header().Time
	}
	return w.control.BlockDue(w.head(), opened)
}

// tickTime returns how far two flashblocks are apart by the clock, 0 where none becomes due by it.
func (w *world) tickTime() time.Duration {
	if w.NoFlashblocks() != nil || w.cfg.FlashblockTime == NoFlashblocks {
		return 0
	}
	return w.cfg.FlashblockTime
}

// flashblockDue returns when the next flashblock ticks, if any does before the block that is due then.
func (w *world) flashblockDue(block int64) int64 { return w.control.FlashblockDue(w.tickTime(), block) }

// jump sets the clock forward without anything being due on the way, to a multiple of a fixed block time.
func (c *change) jump(to int64) {
	c.control.Clock = c.control.Clock.Jumped(c.head().RoundUp(to))
	if c.hasL1() {
		c.l1Change().jump(c.control.Clock.Now)
	}
}

// IncreaseTime sets the clock forward by d; nothing becomes due on the way. Where a burst of blocks in Instant mode has
// run ahead of the clock, d counts from the head, so that the next block is at least d after it. Error: *TimeError.
func (t *Timeline) IncreaseTime(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("cannot increase time by %s: the clock only moves forward", d)
	}
	return t.owner().Set(ofBlocks(func(c *change) error {
		c.forward(c.head().Time)
		to, err := c.control.Clock.After(d)
		if err != nil {
			return err
		}
		c.jump(to)
		return nil
	}))
}

// SetTime sets the clock forward to the time given; nothing becomes due on the way. A time that was set before for the
// next block no longer counts; where blocks have a fixed distance (TimestampInterval), it is as far behind the time
// given. Error: *TimeError.
func (t *Timeline) SetTime(to time.Time) error {
	return t.owner().Set(ofBlocks(func(c *change) error {
		// A whole second the clock is already in counts as now.
		if second := c.control.Clock.Now / int64(time.Second); to.Unix() < second {
			return &control.TimeError{Given: uint64(max(to.Unix(), 0)), Earliest: uint64(second)}
		}
		if err := control.CheckTime(uint64(max(to.Unix(), 0))); err != nil {
			return err
		}
		c.jump(max(c.control.Clock.Now, to.UnixNano()))
		c.control.Next.Time = nil
		if interval := c.control.Settings.Interval; interval != nil {
			c.control.Next.Time = new(uint64(to.Unix()) + *interval)
		}
		return nil
	}))
}
