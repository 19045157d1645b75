package preconf

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// pace lets the clock of a timeline follow the wall clock without a goroutine. The clock is moved when somebody asks
// (CatchUp), and by a timer while somebody waits for what happens: a Feed that is open, or a Wait. The runtime keeps
// the timers of all timelines in one place, so that many timelines cost no goroutine each.
type pace struct {
	wall     func() time.Time // the wall clock
	next     atomic.Int64     // by the wall, in Unix nanoseconds: when the clock is to be moved; 0 while it does not follow
	catching sync.Mutex       // held during CatchUp: all who ask wait for the same

	mu       sync.Mutex
	timeline *Timeline // the one that follows; nil: none does
	ctx      context.Context
	failed   func(error)
	watchers int
	timer    *time.Timer    // nil before the first watcher of a clock that follows
	moving   sync.WaitGroup // calls of tick
}

// Follow lets the clock follow the wall clock from now on, as Run does, but moves it only as far as anybody can see:
// when CatchUp is called, and by a timer while a Feed is open or a Wait waits. A timeline made by Copy goes on from
// where the other's clock was at its copying, not from now. The clock stands still for lag first: timelines with
// different lags do not all have their flashblocks at the same moment. Following ends with Rest; the end of ctx only
// interrupts what is being made. Where no further block can be made the clock stands still and failed is called once
// with the reason. On a Timeline below another it does nothing: the other's clock is its own. Error: ErrManualClock.
func (t *Timeline) Follow(ctx context.Context, lag time.Duration, failed func(error)) error {
	if !t.cfg.Real {
		return ErrManualClock
	}
	if t.above != nil {
		return nil
	}
	t.meet(t.pace.wall(), lag)
	p := t.pace
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timeline, p.ctx, p.failed = t, ctx, failed
	p.next.Store(1) // long ago
	p.arm()
	return nil
}

// Rest ends what Follow began. It waits for the timer's work.
func (t *Timeline) Rest() {
	if t.above != nil {
		return
	}
	t.pace.end()
	t.pace.moving.Wait()
	t.part()
}

// CatchUp moves the clock to where the wall clock is, and makes what is due on the way, if Follow is in force and
// anything can be due: at most every 200 ms. It does not wait for other writers; while one is at work the clock is as
// it was when that one began. Where much is due, others come in between. At the end of ctx it stops where it is. What
// half a million flashblocks and blocks would not reach (a day, by the default times) is skipped: the clock is set
// forward first, as by IncreaseTime.
func (t *Timeline) CatchUp(ctx context.Context) {
	p := t.pace
	if !p.due() {
		return
	}
	p.catching.Lock()
	defer p.catching.Unlock()
	if following := p.following(); following != nil && p.due() && following.turn.TryLock() {
		following.keepUp(ctx)
	}
}

// keepUp moves the clock of a timeline that follows to where the wall clock is. It is called with the turn, which it
// gives away.
func (t *Timeline) keepUp(ctx context.Context) {
	read := t.pace.wall().Round(0)
	wait, err := t.reach(ctx, read)
	switch {
	case err == nil:
		t.pace.moved(read.Add(wait))
	case ctx.Err() == nil:
		failed := t.pace.end()
		t.part()
		if failed != nil { // else somebody else ended it
			failed(err)
		}
	}
}

// reach moves the clock to a reading of the wall clock and returns how long nothing is due. It is called with the turn,
// which it gives away.
func (t *Timeline) reach(ctx context.Context, read time.Time) (wait time.Duration, err error) {
	if err := t.skip(read); err != nil {
		t.turn.Unlock()
		return 0, err
	}
	return t.passNow(ctx, read)
}

// maxIdleSteps is how many flashblocks and blocks are made up for when a clock that follows has stood still.
const maxIdleSteps = 500_000

// skip sets the clock forward if the wall clock is further ahead than maxIdleSteps reach. The caller has the turn.
func (t *Timeline) skip(read time.Time) error {
	excess := t.excess(read)
	if excess <= 0 {
		return nil
	}
	return t.changeNow(func(c *change) error {
		to, err := c.control.Clock.After(excess)
		if err != nil {
			return nil // the clock stands still at the end of time
		}
		before := c.control.Clock.Now
		c.jump(to)
		t.followed = t.followed.Add(time.Duration(c.control.Clock.Now - before))
		return c.remake(func(*change) error { return nil })
	})
}

// excess returns by how much more than what maxIdleSteps reach the clock is behind a reading of the wall clock. The
// caller has the turn.
func (t *Timeline) excess(read time.Time) time.Duration {
	w := &t.Moment().world
	if t.followed.IsZero() || w.control.Settings.Mode != Interval {
		return 0
	}
	steps := 1 / float64(w.control.Distance(w.head()))
	if every := w.tickTime(); every > 0 {
		steps += 1 / float64(every)
	}
	return read.Sub(t.followed) - time.Duration(maxIdleSteps/steps)
}

// watch counts somebody in who waits for what happens.
func (p *pace) watch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.watchers++; p.watchers == 1 {
		p.arm()
	}
}

// unwatch counts out whom watch counted in.
func (p *pace) unwatch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.watchers--; p.watchers == 0 && p.timer != nil {
		p.timer.Stop()
	}
}

// arm starts the timer if there is somebody to tick for; the caller holds mu.
func (p *pace) arm() {
	if p.timeline == nil || p.watchers == 0 {
		return
	}
	wait := time.Unix(0, p.next.Load()).Sub(p.wall())
	if p.timer == nil {
		p.timer = time.AfterFunc(wait, p.tick)
		return
	}
	p.timer.Reset(wait)
}

// tick is the timer's work.
func (p *pace) tick() {
	p.mu.Lock()
	t, ctx := p.timeline, p.ctx
	if t == nil || p.watchers == 0 {
		p.mu.Unlock()
		return
	}
	p.moving.Add(1)
	defer p.moving.Done()
	p.mu.Unlock()

	t.turn.Lock()
	t.keepUp(ctx)

	p.mu.Lock()
	defer p.mu.Unlock()
	p.arm()
}

// due reports whether the clock is to be moved. It also is when the wall clock was set back.
func (p *pace) due() bool {
	next := p.next.Load()
	if next == 0 {
		return false
	}
	now := p.wall().UnixNano()
	return now >= next || now < next-int64(longestWait)
}

// following returns the timeline that follows, nil if none does.
func (p *pace) following() *Timeline {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.timeline
}

// moved notes when the clock is to be moved next.
func (p *pace) moved(next time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timeline != nil {
		p.next.Store(next.UnixNano())
	}
}

// end stops the timer for good and reports to whom a failure goes.
func (p *pace) end() (failed func(error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	failed = p.failed
	p.timeline, p.ctx, p.failed = nil, nil, nil
	p.next.Store(0)
	if p.timer != nil {
		p.timer.Stop()
	}
	return failed
}
