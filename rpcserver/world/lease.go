package world

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	// shortestTTL is the least time to live. It is more than a number that was meant in seconds and taken as milliseconds.
	shortestTTL = time.Second
	// maxOwner is the length of an owner, in bytes.
	maxOwner = 128
)

// LeaseError is returned by NewWorld for an owner or a time to live that no world can have.
type LeaseError struct{ reason string }

func (e *LeaseError) Error() string { return e.reason }

func checkLease(owner string, ttl time.Duration) error {
	switch {
	case len(owner) > maxOwner:
		return &LeaseError{fmt.Sprintf("the owner has %d bytes, the limit is %d", len(owner), maxOwner)}
	case ttl != 0 && ttl < shortestTTL:
		return &LeaseError{fmt.Sprintf("a ttl of %d ms is too short: want %d or more", ttl.Milliseconds(), shortestTTL.Milliseconds())}
	}
	return nil
}

// Validate returns an error that names a limit that cannot be, or nil.
func (l Limits) Validate() error {
	if l.PerOwner < 0 {
		return fmt.Errorf("limit of an owner's worlds is %d, want 1 or more, or 0 for none", l.PerOwner)
	}
	return checkLease("", l.TTL)
}

// lease ends a world that was idle for its time to live. It is safe for concurrent use.
type lease struct {
	Owner string        // who has the world; empty: nobody
	TTL   time.Duration // how long it may be idle; 0: for ever

	mu    sync.Mutex
	users int         // requests under way, and open WebSocket connections
	timer *time.Timer // runs while there are none; nil before start and without a time to live
}

// start lets the time run. end is called once it is over.
func (l *lease) start(end func()) {
	if l.TTL == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.timer = time.AfterFunc(l.TTL, func() {
		l.mu.Lock()
		idle := l.users == 0
		l.mu.Unlock()
		if idle {
			end()
		}
	})
}

// stop ends the lease: its time runs no more.
func (l *lease) stop() { l.use() }

// use keeps the time from running until done is called.
func (l *lease) use() (done func()) {
	if l.TTL == 0 {
		return func() {}
	}
	l.count(1)
	return func() { l.count(-1) }
}

func (l *lease) count(users int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users += users; l.users == 0 {
		l.timer.Reset(l.TTL)
	} else {
		l.timer.Stop()
	}
}

// used returns a handler that uses the lease while h serves a request, a WebSocket connection until it ends.
func (l *lease) used(h http.Handler) http.Handler {
	if l.TTL == 0 {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		defer l.use()()
		h.ServeHTTP(w, req)
	})
}

// owned returns how many worlds an owner has; the caller holds mu.
func (t *Table) owned(owner string) (count int) {
	for _, w := range t.byName {
		if w.Owner == owner {
			count++
		}
	}
	return count
}
