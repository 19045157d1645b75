package stream

import (
	"encoding/json"
	"sync"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/audience"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Hub hands the events of one network, encoded once for all, to the subscriptions. It has a preconf.Feed and a
// goroutine while there are subscriptions, and neither without. It never waits for a client. Safe for concurrent use.
type Hub struct {
	timeline *preconf.Timeline
	profile  shape.Profile
	audience audience.Audience[*listener]
}

// listener is a subscription and what it reports.
type listener struct {
	sub  *jsonrpc.Subscription
	send Items
}

// Items returns what a subscription sends for an event, nothing for most events.
type Items func(*Announcement) []json.RawMessage

// NewHub returns the Hub of a network's timeline, which sends everything in the form of the profile. Running counts its
// goroutine.
func NewHub(timeline *preconf.Timeline, profile shape.Profile, running *sync.WaitGroup) *Hub {
	h := &Hub{timeline: timeline, profile: profile}
	h.audience = audience.Audience[*listener]{Stage: stage{h}, Running: running}
	return h
}

// Add sends sub the items of what happens from now on. The function it returns ends that.
func (h *Hub) Add(sub *jsonrpc.Subscription, send Items) (stop func()) {
	return h.audience.Join(&listener{sub, send}, func() {})
}

// CatchUp sends all that has happened so far. A connection does so before it answers: what a request caused is
// announced before its answer, on every run in the same order.
func (h *Hub) CatchUp() { h.audience.CatchUp() }

// stage implements audience.Stage.
type stage struct{ *Hub }

func (s stage) Open() *preconf.Feed { return s.timeline.Subscribe() }

func (s stage) Tell(event *preconf.Event, listeners []*listener) {
	news := Announcement{Event: event, profile: s.profile, news: new(jsonrpc.News)}
	for _, l := range listeners {
		if items := l.send(&news); len(items) > 0 {
			l.sub.Notify(news.news, items...)
		}
	}
}

func (stage) TooSlow(l *listener, reason string) { l.sub.TooSlow(reason) }
