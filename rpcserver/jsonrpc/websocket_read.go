package jsonrpc

import (
	"fmt"
	"io"

	"github.com/gorilla/websocket"
)

// read is the reader: it puts messages into the inbox. Once the connection closes it discards what comes until the
// client hangs up.
func (c *connection) read() {
	for c.readMessage() {
	}
	if c.takingLeave() {
		_, _ = io.Copy(io.Discard, c.socket)
	}
	c.hungUp()
}

// takingLeave reports whether a close frame came or is to be sent.
func (c *connection) takingLeave() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.phase != open || c.left != nil
}

// readMessage reads one message into the inbox and reports whether there may be another.
func (c *connection) readMessage() bool {
	_, message, err := c.ws.NextReader()
	if err != nil {
		return false
	}
	if c.stream {
		return c.isOpen() // the next NextReader skips what is unread
	}
	limit := c.endpoint.server.limits.MaxMessage
	in := newBuffer()
	if in.bytes, err = readMost(in.bytes[:0], message, limit+1); err != nil {
		in.release()
		return false
	}
	if int64(len(in.bytes)) > limit {
		in.release()
		reason := fmt.Sprintf("message too large: the limit is %d bytes", limit)
		c.shut(farewell{websocket.CloseMessageTooBig, reason, lastReadWait, true})
		return false
	}
	return c.receive(in)
}

// messageCost is what an unanswered message counts beside its bytes.
const messageCost = 128

// receive puts a message into the inbox and reports whether the connection is open. A client that sends more than
// Limits.MaxMessage ahead of its answers waits here.
func (c *connection) receive(in *buffer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := len(in.bytes) + messageCost
	for c.phase == open && c.inboxSize > 0 && int64(c.inboxSize+size) > c.endpoint.server.limits.MaxMessage {
		c.received.Wait()
	}
	if c.phase != open {
		in.release()
		return false
	}
	c.inbox = append(c.inbox, in)
	c.inboxSize += size
	c.received.Broadcast()
	return true
}

// answer is the answerer: it answers the messages of the inbox one after another, until the connection closes or a call
// has passed the turn to another answerer. It is one goroutine for many messages, because each new one would have to
// grow its stack again.
func (c *connection) answer() {
	for r := c.next(); r != nil; r = c.next() {
		r.enter(r.message.bytes)
		out := newBuffer()
		c.endpoint.answer(r, r.message.bytes, out)
		r.message.release()
		c.reply(r, out)
		c.writeAnswer()
		if !c.done(r) {
			return
		}
	}
}

// next waits for a message and returns a request for it, which has the turn, or nil once there can be none. What a
// client sent before it left is answered first.
func (c *connection) next() *Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.phase == open && len(c.inbox) == 0 && c.left == nil {
		c.received.Wait()
	}
	if c.phase == closing {
		c.inbox, c.inboxSize = nil, 0
	}
	if len(c.inbox) == 0 {
		if c.left != nil {
			c.shutLocked(*c.left)
		}
		return nil
	}
	in := c.inbox[0]
	c.inbox[0] = nil
	if len(c.inbox) == 1 {
		c.inbox = c.inbox[:0] // the usual case: the next message takes its place
	} else {
		c.inbox = c.inbox[1:]
	}
	c.inboxSize -= len(in.bytes) + messageCost
	c.received.Broadcast()
	c.turn = c.endpoint.newRequest(c.ctx)
	c.turn.client, c.turn.observer, c.turn.conn, c.turn.message = c.client, c.observer, c, in
	return c.turn
}

// passTurn gives the turn of r, if it still has it, to another answerer.
func (c *connection) passTurn(r *Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turn == r {
		c.turn = nil
		c.start(c.answer)
	}
}

// done ends the turn of r and reports whether r still had it.
func (c *connection) done(r *Request) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	had := c.turn == r
	if had {
		c.turn = nil
	}
	return had
}

// reply queues the answer, behind what the request caused, and lets the subscriptions it announces speak.
func (c *connection) reply(r *Request, answer *buffer) {
	r.takeTurn()
	defer r.giveTurn()
	if c.hasSubscriptions() {
		c.endpoint.announce()
	}
	switch d := r.disturbance; {
	case d.drop:
		c.drop()
	case d.silent:
		c.fallSilent()
	case d.httpStatus != 0:
		reason := fmt.Sprintf("injected fault: HTTP status %d", d.httpStatus)
		c.shut(farewell{websocket.CloseInternalServerErr, reason, lastReadWait, true})
	default:
		d.cut(answer)
	}
	c.mu.Lock()
	c.queueAnswer(r, answer)
	for _, sub := range r.opened {
		sub.release()
	}
	if r.parting != nil {
		c.shutLocked(*r.parting)
	}
	c.mu.Unlock()
	c.endpoint.server.relieve()
}

// hasSubscriptions reports whether the client has subscribed to anything.
func (c *connection) hasSubscriptions() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.subscriptions) > 0
}

// leave says goodbye to a client that sent a close frame, once what it sent before is answered.
func (c *connection) leave(code int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = &farewell{code: code, grace: closeGrace}
	if c.turn == nil && len(c.inbox) == 0 {
		c.shutLocked(*c.left)
	}
}

// fallSilent lets nothing be sent any more while the connection stays open.
func (c *connection) fallSilent() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mute = true
}

// drop ends the connection without a word, and what the client sent ahead is not answered.
func (c *connection) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inbox, c.inboxSize = nil, 0
	c.bye = farewell{code: websocket.CloseAbnormalClosure}
	c.endLocked()
}
