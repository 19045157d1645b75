package jsonrpc

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/gorilla/websocket"
)

// read is the reader: it puts messages into the inbox, and discards those that come once the connection closes.
func (c *connection) read() {
	for c.readMessage() {
	}
	c.mu.Lock()
	leaves := c.phase != open || c.left != nil // a close frame has come or will be sent
	c.mu.Unlock()
	if leaves {
		_, _ = io.Copy(io.Discard, c.socket)
	}
	c.hungUp()
}

// readMessage reads one message into the inbox and reports whether there may be another.
func (c *connection) readMessage() bool {
	idle := c.endpoint.server.limits.SocketIdle
	if idle > 0 && !c.stream {
		_ = c.ws.SetReadDeadline(time.Now().Add(idle)) // of a broken socket, which NextReader reports
	}
	_, message, err := c.ws.NextReader()
	if failure, ok := errors.AsType[net.Error](err); ok && failure.Timeout() {
		_ = c.ws.SetReadDeadline(time.Time{})
		c.shut(farewell{websocket.CloseGoingAway, fmt.Sprintf("no request within %s", idle), lastReadWait, true})
	}
	if err != nil {
		return false
	}
	if c.stream {
		return true // the next NextReader skips the unread rest
	}
	limit := c.endpoint.server.limits.MaxMessage
	in := newBuffer()
	if in.bytes, err = readAll(in.bytes[:0], io.LimitReader(message, limit+1)); err != nil {
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

// messageCost is the number of bytes that an unanswered message counts besides its own.
const messageCost = 128

// receive puts a message into the inbox and reports whether the connection is open. A client that sends more than
// Limits.MaxMessage ahead of its answers waits here.
func (c *connection) receive(in *buffer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := len(in.bytes) + messageCost
	for c.phase == open && c.inboxSize > 0 && int64(c.inboxSize+size) > c.endpoint.server.limits.MaxMessage {
		c.answered.Wait()
	}
	if c.phase != open {
		in.release()
		return false
	}
	c.inbox = append(c.inbox, in)
	c.inboxSize += size
	if !c.answering {
		c.answering = true
		c.start(c.answer)
	}
	return true
}

// answer answers the messages of the inbox one after another, until it is empty or a call has given up its turn.
func (c *connection) answer() {
	for r := c.next(); r != nil; r = c.next() {
		r.enter(r.message.bytes)
		out := newBuffer()
		c.endpoint.answer(r, r.message.bytes, out)
		r.message.release()
		c.reply(r, out)
		c.awaitReader()
		if !c.done(r) {
			return
		}
	}
}

// next returns a request for the oldest message of the inbox, which then has the turn, or nil if there is no message.
// Messages that a client sent before it left are answered first.
func (c *connection) next() *Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase == closing {
		c.inbox, c.inboxSize = nil, 0
	}
	if len(c.inbox) == 0 {
		c.answering = false
		if c.left != nil {
			c.shutLocked(*c.left)
		}
		return nil
	}
	in := c.inbox[0]
	c.inbox[0] = nil
	c.inbox = c.inbox[1:]
	c.inboxSize -= len(in.bytes) + messageCost
	c.answered.Signal()
	r := c.endpoint.newRequest(c.ctx)
	r.client, r.observer, r.conn, r.message = c.client, c.observer, c, in
	c.turn = r
	return r
}

// done is called once r is answered. It reports whether r had the turn, which is free now.
func (c *connection) done(r *Request) (hasTurn bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if hasTurn = c.turn == r; hasTurn {
		c.turn = nil
	}
	return hasTurn
}

// passTurn lets the messages behind r be answered.
func (c *connection) passTurn(r *Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turn == r {
		c.turn = nil
		c.start(c.answer)
	}
}

// reply queues the answer, after the notifications that the request caused, and releases its subscriptions.
func (c *connection) reply(r *Request, answer *buffer) {
	r.takeTurn()
	defer r.giveTurn()
	c.mu.Lock()
	subscribed := len(c.subscriptions) > 0
	c.mu.Unlock()
	if subscribed {
		c.announce()
	}
	c.mu.Lock()
	switch d := r.disturbance; {
	case d.drop: // without a close frame, and messages that the client sent ahead are not answered
		c.inbox, c.inboxSize = nil, 0
		c.bye = farewell{code: websocket.CloseAbnormalClosure}
		c.endLocked()
	case d.silent:
		c.mute = true
	case d.httpStatus != 0:
		reason := fmt.Sprintf("injected fault: HTTP status %d", d.httpStatus)
		c.shutLocked(farewell{websocket.CloseInternalServerErr, reason, lastReadWait, true})
	default:
		d.cut(answer)
	}
	c.queueAnswer(r, answer)
	for _, sub := range r.opened {
		sub.answered = true
		sub.letOut()
	}
	if r.parting != nil {
		c.shutLocked(*r.parting)
	}
	c.mu.Unlock()
	c.endpoint.server.relieve()
}

// announce sends the connection the notifications of all events so far; other connections may get them later. A tap
// notes their order over all connections, and a fault counts them, so with either all connections get theirs, in order.
func (c *connection) announce() {
	if c.endpoint.api.Tap != nil || c.endpoint.spoiled.set.Load() {
		c.endpoint.api.Announce(AllConnections)
		return
	}
	c.endpoint.api.Announce(c.number)
}

// leave closes the connection of a client that sent a close frame, once its earlier messages are answered.
func (c *connection) leave(code int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = &farewell{code: code, grace: closeGrace}
	if !c.answering {
		c.shutLocked(*c.left)
	}
}
