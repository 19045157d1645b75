package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// API describes an Endpoint. Methods, ToWire, AppendValue, Now, Announce, Admit and Page must be set.
type API struct {
	// Methods is a Table.
	Methods table
	// ToWire turns an error of a method into the one that the request's client sees. It returns nil for an error it
	// does not know: the client then gets -32603, and the text stays in the log.
	ToWire func(*Request, error) *Error
	// Unknown is the error of a call to a method that is not in Methods. Nil: -32601 with go-ethereum's text and,
	// unless Lenient, the name that was probably meant.
	Unknown func(method string) *Error
	// Malformed is the error of what is no request, in place of wrong, which is JSON-RPC's; calls are those of a batch
	// that has none, or more than the limit, and else -1. Nil: wrong.
	Malformed func(wrong *Error, calls, limit int) *Error
	// AppendValue encodes a result, as AppendValue of this package.
	AppendValue func(dst []byte, v any) ([]byte, error)
	// Notifications are the kinds of subscription, sorted, by the method of their notifications: faults name both. It must
	// not change.
	Notifications map[string][]string
	// Streams are the kinds of Stream that ServeStream is called with.
	Streams []string
	// TypeNames describe a parameter of a type in error messages, such as "a hash (32 bytes in hex)".
	TypeNames map[reflect.Type]string
	// Lenient accepts unknown members in parameter objects, except objects that are always Strict.
	Lenient bool
	// Journal is the endpoint whose journal has the calls too. Nil: the journal is the endpoint's own.
	Journal *Endpoint
	// Now is the clock of the journal.
	Now func() time.Time
	// Announce sends the notifications of all events so far to the WebSocket connection with a number, or to
	// AllConnections. A connection with subscriptions calls it before each answer, so that the notifications a request
	// caused precede its answer.
	Announce func(connection uint64)
	// Admit is called before each call that is not Exempt. An error from it is the answer in place of the method's.
	Admit func() *Error
	// Tap sees the traffic on the wire: messages, and answers and notifications in the order in which a connection sends
	// them. Endpoints may share one. Nil: there is none.
	Tap Tap
	// Done is called after each call but an observer's: with its method, whether there is one of that name, the code of
	// the error (0 for a result), and the wall time it took. Nil does nothing.
	Done func(method string, known bool, code int, took time.Duration)
	// Page answers GET requests that open no WebSocket.
	Page http.Handler
}

// AllConnections stands for the WebSocket connections of an endpoint, whose numbers count from 1.
const AllConnections = 0

// Endpoint serves one API, by POST and over WebSocket. It has faults and subscription ids of its own. It is an
// http.Handler for Config.Route and safe for concurrent use.
type Endpoint struct {
	server     *Server
	api        API
	behind     atomic.Pointer[Behind] // of all calls; nil: none is
	faults     faultPlan              // of calls
	spoiled    faultPlan              // of notifications
	journal    *journal
	lastID     atomic.Uint64
	lastNumber atomic.Uint64 // of a connection
	// lastExchange is the number of the last HTTP request that the tap saw.
	lastExchange atomic.Uint64

	ctx context.Context // ends at Close, with the reason as its cause
	end context.CancelCauseFunc

	mu          sync.Mutex
	closed      string // the reason why it was closed; empty while it is open
	connections map[*connection]struct{}
}

// NewEndpoint returns an endpoint of the server, which serves it where Config.Route says.
func NewEndpoint(s *Server, api API) *Endpoint {
	e := &Endpoint{
		server: s, api: api, journal: &journal{limit: s.limits.JournalSize}, connections: make(map[*connection]struct{}),
	}
	if api.Journal != nil {
		e.journal = api.Journal.journal
	}
	e.ctx, e.end = context.WithCancelCause(s.ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		e.closed = "the node is closing"
	} else {
		s.endpoints[e] = struct{}{}
	}
	return e
}

