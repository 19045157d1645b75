package control

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// Clock is the node's time. All times are nanoseconds since the Unix epoch.
type Clock struct {
	Now   int64
	Began int64 // when the block being built began: the last sealing
	Ticks int64 // flashblock ticks since then
	Floor int64 // no slot is before: where the clock was set forward to
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

// CheckTime rejects a time, in Unix seconds, that is past LatestTime.
func CheckTime(t uint64) error {
	if t > LatestTime {
		return &TimeError{Given: t, Latest: LatestTime}
	}
	return nil
}

// CheckDistance rejects a distance that two blocks or flashblocks cannot have.
func CheckDistance(of string, d time.Duration) error {
	if d < time.Millisecond || d > LongestTime {
		return fmt.Errorf("%s time %s is not between 1ms and %s", of, d, LongestTime)
	}
	return nil
}

// StartClock returns a clock that reads now. On a head that is older than a slot, the first slot begins now.
func StartClock(now, head int64, blockTime time.Duration) Clock {
	c := Clock{Now: now, Began: now}
	if now >= head+int64(blockTime) {
		c.Floor = now + int64(blockTime)
	}
	return c
}

// After returns the clock's reading d from now. Error: *TimeError.
func (c Clock) After(d time.Duration) (int64, error) {
	if left := LatestTime*int64(time.Second) - c.Now; int64(d) > left {
		return 0, &TimeError{Given: uint64(c.Now/int64(time.Second)) + uint64(d/time.Second), Latest: LatestTime}
	}
	return c.Now + int64(d), nil
}

// Jumped returns the clock set forward without anything being due on the way.
func (c Clock) Jumped(to int64) Clock {
	return Clock{Now: to, Began: c.Began + to - c.Now, Ticks: c.Ticks, Floor: to}
}

// Sealed returns the clock as a block begins now.
func (c Clock) Sealed() Clock {
	c.Began, c.Ticks = c.Now, 0
	return c
}

// Head holds a chain's limits for the time of its next block.
type Head struct {
	Time      int64 // of the parent, in nanoseconds since the Unix epoch
	BlockTime int64 // fixed by the rules, in nanoseconds: times of blocks are multiples of it; 0: not fixed
	Equal     bool  // a block may have its parent's timestamp
	Slotless  bool  // in Manual mode, too, a block has the clock's time
}

// unit returns the number of nanoseconds of which times of blocks are multiples: the fixed block time, or a second.
func (h Head) unit() int64 { return cmp.Or(h.BlockTime, int64(time.Second)) }

// RoundUp returns the first multiple of the fixed block time at or after t, or t where there is none.
func (h Head) RoundUp(t int64) int64 {
	if h.BlockTime == 0 {
		return t
	}
	return roundUp(t, h.BlockTime)
}

// roundUp returns the first multiple of unit at or after t.
func roundUp(t, unit int64) int64 { return (t + unit - 1) / unit * unit }

// Free reports whether blocks have the clock's time, and none waits for the end of a slot.
func (c *Control) Free(h Head) bool {
	return c.Settings.Mode == Instant || c.Settings.Mode == Manual && (h.Equal || h.Slotless)
}

// Slotted reports whether each block has the time of its slot.
func (c *Control) Slotted(h Head) bool {
	return !c.Free(h) && int64(c.Settings.BlockTime)%h.unit() == 0
}

// Timestamp returns the time that a block opened now gets.
func (c *Control) Timestamp(h Head) int64 {
	switch {
	case c.Next.Time != nil:
		return max(int64(*c.Next.Time)*int64(time.Second), h.Time+h.BlockTime)
	case c.Slotted(h):
		return max(h.Time+c.step(), roundUp(max(c.Clock.Now, c.Clock.Floor), h.unit()))
	case c.Free(h) && c.Settings.Interval == nil:
		return c.offSlot(h, c.Clock.Now)
	}
	return c.NextSlot(h, c.slotEnd())
}

// NextSlot returns the time of a block after the head, one slot or interval later. Where there is neither it is the
// given time in whole units.
func (c *Control) NextSlot(h Head, t int64) int64 {
	if c.Slotted(h) || c.Settings.Interval != nil {
		return h.Time + c.step()
	}
	return c.offSlot(h, t)
}

// offSlot returns the time in whole units, at least the earliest after the head, and above it where t is behind it.
func (c *Control) offSlot(h Head, t int64) int64 {
	if t = t / h.unit() * h.unit(); h.Equal && t < h.Time {
		return h.Time + h.unit()
	}
	return max(c.Earliest(h), t)
}

// Earliest returns the lowest time of the next block: higher than its parent's, unless blocks may have equal ones.
func (c *Control) Earliest(h Head) int64 {
	if h.Equal || c.Settings.Mode != Instant && int64(c.Settings.BlockTime) < h.unit() {
		return h.Time
	}
	return h.Time + h.unit()
}

// step returns the distance of two slots, or of two timestamps where it was set.
func (c *Control) step() int64 {
	if c.Settings.Interval != nil {
		return int64(*c.Settings.Interval) * int64(time.Second)
	}
	return int64(c.Settings.BlockTime)
}

// Distance returns how far two blocks are apart.
func (c *Control) Distance(h Head) time.Duration {
	if c.Slotted(h) {
		return time.Duration(c.step())
	}
	return c.Settings.BlockTime
}

const (
	// maxSteps is how many flashblocks and blocks one advance may make: a month by the default times.
	maxSteps = 15_000_000
	// maxFlashblocks is how many of them may be flashblocks of one block, which are all kept until it is sealed.
	maxFlashblocks = 1_000_000
)

// CheckAdvance rejects an advance that would take hours to make, or all memory; every is the distance of two
// flashblocks, 0 where none ticks.
func (c *Control) CheckAdvance(d time.Duration, h Head, every time.Duration) error {
	if c.Settings.Mode == Instant {
		return nil
	}
	distance := c.Distance(h)
	steps := int64(d / distance)
	if every > 0 {
		steps += int64(d / every)
		if n := int64(min(d, distance) / every); n > maxFlashblocks {
			return fmt.Errorf("cannot advance by %s: it would make %d flashblocks of one block, the limit is %d; Jump (fakenode_jump) skips them", d, n, maxFlashblocks)
		}
	}
	if steps > maxSteps {
		return fmt.Errorf("cannot advance by %s: it would make %d flashblocks and blocks, the limit is %d; Jump (fakenode_jump) skips them", d, steps, maxSteps)
	}
	return nil
}

// slotEnd returns when the slot ends that began with the last sealing.
func (c *Control) slotEnd() int64 {
	return max(c.Clock.Began+int64(c.Settings.BlockTime), c.Clock.Now)
}

// BlockDue returns when the block being built is to be sealed. opened is its time in Unix seconds, nil where it has not
// begun.
func (c *Control) BlockDue(h Head, opened *uint64) int64 {
	if !c.Slotted(h) {
		return c.slotEnd()
	}
	var due int64
	if opened != nil {
		due = int64(*opened) * int64(time.Second)
	} else {
		due = c.Timestamp(h)
	}
	if c.Next.Time != nil {
		// A timestamp set by hand is no slot: the block comes when it would.
		due = min(due, c.Clock.Began+int64(c.Settings.BlockTime))
	}
	return max(due, c.Clock.Now)
}

// FlashblockDue returns when the next flashblock ticks; every is the distance of two, 0 where none ticks. Closer than
// that before the block is due none does: what it held would be at pending for less (1-seen).
func (c *Control) FlashblockDue(every time.Duration, block int64) int64 {
	due := max(c.Clock.Began+(c.Clock.Ticks+1)*int64(every), c.Clock.Now)
	if every == 0 || due+int64(every) > block {
		return math.MaxInt64
	}
	return due
}
