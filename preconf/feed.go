package preconf

import (
	"context"
	"errors"
	"sync/atomic"
)

// Errors of Feed.Next.
var (
	// ErrSlow: the reader fell further behind than the buffer; it gets no
	// more events.
	ErrSlow = errors.New("reader is too slow: its buffer of events is full")
	// ErrFeedClosed: the reader closed its feed.
	ErrFeedClosed = errors.New("feed is closed")
)

// link is one event in the list that all readers walk.
type link struct {
	event *Event
	next  atomic.Pointer[link]
	ready chan struct{} // closed when next is set or the link is cut
	cut   atomic.Bool   // left the window: who still stands here was too slow
}

// feeds is the writer's end of the list. It keeps the last size links alive
// while anyone reads; a reader needs no registration beyond a count.
type feeds struct {
	size    int
	readers atomic.Int64
	oldest  *link
	newest  *link // nil: nobody ever read
	length  int   // links after oldest
}

// append adds events; caller holds the timeline's lock.
func (f *feeds) append(events []*Event) {
	if f.readers.Load() == 0 {
		f.oldest, f.length = f.newest, 0
		return
	}
	for _, e := range events {
		l := &link{event: e, ready: make(chan struct{})}
		f.newest.next.Store(l)
		close(f.newest.ready)
		f.newest = l
		if f.length++; f.length > f.size {
			f.cutOldest()
		}
	}
}

// cutOldest unlinks the oldest link, so that a reader standing on it holds one
// link and not all that came after.
func (f *feeds) cutOldest() {
	old := f.oldest
	f.oldest = old.next.Load()
	f.length--
	old.cut.Store(true)
	old.next.Store(nil)
}

// Feed reads the timeline's events in order. One goroutine at a time may call
// Next; Close may be called by any.
type Feed struct {
	feeds  *feeds
	at     *link
	closed atomic.Bool
	done   chan struct{}
}

// Subscribe returns a Feed of everything that happens from now on. Close it.
func (t *Timeline) Subscribe() *Feed {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.feeds.newest == nil {
		t.feeds.newest = &link{ready: make(chan struct{})}
		t.feeds.oldest = t.feeds.newest
	}
	t.feeds.readers.Add(1)
	return &Feed{feeds: &t.feeds, at: t.feeds.newest, done: make(chan struct{})}
}

// Poll returns the next event if there is one, else nil. Errors: ErrSlow,
// ErrFeedClosed.
func (f *Feed) Poll() (*Event, error) {
	if f.closed.Load() {
		return nil, ErrFeedClosed
	}
	next := f.at.next.Load()
	if next == nil {
		if f.at.cut.Load() {
			return nil, ErrSlow
		}
		return nil, nil
	}
	f.at = next
	return next.event, nil
}

// Next waits for the next event. Errors: ErrSlow, ErrFeedClosed, ctx.Err().
func (f *Feed) Next(ctx context.Context) (*Event, error) {
	for {
		if e, err := f.Poll(); e != nil || err != nil {
			return e, err
		}
		select {
		case <-f.at.ready:
		case <-f.done:
			return nil, ErrFeedClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Ready is closed once Poll has something to return: an event or an error
// other than ErrFeedClosed. Ask anew after each Poll.
func (f *Feed) Ready() <-chan struct{} { return f.at.ready }

// Close ends the feed and wakes its reader. Closing again does nothing.
func (f *Feed) Close() {
	if f.closed.CompareAndSwap(false, true) {
		f.feeds.readers.Add(-1)
		close(f.done)
	}
}
