package preconf

import (
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

// slotted reports whether blocks have slots of whole seconds, whose times are their timestamps.
func (w *world) slotted() bool {
	return w.settings.mode != Instant && w.settings.blockTime%time.Second == 0
}

// timestamp returns the one that a block opened now gets, in Unix seconds.
func (w *world) timestamp() uint64 {
	parent := w.builder().Head().Time()
	switch {
	case w.next.time != nil:
		return *w.next.time
	case w.slotted():
		return max(parent+w.step(), seconds(max(w.clock.now, w.clock.floor)))
	case w.settings.interval != nil:
		return parent + *w.settings.interval
	case w.settings.mode == Instant:
		return max(w.earliestAfter(parent), uint64(w.clock.now/int64(time.Second)))
	}
	return max(w.earliestAfter(parent), uint64(w.slotEnd()/int64(time.Second)))
}

// earliestAfter returns the lowest timestamp of a block after one with the timestamp given: a higher one, unless blocks
// may have equal ones.
func (w *world) earliestAfter(parent uint64) uint64 {
	if w.cfg.EqualTimestamps || w.settings.mode != Instant && w.settings.blockTime < time.Second {
		return parent
	}
	return parent + 1
}

// catchUp sets the clock forward to the timestamp of a new head. In Instant mode it does so only for a timestamp that a
// user chose: one that is merely above the parent's must not carry the clock away from the wall.
func (c *change) catchUp(timestamp uint64, chosen bool) {
	if c.settings.mode != Instant || chosen {
		c.clock.now = max(c.clock.now, int64(timestamp)*int64(time.Second))
	}
}

// seconds rounds a time up.
func seconds(t int64) uint64 { return uint64((t + int64(time.Second) - 1) / int64(time.Second)) }

// step returns the distance of two slots in seconds, where blocks are slotted.
func (w *world) step() uint64 {
	if w.settings.interval != nil {
		return *w.settings.interval
	}
	return uint64(w.settings.blockTime / time.Second)
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
	t := w.timestamp()
	if w.tip != nil {
		t = w.tip.draft.Header().Time
	}
	due := int64(t) * int64(time.Second)
	if w.next.time != nil {
		// A timestamp set by hand is no slot: the block comes when it would.
		due = min(due, w.clock.began+int64(w.settings.blockTime))
	}
	return max(due, w.clock.now)
}

// ticks reports whether flashblocks become due by the clock.
func (w *world) ticks() bool { return !w.cfg.NoPreconf && w.cfg.FlashblockTime != NoFlashblocks }

// flashblockDue returns when the next flashblock ticks, if any does.
func (w *world) flashblockDue() int64 {
	if !w.ticks() {
		return math.MaxInt64
	}
	return max(w.clock.began+(w.clock.ticks+1)*int64(w.cfg.FlashblockTime), w.clock.now)
}

// startClock returns a clock that reads now. On a head that is older than a slot, the first slot begins now.
func startClock(now int64, head uint64, blockTime time.Duration) clock {
	c := clock{now: now, began: now}
	if now >= int64(head)*int64(time.Second)+int64(blockTime) {
		c.floor = now + int64(blockTime)
	}
	return c
}

// jump sets the clock forward without anything being due on the way.
func (c *change) jump(to int64) {
	c.clock.began += to - c.clock.now
	c.clock.now, c.clock.floor = to, to
}

// IncreaseTime sets the clock forward by d; nothing becomes due on the way. Error: *TimeError.
func (t *Timeline) IncreaseTime(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("cannot increase time by %s: the clock only moves forward", d)
	}
	return t.remake(func(c *change) error {
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
	return t.remake(func(c *change) error {
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
