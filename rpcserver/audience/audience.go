// Package audience hands the events of a preconf.Timeline to those who listen: one goroutine reads them for all, while
// there is anybody. It knows neither what an event becomes on the wire nor who hears it.
package audience

import (
	"slices"
	"sync"

	"github.com/fakenode/fakenode/preconf"
)

// Stage opens the feed of an Audience and delivers its events to the listeners. Its methods are called one at a time,
// must not wait for a listener, and may call no method of the Audience but End.
type Stage[L any] interface {
	// Open returns a feed of the events from now on. It is called when the first listener comes.
	Open() *preconf.Feed
	// Tell delivers an event to the listeners, in the order in which they came.
	Tell(event *preconf.Event, listeners []L)
	// TooSlow reports to a listener that events were lost, and why; the listener receives no more.
	TooSlow(listener L, reason string)
}

// Audience is the listeners of one timeline. It has a preconf.Feed and a goroutine while there are any, and neither
// without. Stage and Running must be set. Safe for concurrent use.
type Audience[L comparable] struct {
	// Stage delivers events to the listeners.
	Stage Stage[L]
	// Running counts the goroutine.
	Running *sync.WaitGroup

	mu        sync.Mutex
	feed      *preconf.Feed // nil without listeners
	done      chan struct{} // closed with feed
	listeners []L           // in the order in which they came
}

// Join lets the listener hear what happens from now on. It calls begin before, when all that happened before has been
// told. The function it returns ends that.
func (a *Audience[L]) Join(listener L, begin func()) (leave func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.feed == nil {
		feed, done := a.Stage.Open(), make(chan struct{})
		a.feed, a.done = feed, done
		a.Running.Go(func() { a.run(feed, done) })
	}
	a.tell()
	begin()
	a.listeners = append(a.listeners, listener)
	return func() { a.leave(listener) }
}

func (a *Audience[L]) leave(listener L) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := slices.Index(a.listeners, listener); i >= 0 {
		a.listeners = slices.Delete(a.listeners, i, i+1)
	}
	if len(a.listeners) == 0 {
		a.End()
	}
}

// End sends all listeners away. Only the Stage may call it, while it is being called.
func (a *Audience[L]) End() {
	if a.feed != nil {
		a.feed.Close()
		close(a.done)
		a.feed, a.listeners = nil, nil
	}
}

// CatchUp delivers all events so far.
func (a *Audience[L]) CatchUp() { a.Do(func([]L) {}) }

// Do calls f with the listeners when all events so far are delivered. No other event is delivered meanwhile.
func (a *Audience[L]) Do(f func(listeners []L)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tell()
	f(a.listeners)
}

// run delivers events as they happen, until nobody listens.
func (a *Audience[L]) run(feed *preconf.Feed, done chan struct{}) {
	for {
		a.mu.Lock()
		if a.feed != feed {
			a.mu.Unlock()
			return
		}
		a.tell()
		ready := feed.Ready()
		a.mu.Unlock()
		select {
		case <-ready:
		case <-done:
		}
	}
}

// tell does what CatchUp does; the caller holds mu.
func (a *Audience[L]) tell() {
	for a.feed != nil {
		event, err := a.feed.Poll()
		switch {
		case err != nil:
			for _, listener := range a.listeners {
				a.Stage.TooSlow(listener, err.Error())
			}
			a.End()
		case event == nil:
			return
		default:
			a.Stage.Tell(event, a.listeners)
		}
	}
}
