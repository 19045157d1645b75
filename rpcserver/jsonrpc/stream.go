package jsonrpc

import (
	"net/http"

	"github.com/gorilla/websocket"
)

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

// ServeStream turns a WebSocket request into a connection of the endpoint, with the endpoint's limits and end, and
// serves the stream on it until it ends.
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

// isOpen reports whether neither side has ended the connection.
func (c *connection) isOpen() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.phase == open
}
