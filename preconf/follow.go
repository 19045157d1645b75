package preconf

import (
	"context"
	"errors"
	"time"

	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pace"
	"github.com/fakenode/fakenode/preconf/pool"
)

// maxIdleSteps is how many flashblocks and blocks are made up for when a clock that follows has stood still.
const maxIdleSteps = 500_000

// Follow lets the clock follow the wall clock from now on, but moves it only as far as anybody can see: when CatchUp is
// called, and by a timer while a Feed is open, a Waiter waits, or somebody attends. In Interval mode flashblocks and
// blocks are made on the way; otherwise the clock moves, and in Instant mode ends holds. It moves by what has passed on
// the wall, so it does not drift. A timeline made by Copy goes on from where the other's clock was at its copying, not
// from now. The clock stands still for delay first: timelines with different delays do not all have their flashblocks
// at the same moment. Following ends with Rest; the end of ctx only interrupts what is being made. Where no further
// block can be made the clock stands still and failed is called once with the reason. On a Timeline below another it
// does nothing: the other's clock is its own. Error: ErrManualClock.
func (t *Timeline) Follow(ctx context.Context, delay time.Duration, failed func(error)) error {
	if !t.cfg.Real {
		return ErrManualClock
	}
	if t.above != nil {
		return nil
	}
	t.turn.Lock()
	t.followFrom(t.pace.Wall(), delay)
	t.turn.Unlock()
	t.pace.Begin(ctx, t, failed)
	return nil
}

// Rest ends what Follow began. It waits for the timer's work.
func (t *Timeline) Rest() {
	if t.above != nil {
		return
	}
	t.pace.End()
	t.pace.Wait()
	t.turn.Lock()
	defer t.turn.Unlock()
	t.followed = time.Time{} // what passes on the wall from now on does not count
}

// CatchUp moves the clock to where the wall clock is, and makes what is due on the way, if Follow is in force and
// anything can be due: at most every 200 ms. It does not wait for other writers; while one is at work the clock is as
// it was when that one began. Where much is due, others come in between. At the end of ctx it stops where it is. What
// half a million flashblocks and blocks would not reach (a day, by the default times) is skipped: the clock is set
// forward first, as by IncreaseTime.
func (t *Timeline) CatchUp(ctx context.Context) {
	if !t.pace.Due() {
		return
	}
	t.pace.Catching.Lock()
	defer t.pace.Catching.Unlock()
	if following, ok := t.pace.Following(); ok && t.pace.Due() && following.turn.TryLock() {
		defer following.turn.Unlock()
		following.keepUp(ctx, func() { // who gets the turn in between may ask, too
			t.pace.Catching.Unlock()
			following.turn.lend()
			t.pace.Catching.Lock()
		})
	}
}

// Attend lets the clock that follows the wall clock go all the time, as while a Feed is open, until leave is called.
func (t *Timeline) Attend() (leave func()) {
	t.pace.Watch(1)
	return func() { t.pace.Watch(-1) }
}

// CatchUpNow is CatchUp however little has passed, after other writers. It belongs before and after a change of what is
// due by the clock: what has passed counts by the old settings, and the timer ends by the new ones.
func (t *Timeline) CatchUpNow(ctx context.Context) {
	if following, ok := t.pace.Following(); ok {
		following.turn.Lock()
		defer following.turn.Unlock()
		following.keepUp(ctx, following.turn.lend)
	}
}

// Reach moves a real clock to where it is when the wall clock reads the time given, makes all that is due on the way,
// and returns how long nothing is due. The first call sets the reading that the clock is followed from. It is for a
// caller that stands for the wall clock, in place of Follow. Errors: ErrManualClock, or why no block can be
// made.
func (t *Timeline) Reach(ctx context.Context, read time.Time) (wait time.Duration, err error) {
	if !t.cfg.Real {
		return 0, ErrManualClock
	}
	owner := t.owner()
	owner.turn.Lock()
	defer owner.turn.Unlock()
	owner.followFrom(read, 0)
	return owner.reach(ctx, read.Round(0), false, owner.turn.lend)
}

