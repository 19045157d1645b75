package jsonrpc

import (
	"encoding/json"
	"fmt"

	"github.com/gorilla/websocket"
)

// Subscription is what a client subscribed to by Request.Subscribe. It is safe for concurrent use.
type Subscription struct {
	id     string
	params json.RawMessage // of the request
	kind   string          // the first of them
	conn   *connection
	head   []byte // a notification up to its result

	// Guarded by conn.mu.
	stop     func()
	closed   bool
	held     [][]json.RawMessage // sent before the request was answered
	heldSize int                 // of their notifications, in bytes: a part of conn.notified
	live     bool                // answered: notifications go out
	stopped  bool                // by a fault: nothing is sent any more
	late     json.RawMessage     // by a fault: sent behind the next result
}

func newSubscription(conn *connection, method, id string) *Subscription {
	head := AppendString([]byte(`{"jsonrpc":"2.0","method":`), method)
	head = AppendString(append(head, `,"params":{"subscription":`...), id)
	return &Subscription{id: id, conn: conn, head: append(head, `,"result":`...)}
}

// Notify sends one notification for each result, in order and without anything in between. It never waits:
// notifications are put into the connection's queue, those from before the request is answered into the
// subscription's. Both keep the results, which must not change and may be shared. A connection that has more than
// Limits.SubscriberBuffer bytes of both unread is closed with 1013 and a reason instead. Notify reports whether the
// subscription is still open.
func (s *Subscription) Notify(results ...json.RawMessage) bool {
	c := s.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.closed || c.phase != open {
		return false
	}
	if c.mute || s.stopped {
		return true
	}
	results = s.disturbed(results)
	size, fitting := s.fit(results)
	if fitting > 0 {
		c.notified += size
		if s.live {
			c.queue(outgoing{sub: s, items: results[:fitting]}, size)
		} else {
			s.held = append(s.held, results[:fitting])
			s.heldSize += size
		}
	}
	if fitting < len(results) {
		c.tooSlow(fmt.Sprintf("more than %d bytes of notifications unread", c.endpoint.server.limits.SubscriberBuffer))
		return false
	}
	return true
}

// disturbed returns what faults make of results; the caller holds conn.mu.
func (s *Subscription) disturbed(results []json.RawMessage) []json.RawMessage {
	faults := &s.conn.endpoint.faults
	if s.conn.observer || !faults.set.Load() && s.late == nil {
		return results
	}
	var sent []json.RawMessage
	for _, result := range results {
		if s.stopped {
			break
		}
		late := s.late
		s.late = nil
		switch faults.hitNotification(s.kind) {
		case StopSubscription:
			s.stopped = true
		case DuplicateNotification:
			sent = append(sent, result, result)
		case ReorderNotification:
			s.late = result
		default:
			sent = append(sent, result)
		}
		if late != nil {
			sent = append(sent, late)
		}
	}
	return sent
}

// fit returns how many of the results may wait for the client, and the size of their notifications in bytes; the caller
// holds conn.mu.
func (s *Subscription) fit(results []json.RawMessage) (size, fitting int) {
	room := s.conn.endpoint.server.limits.SubscriberBuffer - s.conn.notified
	for _, result := range results {
		next := len(s.head) + len(result) + len("}}")
		if size+next > room {
			break
		}
		size += next
		fitting++
	}
	return size, fitting
}

// appendNotification appends the notification of a result.
func (s *Subscription) appendNotification(dst []byte, result json.RawMessage) []byte {
	return append(append(append(dst, s.head...), result...), "}}"...)
}

// TooSlow closes the connection with 1013 and the reason, which says by what its subscriptions fell behind.
func (s *Subscription) TooSlow(reason string) {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	s.conn.tooSlow(reason)
}

// tooSlow closes a connection that does not keep up with its subscriptions; the caller holds mu.
func (c *connection) tooSlow(reason string) {
	c.shutLocked(farewell{websocket.CloseTryAgainLater, "too slow: " + reason, lastReadWait, true})
}

// takeHeld empties held; the caller holds conn.mu.
func (s *Subscription) takeHeld() (held [][]json.RawMessage, size int) {
	held, size = s.held, s.heldSize
	s.held, s.heldSize = nil, 0
	return held, size
}

// release lets notifications out, first those held back. It is called once the request's answer is in the queue; the
// caller holds conn.mu.
func (s *Subscription) release() {
	c := s.conn
	s.live = true
	held, size := s.takeHeld()
	if s.closed || c.phase != open {
		c.notified -= size
		return
	}
	for _, results := range held {
		c.queue(outgoing{sub: s, items: results}, 0)
	}
	c.unsent += size
}

// addSubscription registers sub and reports whether the connection is still open.
func (c *connection) addSubscription(sub *Subscription, stop func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase != open {
		return false
	}
	sub.stop = stop
	if c.subscriptions == nil {
		c.subscriptions = make(map[string]*Subscription)
	}
	c.subscriptions[sub.id] = sub
	return true
}

// dropSubscription ends a subscription and reports whether there was one of that id.
func (c *connection) dropSubscription(id string) bool {
	c.mu.Lock()
	sub, ok := c.subscriptions[id]
	if ok {
		delete(c.subscriptions, id)
		c.forget(sub)
	}
	c.mu.Unlock()
	if ok {
		sub.stop() // not under mu: a feed calls Notify under its own lock, which stop may take
	}
	return ok
}

// dropSubscriptions ends all of them.
func (c *connection) dropSubscriptions() {
	c.mu.Lock()
	subs := c.subscriptions
	c.subscriptions = nil
	for _, sub := range subs {
		c.forget(sub)
	}
	c.mu.Unlock()
	for _, sub := range subs {
		sub.stop()
	}
}

// forget closes a subscription; the caller holds mu.
func (c *connection) forget(sub *Subscription) {
	sub.closed = true
	_, size := sub.takeHeld()
	c.notified -= size
}
