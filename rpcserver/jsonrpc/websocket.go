package jsonrpc

// The life of a WebSocket connection
//
// One goroutine reads the socket from the handshake until the socket ends, and one writes. The reader puts a message
// into the inbox, takes it from there, runs its calls, queues the answer and writes it, so that a usual call wakes no
// other goroutine. Any goroutine may queue notifications, and the writer writes them.
//
// A call that takes longer than post.Patience keeps its goroutine, and a new one becomes the reader: it fills the
// inbox, answers pings and notices a client that leaves. The messages are still answered in order, by the goroutine
// that has the turn. A call that waits for another (Request.LetOthersPass) gives up its turn, too.
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

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/fakenode/fakenode/internal/post"
	"github.com/gorilla/websocket"
)

// lastReadWait is the time that a client whose connection is closed for a reason may take to read the rest and the
// reason.
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

	answered  *sync.Cond          // on mu: the inbox has shrunk, or the phase has changed
	inbox     []*buffer           // messages to be answered, oldest first
	inboxSize int                 // their bytes
	ahead     bool                // the client has sent more than is in it
	turn      *Request            // the messages behind it wait for its answer
	watch     post.Watch[Request] // of the one that the reader answers
	left      *farewell           // the client's own: shut with it once the inbox is answered

	queued        *sync.Cond // on mu: there is something for the writer, or the phase has changed
	sent          *sync.Cond // on mu: unsent has fallen, or the phase has changed
	mute          bool       // by a fault: nothing is queued any more
	out           []outgoing // the queue
	busy          bool       // somebody writes to the socket
	writing       []outgoing // by the goroutine that is busy
	spare         []outgoing // room for the next queue
	unsent        int        // bytes in out and being written
	unsentAnswers int        // bytes of answers among them
	notified      int        // bytes of notifications among them, and of those held back
	subscriptions map[string]*Subscription
}

// upgrader accepts any origin: originRules has checked it.
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
	c := &connection{endpoint: e, client: addressOf(req), observer: isObserver(req), ws: ws, socket: hijacked.socket, tap: e.tap}
	c.answered, c.queued, c.sent = sync.NewCond(&c.mu), sync.NewCond(&c.mu), sync.NewCond(&c.mu)
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(req.Context())) // shut ends it, and the server's Close shuts it
	c.watch.Look = c.look
	ws.SetPingHandler(c.pong)
	ws.SetCloseHandler(func(code int, _ string) error {
		c.leave(code)
		return nil
	})
	return c
}

// run writes and reads a registered connection, until it ends or another goroutine reads on. The handshake is answered
// only now, so a connected client gets all later notifications.
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
	c.watch.Stop()
	if c.cut != nil { // it would keep the connection in memory until it fires
		c.cut.Stop()
	}
	c.phaseChanged()
}

// phaseChanged ends the calls of a connection that is no longer open and wakes all goroutines that wait for it; the
// caller holds mu.
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
