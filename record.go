package fakenode

import (
	"slices"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
)

// Recording collects the events that subscribers of a network have received since Record. One goroutine at a time may
// use it.
type Recording struct {
	t        Tester
	feed     *preconf.Feed
	kinds    []EventKind
	events   []*Event
	expected int // how many of events Expect has compared
}

// Record records the network's events of the given kinds, or all events if none are given, until the test ends. Events
// are what subscriptions and filters are made from: FlashblockAdded for pendingLogs and newFlashblocks, HeadAdded for
// newHeads, LogsAdded and LogsRemoved for logs, TransactionPooled for newPendingTransactions.
func (n *Network) Record(t Tester, kinds ...EventKind) *Recording {
	feed := n.Timeline().Subscribe()
	t.Cleanup(feed.Close)
	return &Recording{t: t, feed: feed, kinds: kinds}
}

// Events returns everything recorded so far, oldest first. It is shared with all subscribers: do not modify it.
func (r *Recording) Events() []*Event {
	r.t.Helper()
	for {
		event, err := r.feed.Poll()
		if err != nil {
			r.t.Fatalf("fakenode: recording: %v", err)
			return r.events
		}
		if event == nil {
			return r.events
		}
		if len(r.kinds) == 0 || slices.Contains(r.kinds, event.Kind) {
			r.events = append(r.events, event)
		}
	}
}

// Logs returns the logs of everything recorded so far, in the order in which subscribers got them: pre-confirmed ones
// with the zero block hash, sealed ones, and those taken back, which have Removed set.
func (r *Recording) Logs() []*types.Log {
	r.t.Helper()
	var logs []*types.Log
	for _, event := range r.Events() {
		if event.Kind == FlashblockAdded {
			logs = append(logs, event.Flashblock.Logs...)
		}
		logs = append(logs, event.Logs...)
	}
	return logs
}

// Expect fails the test unless exactly events of these kinds, in this order, were recorded since the last Expect.
func (r *Recording) Expect(want ...EventKind) {
	r.t.Helper()
	events := r.Events()
	got := make([]EventKind, 0, len(events)-r.expected)
	for _, event := range events[r.expected:] {
		got = append(got, event.Kind)
	}
	r.expected = len(events)
	if !slices.Equal(got, want) {
		r.t.Errorf("fakenode: recorded %v, want %v", got, want)
	}
}
