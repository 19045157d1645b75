package chain

import (
	"fmt"
	"time"

	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Milliseconds returns the time of b, which may be an orphan, in Unix milliseconds. ok is false unless the rules fix
// the block time. The time is in the block's BaseTime deposit; a genesis has a whole second.
func (c *Chain) Milliseconds(b *Block) (ms uint64, ok bool) {
	switch {
	case c.BlockTime() == 0:
		return 0, false
	case b.Number() == 0:
		return b.Time() * 1000, true
	case b.Count() <= optimism.BaseTimeIndex:
		return 0, false // a fork has blocks from before Denim
	}
	part, ok := optimism.ReadMillis(b.Transaction(optimism.BaseTimeIndex))
	if !ok {
		return 0, false
	}
	return b.Time()*1000 + uint64(part), true
}

// MillisecondsBelow returns the time in Unix milliseconds of the block number, which is at or below the fork block, and
// reports whether it has one; seconds is its timestamp. The block is not fetched for it: a live chain leaves out no
// slot. For a block from before the chain had milliseconds this yields another second than its timestamp.
func (c *Chain) MillisecondsBelow(number, seconds uint64) (ms uint64, ok bool) {
	ms, ok = c.Milliseconds(c.BlockByNumber(c.Base()))
	if !ok {
		return 0, false
	}
	ms -= (c.Base() - number) * uint64(c.BlockTime().Milliseconds())
	return ms, ms/1000 == seconds
}

// Milliseconds returns the time of the block in Unix milliseconds, and reports whether it has one, as
// Chain.Milliseconds does.
func (d *Draft) Milliseconds() (ms uint64, ok bool) {
	if d.transactions.len() <= optimism.BaseTimeIndex {
		return 0, false
	}
	part, ok := optimism.ReadMillis(d.Transaction(optimism.BaseTimeIndex))
	return d.header.Time*1000 + uint64(part), ok
}

// Time returns the time of b with the milliseconds it may have.
func (c *Chain) Time(b *Block) time.Time {
	if ms, ok := c.Milliseconds(b); ok {
		return time.UnixMilli(int64(ms)).UTC()
	}
	return time.Unix(int64(b.Time()), 0).UTC()
}

// timed returns env with the time of the next block, the earliest one if env has none. The error describes a time that
// the rules do not allow after the head.
func (c *Chain) timed(env Env) (Env, error) {
	head := c.Head()
	step := c.BlockTime()
	switch {
	case step > 0:
		earliest := c.Time(head).Add(step)
		if env.Time == 0 {
			env.Time, env.Millis = uint64(earliest.Unix()), uint16(earliest.Nanosecond()/int(time.Millisecond))
		}
		if at := env.at(); at.Before(earliest) || at.Sub(earliest)%step != 0 {
			return env, fmt.Errorf("block time %s is neither %s nor a multiple of %s later", stamp(at), stamp(earliest), step)
		}
	case env.Millis != 0:
		return env, fmt.Errorf("block time %d.%03d has milliseconds, which the rules of the chain have none of", env.Time, env.Millis)
	case env.Time == 0:
		env.Time = head.Time() + 1
	case env.Time < head.Time():
		return env, fmt.Errorf("block time %d is before its parent's, %d", env.Time, head.Time())
	}
	return env, nil
}

// at returns the time of the block.
func (e Env) at() time.Time {
	return time.Unix(int64(e.Time), int64(e.Millis)*int64(time.Millisecond)).UTC()
}

// stamp returns a time in Unix seconds with milliseconds.
func stamp(at time.Time) string {
	return fmt.Sprintf("%d.%03d", at.Unix(), at.Nanosecond()/int(time.Millisecond))
}
