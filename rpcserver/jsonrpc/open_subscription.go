package jsonrpc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// OpenSubscription is a subscription that a client has open.
type OpenSubscription struct {
	// Connection counts the endpoint's WebSocket connections from 1; the subscriptions of one have the same number.
	Connection uint64
	// ID is the subscription's id, Params the parameters that opened it.
	ID     string
	Params json.RawMessage
	// Unread is how many bytes wait for the client to read them, over the whole connection.
	Unread int
	// Observer reports whether the connection only observes.
	Observer bool
}

// Subscriptions returns the subscriptions that are open, those of the oldest connection first. Streams are not among
// them.
func (e *Endpoint) Subscriptions() []OpenSubscription {
	e.mu.Lock()
	connections := make([]*connection, 0, len(e.connections))
	for c := range e.connections {
		connections = append(connections, c)
	}
	e.mu.Unlock()
	slices.SortFunc(connections, func(a, b *connection) int { return cmp.Compare(a.number, b.number) })
	var all []OpenSubscription
	for _, c := range connections {
		all = append(all, c.openSubscriptions()...)
	}
	return all
}

func (c *connection) openSubscriptions() []OpenSubscription {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]OpenSubscription, 0, len(c.subscriptions))
	if c.stream {
		return nil
	}
	for _, sub := range c.subscriptions {
		all = append(all, OpenSubscription{Connection: c.number, ID: sub.id, Params: sub.params, Unread: c.unsent, Observer: c.observer})
	}
	slices.SortFunc(all, func(a, b OpenSubscription) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// copyParams returns the parameters of the call being run, as an array.
func (r *Request) copyParams() json.RawMessage {
	return append(append([]byte{'['}, bytes.Join(r.args, []byte{','})...), ']')
}
