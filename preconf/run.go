package preconf

import (
	"context"
	"errors"
	"time"

	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// longestWait is how long Run leaves the wall clock unread at most.
const longestWait = 200 * time.Millisecond

// Run lets the clock follow the wall clock until ctx is done, and returns nil then. It advances by what has passed, so
// it catches up after a pause and does not drift. In Interval mode flashblocks and blocks are made on the way;
// otherwise the clock moves, and in Instant mode ends holds. On a Timeline below another it only waits: the other's
// clock is its own. Errors: ErrManualClock, or why no block can be made.
func (t *Timeline) Run(ctx context.Context) error {
	if !t.cfg.Real {
		return ErrManualClock
	}
	if t.above != nil {
		<-ctx.Done()
		return nil
	}
	return t.follow(ctx, time.Now, time.After)
}

// follow is Run with the wall clock given.
func (t *Timeline) follow(ctx context.Context, now func() time.Time, after func(time.Duration) <-chan time.Time) error {
	t.meet(now(), 0)
	defer t.part()
	for wait := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-after(wait):
		}
		var err error
		if wait, err = t.pass(ctx, now()); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
	}
}

// meet notes where the wall clock is from now on followed from, unless it is followed already, and that the clock
// begins to move by delay later.
func (t *Timeline) meet(read time.Time, delay time.Duration) {
	t.turn.Lock()
	defer t.turn.Unlock()
	if t.followed.IsZero() {
		// Round strips the monotonic clock: a computer that slept must catch up.
		t.followed = read.Round(0)
	}
	t.followed, t.delay = t.followed.Add(delay), delay
}

// part ends what meet began: what passes on the wall from now on does not count.
func (t *Timeline) part() {
	t.turn.Lock()
	defer t.turn.Unlock()
	t.followed = time.Time{}
}

// pass moves the clock by what has passed on the wall up to a reading of it, and returns how long nothing is due. At
// LatestTime the clock stands still.
func (t *Timeline) pass(ctx context.Context, read time.Time) (wait time.Duration, err error) {
	t.turn.Lock()
	return t.passNow(ctx, read.Round(0))
}

// passNow is pass for a caller that has the turn, which passNow gives up. Where much is due, other writers get the turn
// in between.
func (t *Timeline) passNow(ctx context.Context, read time.Time) (wait time.Duration, err error) {
	for {
		wait, more, err := t.passTurn(ctx, read)
		if !more || err != nil {
			return wait, err
		}
		t.turn.Lock()
		if t.followed.After(read) { // somebody else has passed it
			t.turn.Unlock()
			return 0, nil
		}
	}
}

// passTurn is passNow for one turn, and reports whether there is more to do.
func (t *Timeline) passTurn(ctx context.Context, read time.Time) (wait time.Duration, more bool, err error) {
	defer t.turn.Unlock()
	wait = longestWait
	err = t.changeNow(func(c *change) (err error) {
		c.following = true
		if t.followed.IsZero() {
			return nil
		}
		if early := t.followed.Sub(read); 0 < early && early <= t.delay { // more: the wall clock was set back
			wait = early
			return nil
		}
		until, err := c.control.Clock.After(max(read.Sub(t.followed), 0))
		if err != nil {
			t.followed = read
			return err
		}
		if c.control.Settings.Mode != Interval {
			err := c.endHolds(until)
			c.control.Clock.Now, t.followed = until, read
			return err
		}
		before := c.control.Clock.Now
		if more, err = c.advance(ctx, until, beginTurn()); more || err != nil {
			t.followed = t.followed.Add(time.Duration(t.Moment().control.Clock.Now - before)) // by what was made before
			return err
		}
		t.followed = read
		wait = min(wait, time.Duration(min(c.belowDue(), c.blockDue(), c.flashblockDue())-c.control.Clock.Now))
		return nil
	})
	var end *control.TimeError
	if errors.As(err, &end) || pool.Unavailable(err) {
		return longestWait, false, nil
	}
	return wait, more, err
}

// Reach moves a real clock to where it is when the wall clock reads the time given, as Run does, and returns how long
// nothing is due. The first call sets the reading that the clock is followed from. It is for a caller that stands for
// the wall clock, in place of Run and Follow. Errors: ErrManualClock, or why no block can be made.
func (t *Timeline) Reach(ctx context.Context, read time.Time) (wait time.Duration, err error) {
	if !t.cfg.Real {
		return 0, ErrManualClock
	}
	lead := t.lead()
	lead.meet(read, 0)
	return lead.pass(ctx, read)
}
