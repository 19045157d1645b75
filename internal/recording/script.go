package recording

import (
	"slices"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// channel holds the messages over HTTP to a path, or over one WebSocket connection, and the node's messages on it.
type channel struct {
	next  map[string][]*message // future messages, by key
	last  map[string]*message   // the latest message, by key
	out   []outgoing            // messages still to be sent over WebSocket, in order
	queue queue                 // of the WebSocket while it is open, else nil

	open []*message // while the recording is read: messages without an answer so far
}

type message struct {
	event  *Event
	at     int      // in the recording
	ids    []string // of its calls, "" for a notification
	answer *Event   // nil if there is none
	came   bool
	now    []string // the ids of the message that has come in its place
}

// outgoing is a message that the node sent over WebSocket.
type outgoing struct {
	event *Event
	cause int      // the message recorded before it, by its place in the recording; -1: none
	to    *message // the message that this answers; nil if it is no answer
}

func newChannel() *channel {
	return &channel{next: make(map[string][]*message), last: make(map[string]*message)}
}

// expect adds a future message.
func (c *channel) expect(at int, e *Event) {
	key, ids := split(e.Payload)
	m := &message{event: e, at: at, ids: ids}
	c.next[key] = append(c.next[key], m)
	c.open = append(c.open, m)
}

// sent adds the node's messages after the message at cause.
func (c *channel) sent(e *Event, cause int) {
	var to *message
	if e.Kind == jsonrpc.TapAnswer || e.Exchange != 0 {
		if i := c.asked(e); i >= 0 {
			to = c.open[i]
			to.answer = e
			c.open = slices.Delete(c.open, i, i+1)
		}
	}
	if e.Connection != 0 {
		c.out = append(c.out, outgoing{e, cause, to})
	}
}

// asked returns the index of the open message that an answer belongs to: over WebSocket the first with its ids, else
// the latest.
func (c *channel) asked(answer *Event) int {
	if answer.Exchange != 0 {
		return slices.IndexFunc(c.open, func(m *message) bool { return m.event.Exchange == answer.Exchange })
	}
	ids := answeredIDs(answer.Payload)
	if i := slices.IndexFunc(c.open, func(m *message) bool { return slices.Equal(m.called(), ids) }); i >= 0 {
		return i
	}
	return len(c.open) - 1
}

// called returns the ids of the message's calls that are answered.
func (m *message) called() []string {
	return slices.DeleteFunc(slices.Clone(m.ids), func(id string) bool { return id == "" })
}

// find returns and uses up the next recorded message with a key, or returns the last one again, or nil if there is
// none.
func (c *channel) find(key string) (m *message, again bool) {
	next := c.next[key]
	if len(next) == 0 {
		return c.last[key], true
	}
	c.next[key], c.last[key] = next[1:], next[0]
	return next[0], false
}

// letOut queues the node's messages whose cause is at played or earlier. An answer waits for its own message.
func (c *channel) letOut(played int) {
	if c.queue == nil {
		return
	}
	c.out = slices.DeleteFunc(c.out, func(o outgoing) bool {
		if o.cause > played || o.to != nil && !o.to.came {
			return false
		}
		payload := o.event.Payload
		if o.to != nil {
			payload = withIDs(payload, o.to.ids, o.to.now)
		}
		c.queue.add(o.event.Kind, payload)
		return true
	})
}
