package rpcserver

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// streamHub reads the events of one network and hands them, encoded once for all, to the subscriptions. It has a feed
// and one goroutine while there are subscriptions, and neither without. It never waits for a client. Safe for
// concurrent use.
type streamHub struct {
	timeline *preconf.Timeline
	profile  shape.Profile
	running  *sync.WaitGroup // counts the goroutine

	mu        sync.Mutex
	feed      *preconf.Feed // nil without subscriptions
	done      chan struct{} // closed with the feed
	listeners []*listener   // in the order they subscribed
}

// listener is a subscription and what it reports.
type listener struct {
	sub  *jsonrpc.Subscription
	send stream
}

// add lets l hear what happens from now on. The function it returns ends that.
func (h *streamHub) add(l *listener) (stop func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.feed == nil {
		feed, done := h.timeline.Subscribe(), make(chan struct{})
		h.feed, h.done = feed, done
		h.running.Go(func() { h.run(feed, done) })
	}
	h.drain() // what happened before is not for l
	h.listeners = append(h.listeners, l)
	return func() { h.remove(l) }
}

func (h *streamHub) remove(l *listener) {
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
func (h *streamHub) end() {
	if h.feed != nil {
		h.feed.Close()
		close(h.done)
		h.feed, h.listeners = nil, nil
	}
}

// run hands on events as they happen, until the feed ends.
func (h *streamHub) run(feed *preconf.Feed, done chan struct{}) {
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

// catchUp hands on all that has happened so far. A connection does so before it answers: what a request
// caused is announced before its answer, on every run in the same order.
func (h *streamHub) catchUp() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drain()
}

// drain is catchUp; the caller holds mu.
func (h *streamHub) drain() {
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
		news := announcement{Event: event, profile: h.profile, news: new(jsonrpc.News)}
		for _, l := range h.listeners {
			if items := l.send(&news); len(items) > 0 {
				l.sub.Notify(news.news, items...)
			}
		}
	}
}

// announcement is an event on its way to the subscriptions, with the encodings that one of them has asked for.
type announcement struct {
	*preconf.Event
	profile   shape.Profile
	encodings [encodings][]json.RawMessage // nil where nobody has asked
	news      *jsonrpc.News                // all of them: kept once for all subscriptions
}

// encoded returns the event's items in an encoding, which is made the first time it is asked for.
func (a *announcement) encoded(as encoding, encode func() []json.RawMessage) []json.RawMessage {
	if a.encodings[as] == nil {
		a.encodings[as] = encode()
		a.news.Add(a.encodings[as])
	}
	return a.encodings[as]
}
