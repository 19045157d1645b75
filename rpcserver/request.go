package rpcserver

import (
	"context"
	"time"
)

// request is what a method function learns about the call it answers. It lives for one message or
// batch; a batch's calls share it.
type request struct {
	// ctx ends when the client goes away or the server closes.
	ctx      context.Context
	server   *Server
	endpoint *endpoint
	// network is the one the request was sent to.
	network *Network
	// conn is the WebSocket connection the request came over, nil over HTTP and in process.
	conn *connection
	// method is the wire name of the call being answered.
	method string

	params      [4][]byte       // room for the parameters of a usual call
	opened      []*subscription // by this request: to be released once it is answered
	steppedOff  bool            // the connection's next message is already being read
	disturbance disturbance     // what injected faults do to the whole answer
}

// stepAside lets the connection's next message be read while this one is still being answered.
// Requests of a WebSocket connection are answered one after another, in order; a method that waits for
// something another request may have to cause (a block, time) calls stepAside before it waits.
func (r *request) stepAside() {
	if r.conn == nil || r.steppedOff {
		return
	}
	r.steppedOff = true
	r.server.running.Add(1) // cannot race with Close: the caller's own share is still held
	go func() {
		defer r.server.running.Done()
		r.conn.readLoop()
	}()
}

// longRead is how long a read may run before it steps aside.
const longRead = 200 * time.Millisecond

// mayTakeLong is for reads that run as long as the client asks: one that does steps aside, so that the
// connection is read meanwhile and ctx ends with it. The function it returns must be called when the read
// is done.
func (r *request) mayTakeLong() (done func()) {
	if r.conn == nil {
		return func() {}
	}
	aside := make(chan struct{})
	timer := time.AfterFunc(longRead, func() {
		r.stepAside()
		close(aside)
	})
	return func() {
		if !timer.Stop() {
			<-aside
		}
	}
}

// subscribe opens a subscription on the request's connection and returns its id. start connects it to
// what it reports: it gets the subscription to call notify on, and returns the function that ends the
// reports. That function is called exactly once, when the client unsubscribes or disconnects; it may take
// any lock, also one under which notify is called. Notifications sent before eth_subscribe is answered
// are held back until then. Over HTTP it fails with -32601.
func (r *request) subscribe(start func(*subscription) (stop func(), err error)) (any, error) {
	if r.conn == nil {
		return nil, errNeedsSubscriptions
	}
	sub := newSubscription(r.conn, r.server.nextID())
	stop, err := start(sub)
	if err != nil {
		return nil, err
	}
	if !r.conn.addSubscription(sub, stop) {
		stop()
		return nil, context.Canceled
	}
	r.opened = append(r.opened, sub)
	return sub.id, nil
}

// unsubscribe serves eth_unsubscribe: true if the subscription was open. No notification of it follows
// the answer.
func unsubscribe(r *request, id string) (any, error) {
	if r.conn == nil {
		return nil, errNeedsSubscriptions
	}
	return r.conn.dropSubscription(id), nil
}

// jsonAppender is a result that writes its own JSON, which is neither checked nor encoded again.
// Results that may be large (logs, blocks, receipts) implement it.
type jsonAppender interface {
	appendJSON(dst []byte) []byte
}
