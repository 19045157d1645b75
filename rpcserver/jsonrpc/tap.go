package jsonrpc

import (
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/gorilla/websocket"
)

// Tap sees the traffic of endpoints, in an order that can be replayed: while one message is answered, no other is. It
// is for recordings; without one, messages do not wait for each other. It must be safe for concurrent use.
type Tap interface {
	// Begin waits for the turn to answer a message. No lock is held.
	Begin()
	// End gives the turn away: the message is answered, or waits for an event that another may cause. No lock is held.
	End()
	// Note gets each event. It may be called under locks, must not call the endpoint, and must not keep the Payload.
	Note(TapEvent)
}

// TapKind names a kind of event on the wire.
type TapKind byte

// The kinds.
const (
	TapOpened       TapKind = '+' // a WebSocket connection was opened
	TapLeft         TapKind = '-' // the client ended it
	TapCut          TapKind = 'x' // the server ended it, or an HTTP connection without an answer
	TapMessage      TapKind = '>' // a message or batch of a client
	TapAnswer       TapKind = '<'
	TapNotification TapKind = '!'
)

// TapEvent is an event on the wire.
type TapEvent struct {
	Kind TapKind
	// Connection is the number of the WebSocket connection, counted from 1 for each endpoint; 0 is HTTP.
	Connection uint64
	// Exchange is the number of the HTTP request, counted from 1 for each endpoint; 0 is WebSocket.
	Exchange uint64
	// Observer reports whether the client only observes (?observer).
	Observer bool
	// Host is the client's name for the server, with TapOpened and with a TapMessage over HTTP.
	Host string
	// Status is the status of an answer over HTTP.
	Status int
	// Payload is the message. With TapCut of a WebSocket connection it is the code and the reason of the close frame.
	Payload []byte
}

// tapped holds the state of a Request for the API's Tap.
type tapped struct {
	exchange uint64
	inTurn   atomic.Bool
}

// event returns an event about the request.
func (r *Request) event(kind TapKind, payload []byte) TapEvent {
	e := TapEvent{Kind: kind, Observer: r.observer, Payload: payload, Exchange: r.tapped.exchange}
	if r.conn != nil {
		e.Connection = r.conn.number
	}
	return e
}

// enter waits for the turn to answer body.
func (r *Request) enter(body []byte) {
	if r.endpoint.api.Tap == nil {
		return
	}
	r.takeTurn()
	message := r.event(TapMessage, body)
	if r.conn == nil {
		r.tapped.exchange = r.endpoint.lastExchange.Add(1)
		message.Exchange, message.Host = r.tapped.exchange, r.client.host
	}
	r.endpoint.api.Tap.Note(message)
}

// giveTurn gives the turn away, if r has it.
func (r *Request) giveTurn() {
	if r.endpoint.api.Tap != nil && r.tapped.inTurn.CompareAndSwap(true, false) {
		r.endpoint.api.Tap.End()
	}
}

// takeTurn takes the turn again, if r has given it away.
func (r *Request) takeTurn() {
	if r.endpoint.api.Tap != nil && !r.tapped.inTurn.Load() {
		r.endpoint.api.Tap.Begin()
		r.tapped.inTurn.Store(true)
	}
}

// noteAnswer notes the answer over HTTP, after the notifications that the request caused.
func (r *Request) noteAnswer(status int, payload *buffer) {
	if r.endpoint.api.Tap == nil {
		return
	}
	r.takeTurn()
	r.endpoint.api.Announce(AllConnections)
	answer := r.event(TapAnswer, payload.bytes)
	switch {
	case r.disturbance.silent: // the client waits for ever
	case r.disturbance.drop:
		r.endpoint.api.Tap.Note(r.event(TapCut, nil))
	default:
		answer.Status = status
		r.endpoint.api.Tap.Note(answer)
	}
	r.giveTurn()
}

func (e *Endpoint) arrive(c *connection) {
	if e.api.Tap == nil {
		e.add(c)
		return
	}
	e.api.Tap.Begin()
	defer e.api.Tap.End()
	e.add(c)
	e.api.Tap.Note(TapEvent{Kind: TapOpened, Connection: c.number, Observer: c.observer, Host: c.client.host})
}

// depart ends the subscriptions of a connection whose socket is closed.
func (e *Endpoint) depart(c *connection) {
	if c.tap != nil {
		c.tap.Begin()
		defer c.tap.End()
	}
	c.dropSubscriptions()
	c.mu.Lock()
	c.dropQueue()
	event := TapEvent{Kind: TapLeft, Connection: c.number, Observer: c.observer}
	if c.bye.code != 0 && (c.left == nil || c.bye != *c.left) {
		event.Kind, event.Payload = TapCut, append(strconv.AppendInt(nil, int64(c.bye.code), 10), " "+c.bye.reason...)
	}
	c.mu.Unlock()
	e.mu.Lock()
	delete(e.connections, c)
	e.mu.Unlock()
	if c.tap != nil {
		c.tap.Note(event)
	}
}

// noteQueued notes an answer or notifications on their way into the queue; the caller holds mu.
func (c *connection) noteQueued(o outgoing) {
	if c.tap == nil {
		return
	}
	event := TapEvent{Connection: c.number, Observer: c.observer}
	for _, item := range o.items {
		event.Kind, event.Payload = TapNotification, slices.Concat(o.sub.head, item, []byte(o.sub.tail))
		c.tap.Note(event)
	}
	if o.sub == nil && o.kind == websocket.TextMessage {
		event.Kind, event.Payload = TapAnswer, o.payload.bytes
		c.tap.Note(event)
	}
}
