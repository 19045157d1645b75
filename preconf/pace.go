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
	watchers int            // who wait for what happens
	timer    *time.Timer    // nil before the first watcher of a clock that follows
	moving   sync.WaitGroup // calls of tick
}

// watch counts n more watchers.
func (p *pace) watch(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watchers += n
	p.arm()
}

// arm starts the timer if there is somebody to tick for, else it stops it; the caller holds mu.
func (p *pace) arm() {
	ticks := p.timeline != nil && p.watchers > 0
	wait := min(time.Unix(0, p.next.Load()).Sub(p.wall()), LongestWait) // more: the wall clock was set back
	switch {
	case ticks && p.timer == nil:
		p.timer = time.AfterFunc(wait, p.tick)
	case ticks:
		p.timer.Reset(wait)
	case p.timer != nil:
		p.timer.Stop()
	}
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
	t.CatchUpNow(ctx)
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
		p.arm()
	}
}

// end stops the timer for good and returns to whom a failure goes.
func (p *pace) end() (failed func(error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	failed = p.failed
	p.timeline, p.ctx, p.failed = nil, nil, nil
	p.next.Store(0)
	p.arm()
	return failed
}
