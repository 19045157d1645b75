package jsonrpc

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"time"

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

// queueAnswer queues an answer, which may be empty. It waits for a client that sends requests without reading, which
// delays only that client's next requests. The caller holds mu.
func (c *connection) queueAnswer(r *Request, answer *buffer) {
	size := len(answer.bytes)
	full := func() bool {
		return c.phase == open && c.unsent > 0 && c.unsent+size > c.endpoint.server.limits.SubscriberBuffer
	}
	if c.tap != nil && full() { // other clients do not wait for this one
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
	c.queue(outgoing{kind: websocket.TextMessage, payload: answer, charged: answer.memory()}, size)
}

// answersAhead is how many bytes of answers may wait for a client while its next request is answered.
const answersAhead = 1 << 20

// awaitReader waits while the client has more than answersAhead to read: an answer that nobody reads need not be made.
func (c *connection) awaitReader() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.phase == open && c.unsentAnswers > answersAhead {
		c.sent.Wait()
	}
}

// queue queues an entry of this many bytes and leaves it to the writer; the caller holds mu of an open connection.
func (c *connection) queue(o outgoing, size int) {
	c.noteQueued(o)
	c.out = append(c.out, o)
	c.unsent += size
	if o.sub == nil {
		c.unsentAnswers += size
	}
	c.endpoint.server.backlog.add(o.charged)
	c.queued.Signal()
}

// pong answers a ping, unless too much is unread: on a stream, behind the notifications of all events so far.
func (c *connection) pong(data string) error {
	if c.stream {
		c.catchUp()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase == open && c.unsent <= c.endpoint.server.limits.SubscriberBuffer {
		c.queue(outgoing{kind: websocket.PongMessage, payload: &buffer{bytes: []byte(data)}}, len(data))
	}
	return nil
}

// write is the writer: it writes the queue, all waiting messages at once, and at last the farewell. Then it ends the
// connection's subscriptions.
func (c *connection) write() {
	c.mu.Lock()
	for goesOn := true; goesOn; {
		for c.phase == open && len(c.out) == 0 {
			c.queued.Wait()
		}
		goesOn = c.writeQueue()
	}
	c.mu.Unlock()
	c.endpoint.depart(c)
}

// writeQueue writes the queue, and behind it the farewell of a connection that is closing, and reports whether it was
// open and still is. The caller holds mu, which is free meanwhile.
func (c *connection) writeQueue() bool {
	phase, bye, batch := c.phase, c.bye, c.out
	c.out, c.writing = nil, batch
	c.mu.Unlock()

	var (
		unsent, notified int
		err              error
	)
	if phase != ended {
		err = c.socket.writeFrames(func(out *bufio.Writer) {
			unsent, notified = writeEntries(out, batch)
			if phase == closing && bye.code != websocket.CloseAbnormalClosure {
				writeFarewell(out, bye)
			}
		})
	}
	done := phase != open || err != nil
	if done {
		c.written(phase == closing && err == nil)
	}
	c.mu.Lock()
	c.unsent -= unsent
	c.unsentAnswers -= unsent - notified
	c.notified -= notified
	c.sent.Broadcast()
	for i := range batch {
		c.release(&batch[i])
	}
	c.writing = nil
	return !done
}

// writeEntries writes entries of the queue and returns the number of their bytes, and of notifications among them.
func writeEntries(out *bufio.Writer, entries []outgoing) (unsent, notified int) {
	for i := range entries {
		o := &entries[i]
		if o.sub == nil {
			size := len(o.payload.bytes)
			unsent += size
			beginFrame(out, o.kind, size)
			_, _ = out.Write(o.payload.bytes)
			o.payload.release()
			continue
		}
		for _, item := range o.items {
			size := o.sub.notificationSize(item)
			notified += size
			beginFrame(out, o.kind, size)
			_, _ = out.Write(o.sub.head)
			_, _ = out.Write(item)
			_, _ = out.WriteString(o.sub.tail)
		}
	}
	return unsent + notified, notified
}

// maxReason is the longest reason in a close frame, in bytes (RFC 6455 section 5.5).
const maxReason = 123

// writeFarewell writes a close frame, in a write of its own: clients in the process look for it there.
func writeFarewell(out *bufio.Writer, bye farewell) {
	_ = out.Flush()
	reason := bye.reason
	if len(reason) > maxReason {
		reason = strings.ToValidUTF8(reason[:maxReason], "")
	}
	payload := websocket.FormatCloseMessage(bye.code, reason)
	beginFrame(out, websocket.CloseMessage, len(payload))
	_, _ = out.Write(payload)
}

// longAnswer is the size of an answer, in bytes, above which the system may not buffer it at once.
const longAnswer = 64 << 10

// unreadAnswer is a long answer over HTTP that its client has not read to the end.
type unreadAnswer struct {
	server  *Server
	client  string
	size    int
	memory  int
	writing *http.ResponseController
}

// writeAnswer writes an answer over HTTP. It panics with http.ErrAbortHandler when the client was cut off.
func (s *Server) writeAnswer(w http.ResponseWriter, req *http.Request, answer *buffer) {
	if len(answer.bytes) > longAnswer {
		u := &unreadAnswer{server: s, client: req.RemoteAddr, size: len(answer.bytes), memory: answer.memory(), writing: http.NewResponseController(w)}
		u.begin()
		defer func() {
			if !u.settle() {
				*answer = buffer{} // its memory is needed for others
				panic(http.ErrAbortHandler)
			}
		}()
		s.relieve()
	}
	_, _ = w.Write(answer.bytes) // fails if the client is gone, and then nobody can get the error
}

func (u *unreadAnswer) begin() {
	s := u.server
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[u] = struct{}{}
	s.backlog.add(u.memory)
}

// settle removes the answer from the backlog and reports whether it was there: neither cut off nor over.
func (u *unreadAnswer) settle() bool {
	s := u.server
	s.mu.Lock()
	defer s.mu.Unlock()
	_, waits := s.answers[u]
	if waits {
		delete(s.answers, u)
		s.backlog.add(-u.memory)
	}
	return waits
}

func (u *unreadAnswer) unread() int { return u.size }

// cutOff ends the writing, unless it is over. A server without deadlines has limits of its own.
func (u *unreadAnswer) cutOff(reason string) {
	if u.settle() {
		u.server.log.Warn("HTTP client cut off", "client", u.client, "unread", u.size, "reason", reason)
		_ = u.writing.SetWriteDeadline(time.Now())
	}
}
