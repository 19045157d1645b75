package jsonrpc

import (
	"net/http"

	"github.com/gorilla/websocket"
)

// Stream describes a WebSocket connection on which only the server speaks: each result of its one Subscription is a
// message as it is. What the client sends is read and ignored. A ping is answered behind all that has happened before,
// so a client that pings knows when it is up to date.
type Stream struct {
	// Kind names the stream in Disconnection.Kind: one of API.Streams.
	Kind string
	// Binary sends binary messages. False: text.
	Binary bool
	// Start connects the subscription to what it reports, as for Request.Subscribe; what it sends goes out at once.
	Start func(*Subscription) (stop func())
	// CatchUp returns when the subscription was notified of all that has happened so far.
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
	c.stream, c.catchUp, c.tap = true, s.CatchUp, nil // only JSON-RPC is noted
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