// Close ends the endpoint: its WebSocket connections are closed with 1001 and the reason, which must not be empty, and
// further requests get 404. HTTP requests under way are answered; see Request.UntilClosed. Closing again does nothing.
func (e *Endpoint) Close(reason string) {
	e.server.mu.Lock()
	delete(e.server.endpoints, e)
	e.server.mu.Unlock()
	e.shut(reason)
}

func (e *Endpoint) shut(reason string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed != "" {
		return
	}
	e.closed = reason
	e.end(errors.New(reason))
	for c := range e.connections {
		c.shut(farewell{code: websocket.CloseGoingAway, reason: reason, grace: closeGrace})
	}
}

func (e *Endpoint) isClosed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.closed != ""
}

// add registers a connection; a closed endpoint shuts it at once.
func (e *Endpoint) add(c *connection) {
	c.number = e.lastNumber.Add(1)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.connections[c] = struct{}{}
	if e.closed != "" {
		c.shut(farewell{code: websocket.CloseGoingAway, reason: e.closed, grace: closeGrace})
	}
}

// Connections returns the number of open WebSocket connections.
func (e *Endpoint) Connections() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.connections)
}

// Fail sets a fault. Faults of one method add up: each call, or notification, is struck by the first that is due. The
// error reports an invalid fault, or that all of them would take too much memory.
func (e *Endpoint) Fail(fault Fault) error {
	if kinds, notifies := e.api.Notifications[fault.Method]; notifies {
		if err := fault.validateForNotifications(kinds); err != nil {
			return err
		}
		return e.spoiled.add(fault)
	}
	if fault.Method == "*" {
		fault.Method = ""
	}
	if fault.Method != "" {
		switch m, known := e.api.Methods.find(fault.Method); {
		case !known:
			return fmt.Errorf("unknown method %s%s", Excerpt(fault.Method), e.hint(fault.Method))
		case m.exempt:
			return fmt.Errorf("method %s cannot be made to fail", Excerpt(fault.Method))
		}
	}
	if err := fault.validate(); err != nil {
		return err
	}
	return e.faults.add(fault)
}

// Faults returns the faults that are set, those of calls first, with the Nth and Times that are left.
func (e *Endpoint) Faults() []Fault { return append(e.faults.list(), e.spoiled.list()...) }

// Events returns the log of commands, at info. It discards everything if Config.Log is nil.
func (e *Endpoint) Events() *slog.Logger { return e.server.events }

// SetBehind lets all calls that no fault strikes be answered from so far behind, until it is called again.
func (e *Endpoint) SetBehind(b Behind) {
	if e.behind.Store(&b); b == (Behind{}) {
		e.behind.Store(nil)
	}
}

// ClearFaults removes all faults. Notifications that a fault holds back already still wait for their time.
func (e *Endpoint) ClearFaults() {
	e.faults.clear("")
	e.spoiled.clear("")
}

// ClearFaultsAt removes the faults of calls with a Where.
func (e *Endpoint) ClearFaultsAt(where string) { e.faults.clear(where) }

// Call answers body, a message or a batch, as if it had been sent over HTTP, without a socket. The answer is nil when
// there is none (notifications), and after the server's Close. Subscriptions need a WebSocket connection.
func (e *Endpoint) Call(ctx context.Context, body []byte) json.RawMessage {
	s := e.server
	if !s.enter() {
		return nil
	}
	defer s.running.Done()
	ctx, leave := join(ctx, s.ctx)
	defer leave()
	r := e.newRequest(ctx)
	r.enter(body)
	var answer buffer
	e.answer(r, body, &answer)
	r.disturbance.cut(&answer)
	r.noteAnswer(statusOf(&answer), &answer)
	return answer.bytes
}

// newRequest returns a request whose calls run in ctx.
func (e *Endpoint) newRequest(ctx context.Context) *Request {
	r := e.api.Methods.newRequest()
	r.ctx, r.endpoint = ctx, e
	return r
}
