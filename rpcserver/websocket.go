package rpcserver

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// WebSocket close codes that the server sends (RFC 6455 section 7.4.1 and its registry).
const (
	closeGoingAway     = websocket.CloseGoingAway
	closeInternalError = websocket.CloseInternalServerErr
	closeTryAgainLater = websocket.CloseTryAgainLater
)

// lastReadWait is how long a client that was too slow may take to read what is left, and the reason.
const lastReadWait = 10 * time.Second

// keptBuffer is the most a connection's queue keeps allocated while it is empty, in bytes.
const keptBuffer = 1 << 20

var upgrader = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }} // originRules has checked it

// connection is one WebSocket connection. One goroutine reads and answers, one writes; answers,
// notifications and control frames reach the writer through a queue of ready-made frames, so whoever
// notifies never waits.
type connection struct {
	server   *Server
	endpoint *endpoint
	ws       *websocket.Conn
	ctx      context.Context // ends with the connection
	cancel   context.CancelFunc
	wake     chan struct{} // tells the writer to look at out
	room     *sync.Cond    // on mu: unsent has shrunk, or closing
	once     sync.Once     // end

	mu            sync.Mutex
	out           []byte // frames the writer has not taken yet
	outNotified   int    // bytes of notifications among them
	unsent        int    // bytes in out and being written
	notified      int    // bytes of notifications among them, and of those held back
	closing       bool   // nothing is queued any more
	farewell      bool   // the last frame in out is a close frame
	linger        bool   // after the close frame, let the client read it before the socket closes
	subscriptions map[string]*subscription

	events eventReader // feeds the subscriptions
}

// serveWebSocket turns the request into a connection and serves it. It may return before the connection
// ends, see request.stepAside.
func (s *Server) serveWebSocket(w http.ResponseWriter, req *http.Request, e *endpoint) {
	ws, err := upgrader.Upgrade(w, req, nil)
	if err != nil {
		return // answered by Upgrade
	}
	ws.SetReadLimit(s.config.Limits.MaxMessage)
	c := &connection{server: s, endpoint: e, ws: ws, wake: make(chan struct{}, 1)}
	c.room = sync.NewCond(&c.mu)
	c.ctx, c.cancel = context.WithCancel(s.ctx)
	// gorilla would answer these itself, and set a write deadline that would stay on the socket.
	ws.SetPingHandler(c.pong)
	ws.SetCloseHandler(func(code int, _ string) error {
		c.shut(code, "", closeGrace)
		return nil
	})
	s.mu.Lock()
	if s.connections == nil {
		s.connections = make(map[*connection]struct{})
	}
	s.connections[c] = struct{}{}
	if s.closed {
		c.shut(closeGoingAway, "the node is closing", closeGrace)
	}
	s.running.Add(1) // cannot race with Close: the request's own share is still held
	s.mu.Unlock()
	go func() {
		defer s.running.Done()
		c.writeLoop()
	}()
	c.readLoop()
}

// readLoop reads and answers messages, one after another, until the connection ends or a request has
// stepped aside and left the reading to another goroutine.
func (c *connection) readLoop() {
	in, out := buffers.Get().(*buffer), buffers.Get().(*buffer)
	defer func() { buffers.Put(in); buffers.Put(out) }()
	for {
		kind, reader, err := c.ws.NextReader()
		if err == nil {
			in.bytes, err = readAll(in.bytes[:0], reader)
		}
		if err != nil {
			c.end()
			return
		}
		if kind != websocket.TextMessage && kind != websocket.BinaryMessage {
			continue
		}
		r := &request{ctx: c.ctx, server: c.server, endpoint: c.endpoint, network: c.endpoint.network, conn: c}
		out.bytes = c.server.answer(r, in.bytes, out.bytes[:0])
		c.reply(r, out.bytes)
		if r.steppedOff {
			return
		}
	}
}

// reply queues the answer and lets the subscriptions it announces speak.
func (c *connection) reply(r *request, answer []byte) {
	c.events.catchUp(c)
	switch d := r.disturbance; {
	case d.drop:
		c.end()
		return
	case d.httpStatus != 0:
		c.shut(closeInternalError, fmt.Sprintf("injected fault: HTTP status %d", d.httpStatus), lastReadWait)
		return
	default:
		answer = d.cut(answer)
	}
	if len(answer) > 0 {
		c.mu.Lock()
		// A client that asks without reading waits here, and with it only its own next requests.
		for c.unsent > 0 && c.unsent+len(answer) > c.server.config.Limits.SubscriberBuffer && !c.closing {
			c.room.Wait()
		}
		if !c.closing {
			c.frame(websocket.TextMessage, len(answer))
			c.out = append(c.out, answer...)
			c.wakeWriter()
		}
		c.mu.Unlock()
	}
	for _, sub := range r.opened {
		sub.release()
	}
}

