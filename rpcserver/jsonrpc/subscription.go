package jsonrpc

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// Subscription is a subscription that a client opened by Request.Subscribe. It is safe for concurrent use.
type Subscription struct {
	id     string
	option json.RawMessage // the second parameter of the request; nil: none
	method string          // of its notifications
	kind   string
	conn   *connection
	binary bool   // notifications are binary messages
	head   []byte // a notification up to its result
	tail   string // the rest after the result

	// Guarded by conn.mu.
	stop     func()
	closed   bool
	answered bool
	held     []heldBack  // until the request is answered, or a fault's latency is over; oldest first
	timer    *time.Timer // until the first of held is due; nil without one
	behind   []heldBack  // one result each, until the next notification, by a fault; oldest first
}

// Notify sends one notification for each result, in order and without anything in between. It never waits:
// notifications go into the connection's queue, or into the subscription's if its request is not answered yet or a
// fault delays them. Both keep the results, which must not change and are among the results added to the news. A
// connection that has more than Limits.SubscriberBuffer bytes of both unread is closed with 1013 and a reason instead;
// if all clients together have more than Limits.SubscribersMemory, the clients with the most are cut off. Notify
// reports whether the subscription is still open. The caller holds no lock that is taken after a feed's lock.
func (s *Subscription) Notify(news *News, results ...json.RawMessage) bool {
	c := s.conn
	defer c.endpoint.server.relieve()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !s.isOpenLocked():
		return false
	case c.mute:
		return true
	case len(s.behind) > 0 || !c.observer && c.endpoint.spoiled.set.Load():
		return s.spoil(news, results)
	}
	return s.put(news, results, s.enqueue)
}

// put counts results as unread, as many as there is room for, and keeps them as an entry. If that is not all, it closes
// the connection and returns false. The caller holds conn.mu.
func (s *Subscription) put(news *News, results []json.RawMessage, keep func(heldBack)) bool {
	limit := s.conn.endpoint.server.limits.SubscriberBuffer
	size, fitting := 0, 0
	for _, result := range results {
		next := s.notificationSize(result)
		if size+next > limit-s.conn.notified {
			break
		}
		size += next
		fitting++
	}
	if fitting > 0 {
		s.conn.notified += size
		news.hold(&s.conn.endpoint.server.backlog)
		keep(heldBack{outgoing: outgoing{kind: s.messageType(), sub: s, items: results[:fitting], news: news}, size: size})
	}
	if fitting < len(results) {
		s.conn.tooSlow(fmt.Sprintf("more than %d bytes of notifications unread (--subscriber-buffer)", limit))
	}
	return fitting == len(results)
}

// spoil is Notify with the faults of notifications, which have one effect each; the caller holds conn.mu.
func (s *Subscription) spoil(news *News, results []json.RawMessage) bool {
	for _, result := range results {
		fault, struck := s.conn.endpoint.spoiled.hit(s.method, s.kind, nil)
		if struck {
			s.conn.endpoint.server.events.Info("fault", "method", s.method, "kind", s.kind, "effect", strings.Join(fault.effects(), ", "))
		}
		sent, due := []json.RawMessage{result}, time.Time{}
		switch {
		case fault.Silent:
			s.conn.mute = true
			return true
		case fault.Drop:
			continue
		case fault.Reorder:
			if !s.put(news, sent, func(entry heldBack) { s.behind = append(s.behind, entry) }) {
				return false
			}
			continue
		case fault.Duplicate:
			sent = append(sent, result)
		case fault.Stray:
			stray := &Subscription{conn: s.conn, head: notificationHead(s.method, "0x0"), tail: s.tail, answered: true}
			if !stray.put(news, sent, stray.enqueue) {
				return false
			}
		case fault.Truncate > 0:
			sent[0] = result[:min(fault.Truncate, len(result))]
		case fault.Latency > 0:
			due = time.Now().Add(fault.Latency)
		}
		if !s.put(news, sent, func(entry heldBack) { entry.due = due; s.enqueue(entry) }) {
			return false
		}
		s.followUp(due)
	}
	return true
}

// followUp moves the notifications of behind, newest first, to those due at the given time; the caller holds conn.mu.
func (s *Subscription) followUp(due time.Time) {
	behind := s.behind
	s.behind = nil
	for _, entry := range slices.Backward(behind) {
		entry.due = due
		s.enqueue(entry)
	}
}

// notificationHead returns a notification up to its result.
func notificationHead(method, id string) []byte {
	head := AppendString([]byte(`{"jsonrpc":"2.0","method":`), method)
	head = AppendString(append(head, `,"params":{"subscription":`...), id)
	return append(head, `,"result":`...)
}

