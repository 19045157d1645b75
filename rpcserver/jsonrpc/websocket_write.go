package jsonrpc

import (
	"encoding/json"

	"github.com/gorilla/websocket"
)

// outgoing is an entry of a connection's queue: an answer, a pong, or notifications of one subscription.
type outgoing struct {
	kind    int           // websocket.TextMessage, websocket.BinaryMessage or websocket.PongMessage
	payload *buffer       // of an answer or a pong; back to the pool once it is written
	sub     *Subscription // of notifications
	items   []json.RawMessage
	news    *News // that the items belong to, from hold to release
	charged int   // bytes of the backlog that are the entry's own
}

// queueAnswer queues an answer, which may be empty. A client that asks without reading waits here, and with it only its
// own next requests. The caller holds mu.
func (c *connection) queueAnswer(r *Request, answer *buffer) {
	size := answer.size()
	full := func() bool {
		return c.phase == open && c.unsent > 0 && c.unsent+size > c.endpoint.server.limits.SubscriberBuffer
	}
	if c.tap != nil && full() { // others do not wait for this client
		c.mu.Unlock()
		r.giveTurn()
		c.mu.Lock()
	}
	for full() {
		c.sent.Wait()
	}
	if c.phase != open || size == 0 || c.mute {
		answer.release()
		return
	}
	c.append(outgoing{kind: websocket.TextMessage, payload: answer, charged: size}, size)
}

// queue queues what has this many bytes and leaves it to the writer; the caller holds mu and has seen that the
// connection is open.
func (c *connection) queue(o outgoing, size int) {
	c.append(o, size)
	c.queued.Signal()
}

// append is queue for an answerer, which calls writeAnswer next.
func (c *connection) append(o outgoing, size int) {
	c.noteQueued(o)
	c.out = append(c.out, o)
	c.unsent += size
	c.endpoint.server.backlog.add(o.charged)
}

// pong answers a ping, unless too much is unread already. On a stream it comes behind all that has happened so far.
func (c *connection) pong(data string) error {
	if c.stream {
		c.endpoint.announce()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase == open && c.unsent <= c.endpoint.server.limits.SubscriberBuffer {
		c.queue(outgoing{kind: websocket.PongMessage, payload: &buffer{bytes: []byte(data)}}, len(data))
	}
	return nil
}

// keptEntries is the most a connection's queue keeps allocated while it is empty.
const keptEntries = 64

// write is the writer: it writes the queue, as many messages at once as there are, and at last the farewell. Then it
// frees what the connection holds elsewhere.
func (c *connection) write() {
	c.mu.Lock()
	for goesOn := true; goesOn; {
		for c.busy || c.phase == open && len(c.out) == 0 {
			c.queued.Wait()
		}
		goesOn = c.writeQueue()
	}
	c.mu.Unlock()
	c.endpoint.depart(c)
}

// writeAnswer writes the queue if the client has sent nothing further, so that the writer need not be woken for each
// answer. Otherwise the writer does, while the answerer goes on.
func (c *connection) writeAnswer() {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.busy || c.phase != open: // whoever is busy looks at the queue again
	case len(c.inbox) > 0:
		c.queued.Signal()
	case len(c.out) > 0:
		c.writeQueue()
	}
}

// writeQueue writes the queue, and behind it the farewell of a connection that is closing, and reports whether it was
// open and still is. The caller holds mu, which is free meanwhile, and has seen that nobody is busy.
func (c *connection) writeQueue() bool {
	phase, bye, batch := c.phase, c.bye, c.out
	c.out, c.spare = c.spare, nil
	c.writing, c.busy = batch, true
	c.mu.Unlock()

	var err error
	if phase != ended {
		err = c.writeBatch(batch, phase, bye)
	}
	done := phase != open || err != nil
	if done {
		c.written(phase == closing && err == nil)
	}
	c.mu.Lock()
	for i := range batch {
		c.release(&batch[i])
	}
	if clear(batch); cap(batch) <= keptEntries {
		c.spare = batch[:0]
	}
	c.writing, c.busy = nil, false
	if len(c.out) > 0 || c.phase != open {
		c.queued.Signal()
	}
	return !done
}

// writeBatch writes entries of the queue, and behind them the farewell of a connection that is closing.
func (c *connection) writeBatch(batch []outgoing, phase phase, bye farewell) (err error) {
	var scratch *buffer
	unsent, notified := 0, 0
	c.socket.hold()
	for i := 0; i < len(batch) && err == nil; i++ {
		o := &batch[i]
		if o.sub == nil {
			unsent += o.payload.size()
			err = c.writeMessage(o.kind, o.payload)
			o.payload.release()
			continue
		}
		if scratch == nil {
			scratch = newBuffer()
			defer scratch.release()
		}
		for j := 0; j < len(o.items) && err == nil; j++ {
			scratch.bytes = o.sub.appendNotification(scratch.bytes[:0], o.items[j])
			notified += len(scratch.bytes)
			err = c.ws.WriteMessage(o.kind, scratch.bytes)
		}
	}
	if err == nil && phase == closing && bye.code != websocket.CloseAbnormalClosure {
		err = c.ws.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(bye.code, bye.reason))
	}
	if flushed := c.socket.flush(); err == nil {
		err = flushed
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unsent -= unsent + notified
	c.notified -= notified
	c.sent.Broadcast()
	return err
}

// writeMessage writes a message; one in several pieces is fragmented.
func (c *connection) writeMessage(kind int, message *buffer) error {
	if message.full == nil {
		return c.ws.WriteMessage(kind, message.bytes)
	}
	w, err := c.ws.NextWriter(kind)
	if err != nil {
		return err
	}
	if err := message.write(w.Write); err != nil {
		return err
	}
	return w.Close()
}