// pong answers a ping, unless too much is unread already.
func (c *connection) pong(data string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closing && c.unsent <= c.server.config.Limits.SubscriberBuffer {
		c.frame(websocket.PongMessage, len(data))
		c.out = append(c.out, data...)
		c.wakeWriter()
	}
	return nil
}

// hasRoom reports whether a notification of size bytes may wait for the client. A connection with too many of
// them unread is shut. The caller holds mu.
func (c *connection) hasRoom(size int) bool {
	if c.closing {
		return false
	}
	if limit := c.server.config.Limits.SubscriberBuffer; c.notified+size > limit {
		c.linger = true
		c.shutLocked(closeTryAgainLater, fmt.Sprintf("too slow: more than %d bytes of notifications unread", limit), lastReadWait)
		return false
	}
	return true
}

// admit starts the frame of a notification of size bytes, which the caller appends to out, if there is room for
// it. The caller holds mu.
func (c *connection) admit(size int) bool {
	if !c.hasRoom(size) {
		return false
	}
	c.frame(websocket.TextMessage, size)
	c.outNotified += size
	c.notified += size
	return true
}

// frame appends the header of an unmasked, unfragmented frame (RFC 6455 section 5.2) and counts the frame
// in. The caller holds mu and appends the payload.
func (c *connection) frame(opcode byte, size int) {
	before := len(c.out)
	const final = 0x80
	switch {
	case size < 126:
		c.out = append(c.out, final|opcode, byte(size))
	case size <= 0xffff:
		c.out = append(c.out, final|opcode, 126)
		c.out = binary.BigEndian.AppendUint16(c.out, uint16(size))
	default:
		c.out = append(c.out, final|opcode, 127)
		c.out = binary.BigEndian.AppendUint64(c.out, uint64(size))
	}
	c.unsent += len(c.out) - before + size
}

func (c *connection) wakeWriter() {
	select {
	case c.wake <- struct{}{}:
	default: // awake already
	}
}

// writeLoop writes the queue, as many frames at once as there are.
func (c *connection) writeLoop() {
	defer c.closeSocket()
	socket := c.ws.NetConn()
	var spare []byte
	for range c.wake {
		c.mu.Lock()
		frames, notified, last := c.out, c.outNotified, c.closing
		c.out, c.outNotified = spare[:0], 0
		c.mu.Unlock()
		_, err := socket.Write(frames)
		c.mu.Lock()
		c.unsent -= len(frames)
		c.notified -= notified
		c.room.Broadcast()
		c.mu.Unlock()
		if last || err != nil {
			return
		}
		if spare = frames; cap(spare) > keptBuffer {
			spare = nil
		}
	}
}

// closeSocket ends the socket after the last frame, such that the reader ends too.
func (c *connection) closeSocket() {
	c.mu.Lock()
	c.closing, c.farewell = true, false
	c.room.Broadcast()
	linger := c.linger
	c.mu.Unlock()
	socket, ok := c.ws.NetConn().(*net.TCPConn)
	if !linger || !ok || socket.CloseWrite() != nil {
		_ = c.ws.Close()
		return
	}
	// Closing a socket with unread input resets it, and the client would lose the reason. The reader
	// reads on until the client has closed its side.
	_ = socket.SetReadDeadline(time.Now().Add(lastReadWait))
}

// shut closes the connection with a code and a reason, after what is queued. The client has wait to read
// it all.
func (c *connection) shut(code int, reason string, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shutLocked(code, reason, wait)
}

// shutLocked is shut; the caller holds mu.
func (c *connection) shutLocked(code int, reason string, wait time.Duration) {
	if c.closing {
		return
	}
	payload := websocket.FormatCloseMessage(code, reason)
	c.frame(websocket.CloseMessage, len(payload))
	c.out = append(c.out, payload...)
	c.closing, c.farewell = true, true
	_ = c.ws.NetConn().SetWriteDeadline(time.Now().Add(wait))
	c.room.Broadcast()
	c.wakeWriter()
}

// end frees everything the connection holds. The socket is left to the writer if that still has to say
// goodbye.
func (c *connection) end() {
	c.once.Do(func() {
		c.mu.Lock()
		c.closing, c.linger = true, false
		farewell := c.farewell
		c.room.Broadcast()
		c.mu.Unlock()
		c.cancel()
		if !farewell {
			_ = c.ws.Close()
		}
		c.wakeWriter()
		c.dropSubscriptions()
		c.server.mu.Lock()
		delete(c.server.connections, c)
		c.server.mu.Unlock()
	})
}
