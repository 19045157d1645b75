package flashblocks

import (
	"slices"
	"sync"

	"github.com/fakenode/fakenode/preconf"
)

// audience holds the readers of a Feed. It sends them the events of the timeline, with a preconf.Feed and a goroutine
// only while there are readers. Safe for concurrent use.
type audience struct {
	feed *Feed

	mu      sync.Mutex
	events  *preconf.Feed // nil without readers
	done    chan struct{} // closed with events
	readers []*reader     // in the order in which they joined
}

// join adds the reader, which gets later events. Before, when all earlier events are delivered, it calls begin. The
// function it returns ends that.
func (a *audience) join(r *reader, begin func()) (leave func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.events == nil {
		events, done := a.feed.open(), make(chan struct{})
		a.events, a.done = events, done
		a.feed.config.Running.Go(func() { a.run(events, done) })
	}
	a.tell()
	begin()
	a.readers = append(a.readers, r)
	return func() { a.leave(r) }
}

func (a *audience) leave(r *reader) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := slices.Index(a.readers, r); i >= 0 {
		a.readers = slices.Delete(a.readers, i, i+1)
	}
	if len(a.readers) == 0 {
		a.end()
	}
}

// end removes all readers; the caller holds mu.
func (a *audience) end() {
	if a.events != nil {
		a.events.Close()
		close(a.done)
		a.events, a.readers = nil, nil
	}
}

// do calls f with the readers once all events so far are delivered. No other event is delivered meanwhile.
func (a *audience) do(f func(readers []*reader)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tell()
	f(a.readers)
}

// run delivers events as they happen, until there are no readers.
func (a *audience) run(events *preconf.Feed, done chan struct{}) {
	for {
		a.mu.Lock()
		if a.events != events {
			a.mu.Unlock()
			return
		}
		a.tell()
		ready := events.Ready()
		a.mu.Unlock()
		select {
		case <-ready:
		case <-done:
		}
	}
}

// tell delivers all events so far; the caller holds mu.
func (a *audience) tell() {
	for a.events != nil {
		event, err := a.events.Poll()
		switch {
		case err != nil:
			for _, r := range a.readers {
				r.sub.TooSlow(err.Error())
			}
			a.end()
		case event == nil:
			return
		case !a.feed.tell(event, a.readers):
			a.end()
		}
	}
}
