package jsonrpc

import (
	"bytes"
	"context"
	"strconv"
	"time"
)

// Request is the message or batch being answered, and the call of it that is being run. It must not be used after the
// method has returned. LetOthersPass may be called from any goroutine, the other methods only from the method's.
type Request struct {
	ctx      context.Context
	endpoint *Endpoint
	client   address
	// conn is the WebSocket connection the request came over, nil over HTTP and in process.
	conn *connection
	// message holds the bytes that came over conn.
	message *buffer

	bound       any             // the R of API.New that belongs to it
	call        message         // the one being answered
	args        [][]byte        // its parameters, each one valid JSON value
	params      [4][]byte       // room for the parameters of a usual call
	opened      []*Subscription // by this request; released once it is answered
	parting     *farewell       // of the request's own connection, once it is answered; see Disconnect
	disturbance disturbance     // what injected faults do to the whole answer
	behind      Behind          // and to the call being run
	view        string          // that answers the call being run; empty: the node now
	room        int             // bytes that the result of the call may have
	calls       int             // run or refused
	refused     int             // calls that failed with an error that has an HTTPStatus
	refusal     *Error          // of the last of them
	tooLarge    int             // calls whose result did not fit
	known       bool            // there is a method of that name
	exempt      bool            // and it is Exempt
	observer    bool            // the client only observes: no faults, no journal, no Done
	tapped      tapped
}

// Context ends when the client goes away or the server closes.
func (r *Request) Context() context.Context { return r.ctx }

// Method returns the wire name of the call being run.
func (r *Request) Method() string { return r.call.method }

// Observer reports whether the client only observes (?observer).
func (r *Request) Observer() bool { return r.observer }

// Exempt reports whether faults never strike the call being run.
func (r *Request) Exempt() bool { return r.exempt }

// Behind returns how far behind the node is to be for the call being run, because of a fault.
func (r *Request) Behind() Behind { return r.behind }

// AnsweredFrom notes for the journal which view answers the call being run.
func (r *Request) AnsweredFrom(view string) { r.view = view }

// Room returns the most bytes that the result of the call may have within Limits.MaxAnswer. Methods whose results may
// be much larger than their parameters should not make more than that.
func (r *Request) Room() int { return r.room }

// URL returns the URL of the server's path "/" under scheme, "http" or "ws", without the slash, as the client reaches
// the server: by its Host header, so that it also works through a mapped port. For calls in process it is Server.URL.
func (r *Request) URL(scheme string) string {
	if r.client.host == "" {
		return r.endpoint.server.URL(scheme)
	}
	if r.client.secure {
		scheme += "s"
	}
	return scheme + "://" + r.client.host
}

// LetOthersPass lets the connection's next messages be answered while this one is still being answered. Messages of a
// WebSocket connection are answered one after another, in order; a method that waits for an event that another request
// may have to cause (a block, time) calls LetOthersPass before it waits. A second call does nothing.
func (r *Request) LetOthersPass() {
	r.giveTurn()
	if r.conn != nil {
		r.conn.passTurn(r)
	}
}

// UntilClosed returns a context that ends with the request's, and also when the endpoint is closed: then its cause is
// the reason. It is for calls that may take long. The function it returns must be called when the call is done.
func (r *Request) UntilClosed() (ctx context.Context, done func()) {
	return join(r.ctx, r.endpoint.ctx)
}

// longCall is the time that a call may run before it lets others pass.
const longCall = 200 * time.Millisecond

// MayTakeLong is for calls whose length the client decides: a long one lets others pass. The function it returns must
// be called when the call is done.
func (r *Request) MayTakeLong() (done func()) {
	if r.conn == nil {
		return func() {}
	}
	timer := time.AfterFunc(longCall, r.LetOthersPass)
	return func() { timer.Stop() }
}

// Subscribe opens a subscription on the request's connection and returns its id. method is the wire name of its
// notifications, kind one of API.Notifications for it. start connects the subscription to its source of results: it
// gets the subscription to call Notify on, and returns the function that disconnects it. That function is called
// exactly once, when the client unsubscribes or disconnects; it may take any lock, also one under which Notify is
// called. Notifications sent before the request is answered are held back until then. Over HTTP Subscribe fails with
// -32601.
func (r *Request) Subscribe(method, kind string, start func(*Subscription) (stop func())) (id string, err error) {
	if r.conn == nil {
		return "", errNeedsSubscriptions
	}
	id = "0x" + strconv.FormatUint(r.endpoint.lastID.Add(1), 16) // 0x1, 0x2, …
	sub := &Subscription{id: id, method: method, kind: kind, conn: r.conn, head: notificationHead(method, id), tail: "}}"}
	if len(r.args) > 1 {
		sub.option = bytes.Clone(r.args[1])
	}
	stop := start(sub)
	if !r.conn.addSubscription(sub, stop) {
		stop()
		return "", context.Canceled
	}
	r.opened = append(r.opened, sub)
	return id, nil
}

// Unsubscribe ends a subscription of the request's connection and reports whether it was open. No notification of it
// follows the answer. Over HTTP it fails with -32601.
func (r *Request) Unsubscribe(id string) (bool, error) {
	if r.conn == nil {
		return false, errNeedsSubscriptions
	}
	return r.conn.dropSubscription(id), nil
}

// Appender is a result that writes its own JSON, which is neither checked nor encoded again.
type Appender interface {
	AppendJSON(dst []byte) []byte
}

// Sized is an Appender that estimates its number of bytes. Long ones are encoded in turn, so that others need not wait.
type Sized interface {
	Appender
	Size() int
}

// Strict is implemented by parameter objects of which a misspelt member would silently change the call.
type Strict interface {
	// Strict reports whether unknown members are rejected, given whether the endpoint is lenient.
	Strict(lenient bool) bool
}

// Described is implemented by parameter types that describe themselves in error messages.
type Described interface{ Wanted() string }