// notificationSize returns the size of the notification of a result, in bytes.
func (s *Subscription) notificationSize(result json.RawMessage) int {
	return len(s.head) + len(result) + len(s.tail)
}

func (s *Subscription) messageType() int {
	if s.binary {
		return websocket.BinaryMessage
	}
	return websocket.TextMessage
}

// Connection returns the number of the subscription's connection, from 1.
func (s *Subscription) Connection() uint64 { return s.conn.number }

// IsOpen reports whether neither side has ended the subscription or its connection.
func (s *Subscription) IsOpen() bool {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	return s.isOpenLocked()
}

// isOpenLocked is IsOpen; the caller holds conn.mu.
func (s *Subscription) isOpenLocked() bool { return !s.closed && s.conn.phase == open }

// TooSlow closes the connection with 1013 and the reason, which names the limit that its subscriptions exceeded.
func (s *Subscription) TooSlow(reason string) {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	s.conn.tooSlow(reason)
}

// Fail closes the connection with 1011 and the reason.
func (s *Subscription) Fail(reason string) {
	s.conn.shut(farewell{websocket.CloseInternalServerErr, reason, lastReadWait, true})
}

// tooSlow closes a connection that does not keep up with its subscriptions; the caller holds mu. A client that reads
// nothing does not see the reason, so the log has it as well.
func (c *connection) tooSlow(reason string) {
	if c.phase == open {
		c.endpoint.server.log.Warn("WebSocket client closed: too slow", "client", c.ws.RemoteAddr().String(), "reason", reason)
	}
	c.shutLocked(farewell{websocket.CloseTryAgainLater, "too slow: " + reason, lastReadWait, true})
}

// addSubscription registers sub and reports whether the connection is still open. If it is not, sub is closed.
func (c *connection) addSubscription(sub *Subscription, stop func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase != open {
		c.forget(sub)
		return false
	}
	sub.stop = stop
	c.subscriptions[sub.id] = sub
	return true
}

// dropSubscription ends a subscription and reports whether there was one with that id.
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
	sub.giveUp()
}

// heldBack is a run of notifications that wait: until the request of their subscription is answered, or for a fault.
type heldBack struct {
	outgoing
	size int       // of the notifications, in bytes
	due  time.Time // zero: at once
}

// enqueue queues notifications that put has counted, or holds them back until they are due; the caller holds conn.mu.
func (s *Subscription) enqueue(entry heldBack) {
	if s.answered && len(s.held) == 0 && entry.due.IsZero() {
		s.conn.queue(entry.outgoing, entry.size)
		return
	}
	s.held = append(s.held, entry)
	s.wait()
}

// letOut queues held notifications that are due, and sets the timer for the rest; the caller holds conn.mu.
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

// giveUp discards the held notifications; the caller holds conn.mu.
func (s *Subscription) giveUp() {
	for _, entry := range append(s.held, s.behind...) {
		s.conn.notified -= entry.size
		s.conn.release(&entry.outgoing)
	}
	s.held, s.behind = nil, nil
	if s.timer != nil {
		s.timer.Stop()
	}
}

// OpenSubscription is a subscription that a client has open.
type OpenSubscription struct {
	// Connection counts the endpoint's WebSocket connections from 1; the subscriptions of one have the same number.
	Connection uint64 `json:"connection"`
	ID         string `json:"id"`
	Kind       string `json:"kind"`
	// Option is the second parameter of the request that opened it.
	Option json.RawMessage `json:"option,omitempty"`
	// Unread is the number of bytes that wait for the client to read them, over the whole connection.
	Unread int `json:"unreadBytes"`
	// Observer reports whether the connection only observes.
	Observer bool `json:"observer"`
}

// Subscriptions returns the open subscriptions, the oldest connection's first, without Streams.
func (e *Endpoint) Subscriptions() []OpenSubscription {
	e.mu.Lock()
	connections := slices.SortedFunc(maps.Keys(e.connections), func(a, b *connection) int { return cmp.Compare(a.number, b.number) })
	e.mu.Unlock()
	all := []OpenSubscription{}
	for _, c := range connections {
		all = append(all, c.openSubscriptions()...)
	}
	return all
}

func (c *connection) openSubscriptions() []OpenSubscription {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]OpenSubscription, 0, len(c.subscriptions))
	if c.stream {
		return nil
	}
	for _, sub := range c.subscriptions {
		all = append(all, OpenSubscription{Connection: c.number, ID: sub.id, Kind: sub.kind, Option: sub.option, Unread: c.unsent, Observer: c.observer})
	}
	slices.SortFunc(all, func(a, b OpenSubscription) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID))
	})
	return all
}
