package preconf

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// clock is the node's time. All times are nanoseconds since the Unix epoch.
type clock struct {
	now   int64
	began int64 // when the block being built began: the last sealing
	ticks int64 // flashblock ticks since then
	floor int64 // no slot is before: where the clock was set forward to
}

const (
	// LatestTime is the last second that the clock and a block can come to, in Unix seconds: in the year 2160.
	LatestTime = 6_000_000_000
	// LongestTime is the longest block time, flashblock time or interval: 100 years. It keeps sums of times within what
	// int64 nanoseconds can hold.
	LongestTime = 36_525 * 24 * time.Hour
)

// TimeError reports a time that would make the clock or the chain go backwards, or past LatestTime.
type TimeError struct {
	// Given, and the Earliest and Latest time allowed, in Unix seconds. Latest is 0 where the time is too early.
	Given, Earliest, Latest uint64
}

func (e *TimeError) Error() string {
	if e.Latest != 0 {
		return fmt.Sprintf("time %d is after %d, the latest allowed", e.Given, e.Latest)
	}
	return fmt.Sprintf("time %d is before %d, the earliest allowed", e.Given, e.Earliest)
}

// checkTime rejects a time, in Unix seconds, that is past LatestTime.
func checkTime(t uint64) error {
	if t > LatestTime {
		return &TimeError{Given: t, Latest: LatestTime}
	}
	return nil
}

// after returns the clock's reading d from now. Error: *TimeError.
func (w *world) after(d time.Duration) (int64, error) {
	if left := LatestTime*int64(time.Second) - w.clock.now; int64(d) > left {
		return 0, &TimeError{Given: uint64(w.clock.now/int64(time.Second)) + uint64(d/time.Second), Latest: LatestTime}
	}
	return w.clock.now + int64(d), nil
}

// lattice returns what the rules make the times of blocks multiples of, each one's more than its parent's: 0 where they
// leave the block time open.
func (w *world) lattice() int64 { return int64(w.builder().Optimism().BlockTime()) }

// unit returns what the times of blocks are multiples of: a second, or what the rules say.
func (w *world) unit() int64 { return cmp.Or(w.lattice(), int64(time.Second)) }

// slotted reports whether blocks have slots, whose times are theirs.
func (w *world) slotted() bool {
	return w.settings.mode != Instant && int64(w.settings.blockTime)%w.unit() == 0
}

// headTime returns the time of the block on which the next one goes.
func (w *world) headTime() int64 {
	c := w.builder()
	return c.Time(c.Head()).UnixNano()
}

// timestamp returns the time that a block opened now gets.
func (w *world) timestamp() int64 {
	parent, unit := w.headTime(), w.unit()
	switch {
	case w.next.time != nil:
		return max(int64(*w.next.time)*int64(time.Second), parent+w.lattice())
	case w.slotted():
		return max(parent+w.step(), roundUp(max(w.clock.now, w.clock.floor), unit))
	case w.settings.interval != nil:
		return parent + w.step()
	case w.settings.mode == Instant:
		return max(w.earliestAfter(parent), w.clock.now/unit*unit)
	}
	return max(w.earliestAfter(parent), w.slotEnd()/unit*unit)
}

// earliestAfter returns the lowest time of a block after one with the time given: a higher one, unless blocks may have
// equal ones.
func (w *world) earliestAfter(parent int64) int64 {
	if w.cfg.EqualTimestamps || w.settings.mode != Instant && int64(w.settings.blockTime) < w.unit() {
		return parent
	}
	return parent + w.unit()
}

// catchUp sets the clock forward to the time of a new head. In Instant mode it sets a real clock forward only to a time
// that a user chose: one that is merely above the parent's must not carry the clock away from the wall.
func (c *change) catchUp(to int64, chosen bool) {
	if c.settings.mode != Instant || chosen || !c.cfg.Real {
		c.clock.now = max(c.clock.now, to)
	}
}

// roundUp returns the first multiple of unit at or after t, or t where unit is 0.
func roundUp(t, unit int64) int64 {
	if unit == 0 {
		return t
	}
	return (t + unit - 1) / unit * unit
}

// step returns the distance of two slots, where blocks are slotted, or of two timestamps where it was set.
func (w *world) step() int64 {
	if w.settings.interval != nil {
		return int64(*w.settings.interval) * int64(time.Second)
	}
	return int64(w.settings.blockTime)
}

// slotEnd returns when the slot ends that began with the last sealing.
func (w *world) slotEnd() int64 {
	return max(w.clock.began+int64(w.settings.blockTime), w.clock.now)
}

// blockDue returns when the block being built is to be sealed.
func (w *world) blockDue() int64 {
	if !w.slotted() {
		return w.slotEnd()
	}
	due := w.timestamp()
	if w.tip != nil {
		due = int64(w.tip.draft.Header().Time) * int64(time.Second)
	}
	if w.next.time != nil {
		// A timestamp set by hand is no slot: the block comes when it would.
		due = min(due, w.clock.began+int64(w.settings.blockTime))
	}
	return max(due, w.clock.now)
}

// ticks reports whether flashblocks become due by the clock.
func (w *world) ticks() bool {
	return w.noFlashblocks() == nil && w.cfg.FlashblockTime != NoFlashblocks
}

// flashblockDue returns when the next flashblock ticks, if any does.
func (w *world) flashblockDue() int64 {
	if !w.ticks() {
		return math.MaxInt64
	}
	return max(w.clock.began+(w.clock.ticks+1)*int64(w.cfg.FlashblockTime), w.clock.now)
}

// startClock returns a clock that reads now. On a head that is older than a slot, the first slot begins now.
func startClock(now, head int64, blockTime time.Duration) clock {
	c := clock{now: now, began: now}
	if now >= head+int64(blockTime) {
		c.floor = now + int64(blockTime)
	}
	return c
}

// jump sets the clock forward without anything being due on the way. Where the rules have a lattice of block times, it
// goes to the first point at or after the given time.
func (c *change) jump(to int64) {
	to = roundUp(to, c.lattice())
	c.clock.began += to - c.clock.now
	c.clock.now, c.clock.floor = to, to
	if c.derives() {
		c.beneath().jump(to)
	}
}

// IncreaseTime sets the clock forward by d; nothing becomes due on the way. Where a burst of blocks in Instant mode has
// run ahead of the clock, d counts from the head, so that the next block is at least d after it. Error: *TimeError.
func (t *Timeline) IncreaseTime(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("cannot increase time by %s: the clock only moves forward", d)
	}
	return t.lead().remake(func(c *change) error {
		c.catchUp(c.headTime(), true)
		to, err := c.after(d)
		if err != nil {
			return err
		}
		c.jump(to)
		return nil
	})
}

// SetTime sets the clock forward to the time given; nothing becomes due on the way. Error: *TimeError.
func (t *Timeline) SetTime(to time.Time) error {
	return t.lead().remake(func(c *change) error {
		// A whole second the clock is already in counts as now.
		if second := c.clock.now / int64(time.Second); to.Unix() < second {
			return &TimeError{Given: uint64(max(to.Unix(), 0)), Earliest: uint64(second)}
		}
		if err := checkTime(uint64(max(to.Unix(), 0))); err != nil {
			return err
		}
		c.jump(max(c.clock.now, to.UnixNano()))
		return nil
	})
}
