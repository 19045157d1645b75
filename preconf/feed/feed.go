package feed

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"weak"
)

// Errors of Feed.Next.
var (
	// ErrSlow: the reader fell 65,536 events behind, or more; it gets no more events.
	ErrSlow = errors.New("reader is too slow: its buffer of events is full")
	// ErrClosed: the reader closed its feed.
	ErrClosed = errors.New("feed is closed")
)

const (
	// buffer is how many events a Feed may be behind.
	buffer = 1 << 16
	// stretch is the distance of milestones, in events.
	stretch = 1 << 10
)

// Link is one event in the list that all readers walk. A reader holds the link it stands on, the writer the newest. The
// zero Link begins a list.
type Link[E any] struct {
	event  *E     // nil: the list begins or was cut here
	number uint64 // of the event, from 1
	next   atomic.Pointer[Link[E]]
	ready  Signal // raised when next is set
}

// Append puts next after l and wakes the readers that stand there.
func (l *Link[E]) Append(next *Link[E]) {
	l.next.Store(next)
	l.ready.Raise()
}

// Number returns the number of the link's event in the list, from 1; 0 at its beginning.
func (l *Link[E]) Number() uint64 { return l.number }

// Writer makes the links of a list. It holds each milestone of the last 65,536 events, while a reader keeps it.
type Writer[E any] struct {
	milestones []weak.Pointer[Link[E]] // oldest first
	length     int                     // events since the newest of them
	count      uint64                  // events so far
}

// Links makes a list of events that no reader sees yet. First and last are nil where there are none.
func (w *Writer[E]) Links(events []*E) (first, last *Link[E]) {
	for _, e := range events {
		w.count++
		l := &Link[E]{event: e, number: w.count}
		if first == nil {
			first = l
		} else {
			last.Append(l)
		}
		last = l
		if w.length++; w.length == stretch {
			w.length = 0
			w.milestones = append(w.milestones, weak.Make(l))
		}
	}
	return first, last
}

// Cut ends the list for readers that are too far behind, so that they keep a stretch of it, not all that came since.
func (w *Writer[E]) Cut() {
	for len(w.milestones) > buffer/stretch {
		if l := w.milestones[0].Value(); l != nil {
			l.next.Store(new(Link[E]))
		}
		w.milestones = w.milestones[1:]
	}
}

// Feed reads a list in order. One goroutine at a time may call Next, Poll, Passed and Ready; any may call Close.
type Feed[E any] struct {
	at     *Link[E]
	closed atomic.Bool
	done   chan struct{}
	left   func() // called by Close; nil: nothing is
}

// New returns a Feed of the events after a link. left is called once, when it is closed; nil: nothing is.
func New[E any](at *Link[E], left func()) *Feed[E] {
	return &Feed[E]{at: at, done: make(chan struct{}), left: left}
}

// Poll returns the next event if there is one, else nil. Errors: ErrSlow, ErrClosed.
func (f *Feed[E]) Poll() (*E, error) {
	if f.closed.Load() {
		return nil, ErrClosed
	}
	next := f.at.next.Load()
	switch {
	case next == nil:
		return nil, nil
	case next.event == nil: // the list was cut here
		return nil, ErrSlow
	}
	f.at = next
	return next.event, nil
}

// Passed returns the number of the event that Poll or Next returned last, at first that of the last event before the
// feed. The events of a list are counted from 1.
func (f *Feed[E]) Passed() uint64 { return f.at.number }

// Next waits for the next event. Errors: ErrSlow, ErrClosed, ctx.Err().
func (f *Feed[E]) Next(ctx context.Context) (*E, error) {
	for {
		if e, err := f.Poll(); e != nil || err != nil {
			return e, err
		}
		select {
		case <-f.at.ready.Done():
		case <-f.done:
			return nil, ErrClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Ready is closed once Poll has something to return: an event or an error other than ErrClosed. Ask anew after each
// Poll.
func (f *Feed[E]) Ready() <-chan struct{} { return f.at.ready.Done() }

// Close ends the feed and wakes its reader. Closing again does nothing.
func (f *Feed[E]) Close() {
	if f.closed.CompareAndSwap(false, true) {
		close(f.done)
		if f.left != nil {
			f.left()
		}
	}
}

// Signal tells those who wait for it that something has happened, once. Its channel is made when somebody waits: most
// are raised with nobody there. The zero value is not raised yet. It is safe for concurrent use.
type Signal struct{ waited atomic.Pointer[chan struct{}] }

// raised is the channel of a Signal that was raised before anybody waited.
var raised = func() *chan struct{} {
	c := make(chan struct{})
	close(c)
	return &c
}()

// Done returns a channel that is closed once the signal is raised.
func (s *Signal) Done() <-chan struct{} {
	if c := s.waited.Load(); c != nil {
		return *c
	}
	c := make(chan struct{})
	if s.waited.CompareAndSwap(nil, &c) {
		return c
	}
	return *s.waited.Load()
}

// Raise wakes all who wait. It may be called once.
func (s *Signal) Raise() {
	if c := s.waited.Swap(raised); c != nil {
		close(*c)
	}
}

// Audience counts the readers who miss nothing. It is locked while something is left out that nobody else wants.
type Audience struct {
	sync.Mutex
	Readers int
}

// Add counts n more readers.
func (a *Audience) Add(n int) {
	a.Lock()
	defer a.Unlock()
	a.Readers += n
}
