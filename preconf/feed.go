package preconf

import (
	"context"
	"errors"
	"sync/atomic"
	"weak"
)

// Errors of Feed.Next.
var (
	// ErrSlow: the reader fell 65,536 events behind, or more; it gets no more events.
	ErrSlow = errors.New("reader is too slow: its buffer of events is full")
	// ErrFeedClosed: the reader closed its feed.
	ErrFeedClosed = errors.New("feed is closed")
)

const (
	// feedBuffer is how many events a Feed may be behind.
	feedBuffer = 1 << 16
	// stretch is the distance of milestones, in events.
	stretch = 1 << 10
)

// link is one event in the list that all readers walk. A reader holds the link it stands on, the writer the newest:
// what every reader has read is garbage.
type link struct {
	event  *Event
	number uint64 // of the event, from 1; 0: no event
	next   atomic.Pointer[link]
	ready  signal // raised when next is set
}

// tooSlow follows a link at which the list was cut.
var tooSlow = new(link)

// follow puts next after l and wakes the readers that stand there.
func (l *link) follow(next *link) {
	l.next.Store(next)
	l.ready.raise()
}

// feeds is the writer's hold on the list: on each milestone of the last feedBuffer events, while a reader keeps it.
type feeds struct {
	milestones []weak.Pointer[link] // oldest first
	length     int                  // events since the newest of them
	count      uint64               // events so far
}

// list makes a list of events. First and last are nil where there are none.
func (f *feeds) list(events []*Event) (first, last *link) {
	for _, e := range events {
		f.count++
		l := &link{event: e, number: f.count}
		if first == nil {
			first = l
		} else {
			last.follow(l)
		}
		last = l
		if f.length++; f.length == stretch {
			f.length = 0
			f.milestones = append(f.milestones, weak.Make(l))
		}
	}
	return first, last
}

// cut ends the list for readers that are too far behind, so that they keep a stretch of it, not all that came since.
func (f *feeds) cut() {
	for len(f.milestones) > feedBuffer/stretch {
		if l := f.milestones[0].Value(); l != nil {
			l.next.Store(tooSlow)
		}
		f.milestones = f.milestones[1:]
	}
}

// Feed reads the timeline's events in order. One goroutine at a time may call Next, Poll, Passed and Ready; Close may
// be called by any.
type Feed struct {
	at     *link
	closed atomic.Bool
	done   chan struct{}
	pace   *pace // nil: the clock need not move for the reader
}

// Subscribe returns a Feed of everything that happens from now on: of what the Moment does not show yet. It does not
// wait for writers. Close it.
func (t *Timeline) Subscribe() *Feed {
	t.pace.watch()
	return &Feed{at: t.present.Load().newest, done: make(chan struct{}), pace: t.pace}
}

// Overhear is Subscribe for a reader for whom nothing need happen: a clock that follows the wall clock moves when
// somebody else asks or waits.
func (t *Timeline) Overhear() *Feed {
	return &Feed{at: t.present.Load().newest, done: make(chan struct{})}
}

// Poll returns the next event if there is one, else nil. Errors: ErrSlow, ErrFeedClosed.
func (f *Feed) Poll() (*Event, error) {
	if f.closed.Load() {
		return nil, ErrFeedClosed
	}
	switch next := f.at.next.Load(); next {
	case nil:
		return nil, nil
	case tooSlow:
		return nil, ErrSlow
	default:
		f.at = next
		return next.event, nil
	}
}

// Passed returns the number of the event that Poll or Next returned last, which counts the timeline's events from 1. It
// is that of the last event before the feed at first.
func (f *Feed) Passed() uint64 { return f.at.number }

// Next waits for the next event. Errors: ErrSlow, ErrFeedClosed, ctx.Err().
func (f *Feed) Next(ctx context.Context) (*Event, error) {
	for {
		if e, err := f.Poll(); e != nil || err != nil {
			return e, err
		}
		select {
		case <-f.at.ready.done():
		case <-f.done:
			return nil, ErrFeedClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Ready is closed once Poll has something to return: an event or an error other than ErrFeedClosed. Ask anew after each
// Poll.
func (f *Feed) Ready() <-chan struct{} { return f.at.ready.done() }

// Close ends the feed and wakes its reader. Closing again does nothing.
func (f *Feed) Close() {
	if f.closed.CompareAndSwap(false, true) {
		close(f.done)
		if f.pace != nil {
			f.pace.unwatch()
		}
	}
}
