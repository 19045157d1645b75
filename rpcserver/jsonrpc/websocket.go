package jsonrpc

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// The life of a WebSocket connection
//
// One goroutine reads the socket from the handshake until the socket ends, and one writes. The reader puts messages
// into the inbox, answers pings and notices a client that leaves. While the inbox has messages another goroutine
// answers them, in order. A call that waits for another (Request.LetOthersPass) gives up its turn: it keeps its
// goroutine, and a new one answers the messages behind it. Any goroutine may queue answers and notifications, and the
// writer writes them.
//
// connection.phase only moves forwards:
//   - open: all of the above.
//   - closing: shut has set the farewell. Nothing is queued any more and messages are discarded. The writer writes the
//     queue and then the close frame.
//   - lingering: the writer has gone. The reader discards until the client hangs up, so that it can read the farewell.
//   - ended: the socket is closed. A client that hangs up while the connection is open ends it at once.
//
// The context of the calls ends when the phase is no longer open; the writer, as the last thing it does, ends the
// subscriptions. From closing on a timer closes the socket of a client that does not read or hang up in time.
//
// Locks are taken in the order: a feed's lock (held around Notify, taken by a subscription's stop), Server.mu,
// Endpoint.mu, connection.mu. The socket is never written to under connection.mu.

// lastReadWait is the time that a client whose connection is closed may take to read the rest and the reason.
const lastReadWait = 10 * time.Second

type phase int

const (
	open phase = iota
	closing
	lingering
	ended
)

// farewell describes how a connection ends: with this close frame.
type farewell struct {
	code   int // RFC 6455 section 7.4.1 and its registry; CloseAbnormalClosure: without a close frame
	reason string
	grace  time.Duration // until the socket is closed, whatever is unread
	linger bool          // wait for the client to hang up, at most for the grace
}

type connection struct {
	endpoint *Endpoint
	client   address // of the server, as the handshake names it
	number   uint64  // of the endpoint's connections, from 1
	observer bool
	stream   bool   // only the server speaks
	catchUp  func() // of a Stream
	tap      Tap    // nil: nothing is noted
	ws       *websocket.Conn
	socket   *socket // under ws
	ctx      context.Context
	cancel   context.CancelFunc

	mu    sync.Mutex
	phase phase
	bye   farewell    // from closing on
	cut   *time.Timer // from closing on: closes the socket

	answered  *sync.Cond // on mu: the inbox has shrunk, or the phase has changed
	inbox     []*buffer  // messages to be answered, oldest first
	inboxSize int        // their bytes
	turn      *Request   // the messages behind it wait for its answer
	answering bool       // a goroutine answers the inbox
	left      *farewell  // the client's own: shut with it once the inbox is answered

	queued        *sync.Cond // on mu: there is something for the writer, or the phase has changed
	sent          *sync.Cond // on mu: unsent has fallen, or the phase has changed
	mute          bool       // by a fault: nothing is queued any more
	out           []outgoing // the queue
	writing       []outgoing // by the writer
	unsent        int        // bytes in out and being written
	unsentAnswers int        // bytes of answers among them
	notified      int        // bytes of notifications among them, and of those held back
	subscriptions map[string]*Subscription
}

// upgrader accepts any origin: Allow has checked it.
var upgrader = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}

// serveWebSocket turns the request into a connection and reads it until it ends.
func (e *Endpoint) serveWebSocket(w http.ResponseWriter, req *http.Request) {
	if c := e.connect(w, req); c != nil {
		e.arrive(c)
		c.run()
	}
}

// connect turns the request into a connection, or answers the reason why it cannot and returns nil.
func (e *Endpoint) connect(w http.ResponseWriter, req *http.Request) *connection {
	hijacked := &hijacker{ResponseWriter: w}
	ws, err := upgrader.Upgrade(hijacked, req, nil)
	if err != nil {
		return nil // answered by Upgrade
	}
	c := &connection{endpoint: e, client: addressOf(req), observer: isObserver(req), ws: ws, socket: hijacked.socket, tap: e.api.Tap, subscriptions: make(map[string]*Subscription)}
	c.answered, c.queued, c.sent = sync.NewCond(&c.mu), sync.NewCond(&c.mu), sync.NewCond(&c.mu)
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(req.Context())) // shut ends it, and the server's Close shuts it
	ws.SetPingHandler(c.pong)
	ws.SetCloseHandler(func(code int, _ string) error {
		c.leave(code)
		return nil
	})
	return c
}

// run writes and reads a registered connection until it ends. A client whose handshake is answered misses nothing.
func (c *connection) run() {
	_ = c.socket.welcome() // a broken socket ends the reader at once
	c.start(c.write)
	c.read()
}

// start runs a goroutine of the connection, which the server's Close waits for. Close waits for the callers of start,
// too, so start cannot race with it.
func (c *connection) start(f func()) { c.endpoint.server.running.Go(f) }

// shut closes an open connection: open → closing.
func (c *connection) shut(bye farewell) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shutLocked(bye)
}

