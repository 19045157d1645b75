package jsonrpc

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gorilla/websocket"
)

// Disconnection describes the WebSocket connections that Disconnect cuts, and the way. The zero value cuts all of them
// like a failing network.
type Disconnection struct {
	// Code is the code of the close frame, such as 1001 or 4000. Zero and 1006: no frame, and the client sees 1006.
	Code int
	// Kind picks the connections of a stream, or with a subscription, such as "newHeads". Empty: all connections.
	Kind string
}

// Validate returns an error if the code is not valid. Only an endpoint can check the kind.
func (d Disconnection) Validate() error {
	_, err := d.farewell()
	return err
}

// farewell returns the farewell of the connections. The error reports an invalid code.
func (d Disconnection) farewell() (farewell, error) {
	code := cmp.Or(d.Code, websocket.CloseAbnormalClosure)
	reserved := []int{1004, websocket.CloseNoStatusReceived, websocket.CloseTLSHandshake}
	if code < 1000 || code > 4999 || slices.Contains(reserved, code) {
		return farewell{}, fmt.Errorf("close code is %d, want 1000 to 4999 without 1004, 1005 and 1015, which no frame can have", code)
	}
	return farewell{code, "disconnected on command", lastReadWait, true}, nil
}

// Disconnect cuts WebSocket connections and returns their number. Messages sent before still arrive; calls that are
// being answered end without an answer. The error reports an invalid field of d.
func (e *Endpoint) Disconnect(d Disconnection) (int, error) { return e.disconnect(d, nil) }

// Disconnect cuts WebSocket connections of the request's endpoint as Endpoint.Disconnect does. The request's own
// connection is cut once the request is answered.
func (r *Request) Disconnect(d Disconnection) (int, error) { return r.endpoint.disconnect(d, r) }

// Disconnect cuts the connection, after the messages sent before. The error reports an invalid code; Kind is ignored.
func (s *Subscription) Disconnect(d Disconnection) error {
	bye, err := d.farewell()
	if err == nil {
		s.conn.shut(bye)
	}
	return err
}

// disconnect is Disconnect on command of a request, or of none.
func (e *Endpoint) disconnect(d Disconnection, by *Request) (int, error) {
	bye, err := d.farewell()
	if err != nil {
		return 0, err
	}
	if known := e.allKinds(); d.Kind != "" && !slices.Contains(known, d.Kind) {
		return 0, fmt.Errorf("unknown kind of subscription %q: want one of %s", Excerpt(d.Kind), strings.Join(known, ", "))
	}
	e.api.Announce(AllConnections) // notifications of events before the cut arrive
	e.mu.Lock()
	defer e.mu.Unlock()
	cut := 0
	for c := range e.connections {
		switch {
		case !c.isCut(d.Kind):
			continue
		case by != nil && by.conn == c:
			by.parting = &bye
		case c.stream:
			c.start(func() { // nobody else waits for it
				c.catchUp()
				c.shut(bye)
			})
		default:
			c.shut(bye)
		}
		cut++
	}
	return cut, nil
}

// allKinds returns the kinds of subscription, sorted.
func (e *Endpoint) allKinds() []string {
	all := slices.Clone(e.api.Streams)
	for _, kinds := range e.api.Notifications {
		all = append(all, kinds...)
	}
	slices.Sort(all)
	return all
}

// isCut reports whether the connection is open and has a subscription of the kind; any will do if it is empty.
func (c *connection) isCut(kind string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase != open {
		return false
	}
	if kind == "" {
		return true
	}
	for _, sub := range c.subscriptions {
		if sub.kind == kind {
			return true
		}
	}
	return false
}
