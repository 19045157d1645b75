package jsonrpc

import "time"

// heldBack is a run of notifications that wait: until the request of their subscription is answered, or for a fault.
type heldBack struct {
	outgoing
	size int       // of the notifications, in bytes
	due  time.Time // zero: at once
}

// enqueue queues notifications that were taken, or holds them back until they are due; the caller holds conn.mu.
func (s *Subscription) enqueue(entry heldBack) {
	if s.answered && len(s.held) == 0 && entry.due.IsZero() {
		s.conn.queue(entry.outgoing, entry.size)
		return
	}
	s.held = append(s.held, entry)
	s.waiting += entry.size
	s.wait()
}

// release lets notifications out, first those held back. It is called once the request's answer is in the queue; the
// caller holds conn.mu.
func (s *Subscription) release() {
	s.answered = true
	s.letOut()
}

// letOut queues what is held back and due, oldest first, and waits for the rest; the caller holds conn.mu.
func (s *Subscription) letOut() {
	c := s.conn
	if !s.isOpenLocked() {
		s.giveUp()
		return
	}
	now := time.Now()
	for len(s.held) > 0 && !s.held[0].due.After(now) {
		next := s.held[0]
		s.held[0] = heldBack{}
		s.held = s.held[1:]
		s.waiting -= next.size
		c.queue(next.outgoing, next.size)
	}
	s.wait()
}

// wait sets the timer for the first that is held back; the caller holds conn.mu.
func (s *Subscription) wait() {
	if !s.answered || len(s.held) == 0 || s.timer != nil {
		return
	}
	s.timer = time.AfterFunc(time.Until(s.held[0].due), func() {
		s.conn.mu.Lock()
		defer s.conn.mu.Unlock()
		s.timer = nil
		s.letOut()
	})
}

// giveUp discards what is held back; the caller holds conn.mu.
func (s *Subscription) giveUp() {
	s.conn.notified -= s.waiting
	for i := range s.held {
		s.conn.release(&s.held[i].outgoing)
	}
	for i := range s.behind {
		s.conn.release(&s.behind[i].outgoing)
	}
	s.held, s.behind, s.waiting = nil, nil, 0
	if s.timer != nil {
		s.timer.Stop()
	}
}
