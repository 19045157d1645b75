package stream

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// client holds the subscriptions of one connection. It notifies them of events in order, independent of other clients.
type client struct {
	connection    uint64 // its number
	subscriptions int    // how many have been added and not ended; guarded by the hub
	news          *news  // of the hub

	mu        sync.Mutex    // held while they are notified of one event
	feed      *preconf.Feed // closed with the client
	listeners []*listener   // in the order in which they joined
}

// listener is a subscription and the function that makes its items.
type listener struct {
	sub  *jsonrpc.Subscription
	send Items
}

// Items returns the items that a subscription sends for an event, nil for most events.
type Items func(*Announcement) []json.RawMessage

// join adds the listener, which will be notified of later events only.
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

// tell notifies the listeners of all events up to the one with that number.
func (c *client) tell(last uint64) {
	for goesOn := true; goesOn; {
		c.mu.Lock()
		goesOn = c.feed.Passed() < last && c.tellNext()
		c.mu.Unlock()
	}
}

// tellNext notifies the listeners of the next event and reports whether there was one. The caller holds mu.
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