// Ahead returns how far the clock is ahead of the wall clock that it follows; ok is false where it follows none.
func (t *Timeline) Ahead() (d time.Duration, ok bool) {
	t = t.owner()
	t.turn.Lock()
	defer t.turn.Unlock()
	return t.Moment().Now().Sub(t.followed), !t.followed.IsZero()
}

// followFrom notes where the wall clock is from now on followed from, unless it is followed already, and that the clock
// begins to move by delay later. The caller has the turn.
func (t *Timeline) followFrom(read time.Time, delay time.Duration) {
	if t.followed.IsZero() {
		// Round strips the monotonic clock: a computer that slept must catch up.
		t.followed = read.Round(0)
	}
	t.followed, t.delay = t.followed.Add(delay), delay
}

// keepUp moves the clock of a timeline that follows to where the wall clock is. Where no further block can be made,
// following ends. The caller has the turn, which lend lets others have in between.
func (t *Timeline) keepUp(ctx context.Context, lend func()) {
	read := t.pace.Wall().Round(0)
	wait, err := t.reach(ctx, read, true, lend)
	switch {
	case err == nil:
		t.pace.Moved(read.Add(wait))
	case ctx.Err() == nil:
		t.followed = time.Time{}
		if failed := t.pace.End(); failed != nil { // else somebody else ended it
			failed(err)
		}
	}
}

// reach moves the clock by what has passed on the wall up to a reading of it, and returns how long nothing is due. At
// LatestTime the clock stands still. With skips what is too much is skipped. The caller has the turn; where much is
// due, lend lets other writers have it in between.
func (t *Timeline) reach(ctx context.Context, read time.Time, skips bool, lend func()) (wait time.Duration, err error) {
	for {
		more := false
		err := t.changeNow(func(c *change) (err error) {
			c.following = true
			wait, more, err = c.follow(ctx, read, skips)
			return err
		})
		switch {
		case errors.As(err, new(*control.TimeError)) || pool.Unavailable(err):
			return pace.Longest, nil
		case !more || err != nil:
			return wait, err
		}
		if lend(); t.followed.After(read) { // somebody else has moved it further
			return 0, nil
		}
	}
}

// follow is reach until others are to get the turn, and reports whether there is more to do.
func (c *change) follow(ctx context.Context, read time.Time, skips bool) (wait time.Duration, more bool, err error) {
	t := c.timeline
	early := t.followed.Sub(read)
	switch {
	case t.followed.IsZero(), t.clockStops > 0: // somebody has ended it, or a session stops the clock
		return pace.Longest, false, nil
	case 0 < early && early <= t.delay: // more: the wall clock was set back
		return early, false, nil
	}
	until, err := c.control.Clock.After(max(-early, 0))
	switch {
	case err != nil:
		t.followed = read
		return 0, false, err
	case c.control.Settings.Mode != control.Interval:
		err := c.endHolds(until)
		c.control.Clock.Now, t.followed = until, read
		return pace.Longest, false, err
	}
	before := c.control.Clock.Now
	if first := until - int64(c.idleReach()); skips && before < first {
		c.jump(first)
		if err := c.remake(); err != nil {
			return 0, false, err
		}
	}
	if more, err = c.advance(ctx, until, beginTurn()); more || err != nil {
		t.followed = t.followed.Add(time.Duration(t.Moment().control.Clock.Now - before)) // by what was made before
		return 0, more, err
	}
	t.followed = read
	block := c.blockDue()
	due := min(c.belowDue(), block, c.flashblockDue(block))
	return min(pace.Longest, time.Duration(due-until)), false, nil
}

// idleReach returns the time in which maxIdleSteps flashblocks and blocks are due.
func (w *world) idleReach() time.Duration {
	steps := 1 / float64(w.control.Distance(w.head()))
	if every := w.tickTime(); every > 0 {
		steps += 1 / float64(every)
	}
	return time.Duration(maxIdleSteps / steps)
}
