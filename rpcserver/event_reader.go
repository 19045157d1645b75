package rpcserver

import (
	"slices"
	"sync"

	"github.com/fakenode/fakenode/preconf"
)

// eventReader hands the timeline's events to the subscriptions of one connection, in order. It has a feed
// and one goroutine while there are subscriptions, and neither without. The zero value is ready. Safe for
// concurrent use.
type eventReader struct {
	mu        sync.Mutex
	feed      *preconf.Feed // nil without subscriptions
	done      chan struct{} // closed with the feed
	listeners []*listener   // in the order they subscribed
}

// listener is a subscription and what it reports.
type listener struct {
	sub  *subscription
	send stream
}

// add lets l hear what happens from now on. The function it returns ends that.
func (e *eventReader) add(c *connection, timeline *preconf.Timeline, l *listener) (stop func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.feed == nil {
		e.feed, e.done = timeline.Subscribe(), make(chan struct{})
		c.server.running.Add(1) // cannot race with Close: the request's own share is still held
		go func(feed *preconf.Feed, done chan struct{}) {
			defer c.server.running.Done()
			e.run(c, feed, done)
		}(e.feed, e.done)
	}
	e.drain(c) // what happened before is not for l
	e.listeners = append(e.listeners, l)
	return func() { e.remove(l) }
}

func (e *eventReader) remove(l *listener) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if i := slices.Index(e.listeners, l); i >= 0 {
		e.listeners = slices.Delete(e.listeners, i, i+1)
	}
	if len(e.listeners) == 0 {
		e.end()
	}
}

// end closes the feed; the caller holds mu.
func (e *eventReader) end() {
	if e.feed != nil {
		e.feed.Close()
		close(e.done)
		e.feed, e.listeners = nil, nil
	}
}

// run hands on events as they happen, until the feed ends.
func (e *eventReader) run(c *connection, feed *preconf.Feed, done chan struct{}) {
	for {
		e.mu.Lock()
		if e.feed != feed {
			e.mu.Unlock()
			return
		}
		e.drain(c)
		ready := feed.Ready()
		e.mu.Unlock()
		select {
		case <-ready:
		case <-done:
		}
	}
}

// catchUp hands on all that has happened so far. A connection does so before it answers: what a request
// caused is announced before its answer, on every run in the same order.
func (e *eventReader) catchUp(c *connection) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.drain(c)
}

// drain is catchUp; the caller holds mu. It never waits for the client: a connection that does not read is
// closed by notify.
func (e *eventReader) drain(c *connection) {
	for e.feed != nil {
		event, err := e.feed.Poll()
		if err != nil {
			c.shutSlow(err.Error())
			e.end()
			return
		}
		if event == nil {
			return
		}
		for _, l := range e.listeners {
			if items := l.send(event); len(items) > 0 {
				l.sub.notify(items...)
			}
		}
	}
}

// shutSlow closes a connection whose subscriptions fell behind, with the reason.
func (c *connection) shutSlow(reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.linger = true
	c.shutLocked(closeTryAgainLater, "too slow: "+reason, lastReadWait)
}
