package preconf

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// pace lets the clock of a timeline follow the wall clock. The clock is moved when somebody asks (CatchUp), and by a
// timer while somebody waits for what happens: a Feed that is open, a Wait or a Run. The runtime keeps the timers of
// all timelines in one place, so that many timelines cost no goroutine each.
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
	wait := min(time.Unix(0, p.next.Load()).Sub(p.wall()), LongestWait) // more: the wall clock was set back
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

	p.move(ctx, t)
}

// move moves the clock of t, which follows, to where the wall clock is, and the timer to when something is due next.
func (p *pace) move(ctx context.Context, t *Timeline) {
	t.keepUp(ctx, true)

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
	return now >= next || now < next-int64(LongestWait)
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
