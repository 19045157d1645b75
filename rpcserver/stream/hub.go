package stream

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Hub reads the events of one network and hands them, encoded once for all, to the subscriptions. It has a feed
// and one goroutine while there are subscriptions, and neither without. It never waits for a client. Once Timeline,
// Profile and Running are set, it is safe for concurrent use.
type Hub struct {
	// Timeline is the network's.
	Timeline *preconf.Timeline
	// Profile is the form of what is sent.
	Profile shape.Profile
	// Running counts the goroutine.
	Running *sync.WaitGroup

	mu        sync.Mutex
	feed      *preconf.Feed // nil without subscriptions
	done      chan struct{} // closed with the feed
	listeners []*listener   // in the order they subscribed
}

// listener is a subscription and what it reports.
type listener struct {
	sub  *jsonrpc.Subscription
	send Items
}

// Items returns what a subscription sends for an event, nothing for most events.
type Items func(*Announcement) []json.RawMessage

// Add sends sub the items of what happens from now on. The function it returns ends that.
func (h *Hub) Add(sub *jsonrpc.Subscription, send Items) (stop func()) {
	l := &listener{sub, send}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.feed == nil {
		feed, done := h.Timeline.Subscribe(), make(chan struct{})
		h.feed, h.done = feed, done
		h.Running.Go(func() { h.run(feed, done) })
	}
	h.drain() // what happened before is not for l
	h.listeners = append(h.listeners, l)
	return func() { h.remove(l) }
}

func (h *Hub) remove(l *listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := slices.Index(h.listeners, l); i >= 0 {
		h.listeners = slices.Delete(h.listeners, i, i+1)
	}
	if len(h.listeners) == 0 {
		h.end()
	}
}

// end closes the feed; the caller holds mu.
func (h *Hub) end() {
	if h.feed != nil {
		h.feed.Close()
		close(h.done)
		h.feed, h.listeners = nil, nil
	}
}

// run hands on events as they happen, until the feed ends.
func (h *Hub) run(feed *preconf.Feed, done chan struct{}) {
	for {
		h.mu.Lock()
		if h.feed != feed {
			h.mu.Unlock()
			return
		}
		h.drain()
		ready := feed.Ready()
		h.mu.Unlock()
		select {
		case <-ready:
		case <-done:
		}
	}
}

// CatchUp hands on all that has happened so far. A connection does so before it answers: what a request
// caused is announced before its answer, on every run in the same order.
func (h *Hub) CatchUp() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drain()
}

// drain is CatchUp; the caller holds mu.
func (h *Hub) drain() {
	for h.feed != nil {
		event, err := h.feed.Poll()
		if err != nil {
			for _, l := range h.listeners {
				l.sub.TooSlow(err.Error())
			}
			h.end()
			return
		}
		if event == nil {
			return
		}
		news := Announcement{Event: event, profile: h.Profile, news: new(jsonrpc.News)}
		for _, l := range h.listeners {
			if items := l.send(&news); len(items) > 0 {
				l.sub.Notify(news.news, items...)
			}
		}
	}
}

// Announcement is an event on its way to the subscriptions, with the encodings that one of them has asked for.
type Announcement struct {
	*preconf.Event
	profile   shape.Profile
	encodings [encodings][]json.RawMessage // nil where nobody has asked
	news      *jsonrpc.News                // all of them: kept once for all subscriptions
}

// encoded returns the event's items in an encoding, which is made the first time it is asked for.
func (a *Announcement) encoded(as encoding, encode func() []json.RawMessage) []json.RawMessage {
	if a.encodings[as] == nil {
		a.encodings[as] = encode()
		a.news.Add(a.encodings[as])
	}
	return a.encodings[as]
}
