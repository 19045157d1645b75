package stream

import (
	"encoding/json"
	"maps"
	"sync"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Announcement is an event for the subscriptions, with the encodings made so far. Safe for concurrent use.
type Announcement struct {
	*preconf.Event
	profile shape.Profile
	news    *jsonrpc.News // all encodings: kept once for all subscriptions

	mu sync.Mutex // held while an encoding is made
	// The encodings, nil until one is needed.
	logs, head, flashblock, hashes, transactions, allReceipts []json.RawMessage
}

// encoded returns the event's items in an encoding, which is made on first use.
func (a *Announcement) encoded(as *[]json.RawMessage, encode func() []json.RawMessage) []json.RawMessage {
	a.mu.Lock()
	defer a.mu.Unlock()
	if *as == nil {
		*as = encode()
		a.news.Add(*as)
	}
	return *as
}

// news holds the announcements that some clients have been notified of and others not yet. Safe for concurrent use.
type news struct {
	profile shape.Profile

	mu            sync.Mutex
	told          uint64 // the number of the last event that all clients have been notified of
	announcements map[uint64]*Announcement
}

// shared is the number of events by which a client may be ahead of the others while its encodings are kept for them. It
// bounds memory.
const shared = 64

// of returns the announcement of the event with a number.
func (n *news) of(event *preconf.Event, number uint64) *Announcement {
	n.mu.Lock()
	defer n.mu.Unlock()
	a := n.announcements[number]
	if a == nil {
		a = &Announcement{Event: event, profile: n.profile, news: new(jsonrpc.News)}
		if number > n.told && number-n.told <= shared {
			n.announcements[number] = a
		}
	}
	return a
}

// forget is called when all clients have been notified of the event with that number.
func (n *news) forget(last uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.told = last
	maps.DeleteFunc(n.announcements, func(number uint64, _ *Announcement) bool { return number <= last })
}
