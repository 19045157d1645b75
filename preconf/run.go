package preconf

import (
	"context"
	"errors"
	"time"
)

// longestWait is how long Run leaves the wall clock unread at most.
const longestWait = 200 * time.Millisecond

// Run lets the clock follow the wall clock until ctx is done, and returns nil then. It advances by what has passed, so
// it catches up after a pause and does not drift. In Interval mode flashblocks and blocks are made on the way;
// otherwise only the clock moves. Errors: ErrManualClock, or why no block can be made.
func (t *Timeline) Run(ctx context.Context) error {
	if !t.cfg.Real {
		return ErrManualClock
	}
	return t.follow(ctx, time.Now, time.After)
}

// follow is Run with the wall clock given.
func (t *Timeline) follow(ctx context.Context, now func() time.Time, after func(time.Duration) <-chan time.Time) error {
	// Round strips the monotonic clock: a computer that slept must catch up.
	last, wait := now().Round(0), time.Duration(0)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-after(wait):
		}
		read := now().Round(0)
		var err error
		if wait, err = t.pass(ctx, max(read.Sub(last), 0)); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		last = read
	}
}

// pass moves the clock with the wall's and returns how long nothing is due. At LatestTime the clock stands still.
func (t *Timeline) pass(ctx context.Context, d time.Duration) (wait time.Duration, err error) {
	wait = longestWait
	err = t.change(func(c *change) error {
		c.following = true
		until, err := c.after(d)
		if err != nil {
			return err
		}
		if c.settings.mode != Interval {
			c.clock.now = until
			return nil
		}
		if err := c.advance(ctx, until); err != nil {
			return err
		}
		wait = min(wait, time.Duration(min(c.blockDue(), c.flashblockDue())-c.clock.now))
		return nil
	})
	var end *TimeError
	if errors.As(err, &end) || unavailable(err) {
		return longestWait, nil
	}
	return wait, err
}
