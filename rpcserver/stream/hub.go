package stream

import (
	"encoding/json"
	"math"
	"slices"
	"sync"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Hub sends the events of one network, encoded once for all, to the subscriptions. Its goroutine notifies the
// connections of one event after another; a connection that catches up goes ahead of it and waits for no other. Feeds
// and goroutine exist only while there are subscriptions. Where a tap sees the messages there is no goroutine: the
// tap says when connections catch up, so that a recording has events at times that can be had again. It never waits
// for a client. Safe for concurrent use.
type Hub struct {
	timeline *preconf.Timeline
	lag      preconf.Lag     // of the clients
	running  *sync.WaitGroup // nil: there is no goroutine
	news     news

	turn sync.Mutex // held while all are notified of one event; taken before mu and before a client's

	mu           sync.Mutex
	feed         *preconf.Feed // nil without clients; read only by the holder of turn
	done         chan struct{} // closed with feed
	clients      []*client     // in the order in which they joined; replaced, never changed
	byConnection map[uint64]*client
}

// NewHub returns the Hub of a network's timeline, which sends receipts with these members, to clients of a
// replica once that has seen it; zero: none. Running counts its goroutine; nil: there is none, and connections are
// notified by CatchUp alone.
func NewHub(timeline *preconf.Timeline, members shape.ReceiptMembers, replica int, running *sync.WaitGroup) *Hub {
	return &Hub{timeline: timeline, lag: preconf.Lag{Replica: replica}, running: running, news: news{members: members, announcements: make(map[uint64]*Announcement)}, byConnection: make(map[uint64]*client)}
}

// Add sends sub the items of events from now on. The function it returns ends that.
func (h *Hub) Add(sub *jsonrpc.Subscription, send Items) (stop func()) {
	c, l := h.enter(sub.Connection()), &listener{sub, send}
	c.join(l)
	return func() {
		c.leave(l)
		h.exit(c)
	}
}

// CatchUp sends all events so far: to the connection of that number, ahead of others, or to jsonrpc.AllConnections, one
// event after another. A connection does so before it answers, so the events that a request caused come before its
// answer, in the same order on every run.
func (h *Hub) CatchUp(connection uint64) {
	if connection == jsonrpc.AllConnections {
		for h.tellAll() {
		}
		return
	}
	h.mu.Lock()
	c := h.byConnection[connection]
	h.mu.Unlock()
	if c != nil {
		c.tell(h.seen())
	}
}

// enter returns the client of a connection, and counts one more subscription.
func (h *Hub) enter(connection uint64) *client {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.feed == nil {
		done := make(chan struct{})
		h.done = done
		h.feed, _ = h.timeline.SubscribeAs(preconf.Reader{Lag: h.lag})
		h.news.forget(h.feed.Passed())
		if h.running != nil {
			h.running.Go(func() { h.run(done) })
		}
	}
	c := h.byConnection[connection]
	if c == nil {
		feed, _ := h.timeline.SubscribeAs(preconf.Reader{Lag: h.lag, Idle: true})
		c = &client{connection: connection, news: &h.news, feed: feed, seen: h.seen}
		h.byConnection[connection] = c
		h.clients = append(slices.Clip(h.clients), c)
	}
	c.subscriptions++
	return c
}

// exit is called when a subscription of the client has ended.
func (h *Hub) exit(c *client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c.subscriptions--; c.subscriptions > 0 {
		return
	}
	c.feed.Close()
	delete(h.byConnection, c.connection)
	h.clients = slices.DeleteFunc(slices.Clone(h.clients), func(other *client) bool { return other == c })
	if len(h.clients) == 0 {
		h.feed.Close()
		close(h.done)
		h.feed = nil
		h.news.forget(math.MaxUint64)
	}
}

// seen returns the number of the last event that clients may be notified of.
func (h *Hub) seen() uint64 { return h.timeline.LastEvent(h.lag.Replica) }

// run notifies all clients of events as they happen, until there are no clients.
func (h *Hub) run(done chan struct{}) {
	for {
		var changed <-chan struct{} // a replica may see more then
		if h.lag.Replica > 0 {
			changed = h.timeline.Changed()
		}
		for h.tellAll() {
		}
		select {
		case <-h.ready():
		case <-changed:
		case <-done:
			return
		}
	}
}

// ready returns a channel that is closed when tellAll has an event to send, nil if clients have seen all they may.
func (h *Hub) ready() <-chan struct{} {
	h.turn.Lock()
	defer h.turn.Unlock()
	if feed, _ := h.now(); feed != nil && feed.Passed() < h.seen() {
		return feed.Ready()
	}
	return nil
}

// tellAll notifies all clients of the next event and reports whether there was one.
func (h *Hub) tellAll() bool {
	h.turn.Lock()
	defer h.turn.Unlock()
	feed, clients := h.now()
	if feed == nil || feed.Passed() >= h.seen() {
		return false
	}
	switch event, err := feed.Poll(); {
	case err != nil:
		if feed = h.restart(feed); feed == nil {
			return false
		}
	case event == nil:
		return false
	}
	last := feed.Passed()
	for _, c := range clients {
		c.tell(last)
	}
	h.news.forget(last)
	return true
}

func (h *Hub) now() (*preconf.Feed, []*client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.feed, h.clients
}

// restart replaces a feed that has lost events, and returns the new one, or nil if the feed was closed. A client that
// was behind has lost them as well, which its own feed reports.
func (h *Hub) restart(feed *preconf.Feed) *preconf.Feed {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.feed != feed {
		return nil
	}
	feed.Close()
	h.feed, _ = h.timeline.SubscribeAs(preconf.Reader{Lag: h.lag})
	return h.feed
}

// client holds the subscriptions of one connection. It notifies them of events in order, independent of other clients.
type client struct {
	connection    uint64 // its number
	subscriptions int    // how many have been added and not ended; guarded by the hub
	news          *news  // of the hub
	seen          func() uint64

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
	for seen := c.seen(); c.feed.Passed() < seen && c.tellNext(); {
	}
	c.listeners = append(c.listeners, l)
}

func (c *client) leave(l *listener) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners = slices.DeleteFunc(c.listeners, func(other *listener) bool { return other == l })
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
