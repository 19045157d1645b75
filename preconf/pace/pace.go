// Package pace says when a clock that follows the wall clock is to be moved: when somebody asks, and by a timer while
// somebody waits for what happens. It is for package preconf.
package pace

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Longest is how long the wall clock is left unread at most, by those who wait for what happens.
const Longest = 200 * time.Millisecond

// Pace lets a clock follow the wall clock, which Wall reads. The runtime keeps the timers of all of them in one place,
// so that many clocks cost no goroutine each. It is safe for concurrent use.
type Pace[C interface{ CatchUpNow(context.Context) }] struct {
	Wall     func() time.Time
	Catching sync.Mutex // held while somebody who asked moves the clock: all others who ask wait for the same

	next atomic.Int64 // by the wall, in Unix nanoseconds: when the clock is to be moved; 0 while none follows

	mu       sync.Mutex
	clock    C
	ctx      context.Context // of what the clock makes; nil while none follows
	failed   func(error)
	watchers int            // who wait for what happens
	timer    *time.Timer    // nil before the first watcher of a clock that follows
	moving   sync.WaitGroup // calls of tick
}

// Begin lets a clock follow, in ctx, until End, which returns failed.
func (p *Pace[C]) Begin(ctx context.Context, clock C, failed func(error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clock, p.ctx, p.failed = clock, ctx, failed
	p.next.Store(1) // long ago
	p.arm()
}

// Watch counts n more watchers.
func (p *Pace[C]) Watch(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watchers += n
	p.arm()
}

// arm starts the timer if there is somebody to tick for, else it stops it; the caller holds mu.
func (p *Pace[C]) arm() {
	ticks := p.ctx != nil && p.watchers > 0
	wait := min(time.Unix(0, p.next.Load()).Sub(p.Wall()), Longest) // more: the wall clock was set back
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
func (p *Pace[C]) tick() {
	p.mu.Lock()
	clock, ctx := p.clock, p.ctx
	if ctx == nil || p.watchers == 0 {
		p.mu.Unlock()
		return
	}
	p.moving.Add(1)
	defer p.moving.Done()
	p.mu.Unlock()
	clock.CatchUpNow(ctx)
}

// Due reports whether the clock is to be moved. It also is when the wall clock was set back.
func (p *Pace[C]) Due() bool {
	next := p.next.Load()
	if next == 0 {
		return false
	}
	now := p.Wall().UnixNano()
	return now >= next || now < next-int64(Longest)
}

// Following returns the clock that follows, and whether one does.
func (p *Pace[C]) Following() (clock C, follows bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.clock, p.ctx != nil
}

// Moved notes when the clock is to be moved next.
func (p *Pace[C]) Moved(next time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx != nil {
		p.next.Store(next.UnixNano())
		p.arm()
	}
}

// End stops the timer for good and returns to whom a failure goes.
func (p *Pace[C]) End() (failed func(error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var none C
	failed = p.failed
	p.clock, p.ctx, p.failed = none, nil, nil
	p.next.Store(0)
	p.arm()
	return failed
}

// Wait waits for the timer's work.
func (p *Pace[C]) Wait() { p.moving.Wait() }