// shutLocked is shut; the caller holds mu.
func (c *connection) shutLocked(bye farewell) {
	switch c.phase {
	case open:
	case closing, lingering:
		if bye.grace < c.bye.grace { // this farewell has less time
			c.bye.grace = bye.grace
			c.cut.Reset(bye.grace)
		}
		return
	default:
		return
	}
	c.phase, c.bye = closing, bye
	c.cut = time.AfterFunc(bye.grace, func() { _ = c.ws.Close() })
	c.phaseChanged()
}

// endLocked closes the socket at once, without a farewell: any phase → ended. The caller holds mu.
func (c *connection) endLocked() {
	c.phase = ended
	_ = c.ws.Close()
	if c.cut != nil { // it would keep the connection in memory until it fires
		c.cut.Stop()
	}
	c.phaseChanged()
}

// phaseChanged ends the calls of a connection that is not open and wakes all that wait for it; the caller holds mu.
func (c *connection) phaseChanged() {
	c.cancel()
	c.answered.Broadcast()
	c.queued.Signal()
	c.sent.Broadcast()
}

// hungUp is called by the reader when nothing more can come from the client.
func (c *connection) hungUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase == closing {
		c.bye.linger = false // nobody reads any more: the writer closes the socket after the farewell
		return
	}
	c.endLocked()
}

// written is called by the writer when it has written its last: closing → lingering or ended.
func (c *connection) written(farewellSaid bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// Closing a socket with unread input resets it, and the client would lose the reason.
	if farewellSaid && c.phase == closing && c.bye.linger && c.socket.CloseWrite() == nil {
		c.phase = lingering
		return
	}
	c.endLocked()
}

// socket is a client's connection. gorilla reads messages from it; frames are written by writeFrames, without gorilla,
// whose writer takes as long as the rest of a small answer. Safe for concurrent use.
type socket struct {
	net.Conn
	mu        sync.Mutex // held by the goroutine that writes
	handshake []byte     // the answer to it, until welcome
	welcomed  bool
}

// Write implements net.Conn for gorilla, which answers the handshake with it, and a client that breaks the protocol.
func (s *socket) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.welcomed {
		s.handshake = append(s.handshake, p...)
		return len(p), nil
	}
	return s.Conn.Write(p)
}

func (s *socket) welcome() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.Conn.Write(s.handshake)
	s.handshake, s.welcomed = nil, true
	return err
}

// writeFrames sends the frames that f writes, many small ones at once.
func (s *socket) writeFrames(f func(*bufio.Writer)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := writers.Get().(*bufio.Writer)
	out.Reset(s.Conn)
	defer func() {
		out.Reset(nil)
		writers.Put(out)
	}()
	f(out)
	return out.Flush()
}

// CloseWrite notifies the client that nothing more comes.
func (s *socket) CloseWrite() error {
	if half, ok := s.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// writers holds the memory of writeFrames: an idle connection has none.
var writers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 64<<10) }}

// beginFrame writes the header of a message that is one frame of so many bytes (RFC 6455 section 5.2).
func beginFrame(out *bufio.Writer, kind, size int) {
	const final = 0x80
	header := append(out.AvailableBuffer(), final|byte(kind))
	switch {
	case size < 126:
		header = append(header, byte(size))
	case size <= math.MaxUint16:
		header = binary.BigEndian.AppendUint16(append(header, 126), uint16(size))
	default:
		header = binary.BigEndian.AppendUint64(append(header, 127), uint64(size))
	}
	_, _ = out.Write(header) // Flush returns the error
}

// hijacker gives gorilla the connection of a request as a socket.
type hijacker struct {
	http.ResponseWriter
	socket *socket
}

func (h *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.socket = &socket{Conn: conn}
	return h.socket, rw, nil
}

// Stream describes a WebSocket connection on which only the server sends: each result of its one Subscription is a
// message of its own. Messages of the client are read and ignored. A pong follows the notifications of all events
// before the ping, so a client can learn that it is up to date.
type Stream struct {
	// Kind names the stream in Disconnection.Kind: one of API.Streams.
	Kind string
	// Binary sends binary messages. False: text.
	Binary bool
	// Start connects the subscription to its source of results, as for Request.Subscribe; results are sent at once.
	Start func(*Subscription) (stop func())
	// CatchUp returns when the subscription was notified of all events so far.
	CatchUp func()
}

// ServeStream serves the stream on a WebSocket request until it ends, with the endpoint's limits.
func (e *Endpoint) ServeStream(w http.ResponseWriter, req *http.Request, s Stream) {
	if e.isClosed() {
		http.Error(w, "not found: "+req.URL.Path, http.StatusNotFound)
		return
	}
	if !websocket.IsWebSocketUpgrade(req) {
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "websocket")
		http.Error(w, req.URL.Path+" is a WebSocket: open it as one", http.StatusUpgradeRequired)
		return
	}
	c := e.connect(w, req)
	if c == nil {
		return
	}
	c.stream, c.catchUp, c.tap = true, s.CatchUp, nil // the tap notes only JSON-RPC
	e.add(c)
	sub := &Subscription{kind: s.Kind, conn: c, binary: s.Binary, answered: true}
	stop := s.Start(sub)
	if !c.addSubscription(sub, stop) {
		stop()
	}
	c.run()
}
