package stream

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// client is the subscriptions of one connection. They are told of events in order, whatever others have been told.
type client struct {
	connection    uint64 // its number
	subscriptions int    // how many have been added and not ended; guarded by the hub
	news          *news  // of the hub

	mu        sync.Mutex    // held while they are told of one event
	feed      *preconf.Feed // closed with the client
	listeners []*listener   // in the order in which they came
}

// listener is a subscription and what it reports.
type listener struct {
	sub  *jsonrpc.Subscription
	send Items
}

// Items returns what a subscription sends for an event, nothing for most events.
type Items func(*Announcement) []json.RawMessage

// join lets the listener hear what happens from now on.
func (c *client) join(l *listener) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.tellNext() {
	}
	c.listeners = append(c.listeners, l)
}

func (c *client) leave(l *listener) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.listeners, l); i >= 0 {
		c.listeners = slices.Delete(c.listeners, i, i+1)
	}
}

// tell tells the listeners of all events so far, up to the one of that number.
func (c *client) tell(last uint64) {
	for goesOn := true; goesOn; {
		c.mu.Lock()
		goesOn = c.feed.Passed() < last && c.tellNext()
		c.mu.Unlock()
	}
}

// tellNext tells the listeners of the next event and reports whether there was one. The caller holds mu.
func (c *client) tellNext() bool {
	event, err := c.feed.Poll()
	switch {
	case err != nil:
		for _, l := range c.listeners {
			l.sub.TooSlow(err.Error())
		}
		c.listeners = nil
		return false
	case event == nil:
		return false
	}
	a := c.news.of(event, c.feed.Passed())
	for _, l := range c.listeners {
		if items := l.send(a); len(items) > 0 {
			l.sub.Notify(a.news, items...)
		}
	}
	return true
}
