package rpcserver

import "encoding/json"

// subscription is one eth_subscribe of a connection. Safe for concurrent use.
type subscription struct {
	id   string
	conn *connection
	head []byte // a notification up to its result

	// Guarded by conn.mu.
	stop     func()
	closed   bool
	held     []json.RawMessage // sent before eth_subscribe was answered
	heldSize int               // of their notifications, in bytes: a part of conn.notified
	live     bool              // answered: notifications go out
}

func newSubscription(conn *connection, id string) *subscription {
	head := append([]byte(nil), `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":`...)
	head = appendString(head, id)
	return &subscription{id: id, conn: conn, head: append(head, `,"result":`...)}
}

// notify sends one eth_subscription notification for each result, in order and without anything in
// between. It never waits: notifications are put into the connection's queue, those from before
// eth_subscribe is answered into the subscription's, which keeps the results, so they must not change. A
// connection that has more than Limits.SubscriberBuffer bytes of both unread is closed with a reason instead. It
// reports whether the subscription is still open.
func (s *subscription) notify(results ...json.RawMessage) bool {
	c := s.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case s.closed || c.closing:
		return false
	case !s.live:
		return s.hold(results)
	}
	return s.send(results)
}

// size of the notification of a result, in bytes.
func (s *subscription) size(result json.RawMessage) int { return len(s.head) + len(result) + len("}}") }

// hold keeps results until eth_subscribe is answered. The caller holds conn.mu.
func (s *subscription) hold(results []json.RawMessage) bool {
	for _, result := range results {
		size := s.size(result)
		if !s.conn.hasRoom(size) {
			return false
		}
		s.conn.notified += size
		s.heldSize += size
		s.held = append(s.held, result)
	}
	return true
}

// takeHeld empties held. The caller holds conn.mu.
func (s *subscription) takeHeld() []json.RawMessage {
	held := s.held
	s.conn.notified -= s.heldSize
	s.held, s.heldSize = nil, 0
	return held
}

// release lets notifications out, first those held back. It is called once eth_subscribe's answer is in
// the queue.
func (s *subscription) release() {
	c := s.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	s.live = true
	if held := s.takeHeld(); !s.closed && len(held) > 0 {
		s.send(held)
	}
}

// send queues notifications. The caller holds conn.mu.
func (s *subscription) send(results []json.RawMessage) bool {
	c := s.conn
	for _, result := range results {
		if !c.admit(s.size(result)) {
			return false
		}
		c.out = append(c.out, s.head...)
		c.out = append(c.out, result...)
		c.out = append(c.out, "}}"...)
	}
	c.wakeWriter()
	return true
}

// addSubscription registers sub; false if the connection has closed in the meantime.
func (c *connection) addSubscription(sub *subscription, stop func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return false
	}
	sub.stop = stop
	if c.subscriptions == nil {
		c.subscriptions = make(map[string]*subscription)
	}
	c.subscriptions[sub.id] = sub
	return true
}

// dropSubscription ends a subscription; false if there is none of that id.
func (c *connection) dropSubscription(id string) bool {
	c.mu.Lock()
	sub, ok := c.subscriptions[id]
	if ok {
		delete(c.subscriptions, id)
		sub.closed = true
		sub.takeHeld()
	}
	c.mu.Unlock()
	if ok {
		sub.stop() // not under mu: a feed calls notify under its own lock, which stop may take
	}
	return ok
}

// dropSubscriptions ends all of them.
func (c *connection) dropSubscriptions() {
	c.mu.Lock()
	subs := c.subscriptions
	c.subscriptions = nil
	for _, sub := range subs {
		sub.closed = true
		sub.takeHeld()
	}
	c.mu.Unlock()
	for _, sub := range subs {
		sub.stop()
	}
}
