package rpcserver

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/fakenode/fakenode/preconf"
)

// World is one independent pair of networks of a Server: the one at /, or one at a path of its own. It is safe for
// concurrent use.
type World struct {
	server  *Server
	name    string // empty: the one at /
	main    *served
	testnet *served // nil without one
	created time.Time
	elapsed time.Time // on the wall, by RunTapped; zero: nothing yet
}

// newWorld makes a world that no path leads to yet.
func (s *Server) newWorld(name string, main, testnet *Network) *World {
	w := &World{server: s, name: name, created: time.Now()}
	w.main = s.serve(Main, main, w)
	if testnet != nil {
		w.testnet = s.serve(Testnet, testnet, w)
	}
	s.turn.begin(w)
	return w
}

// Name returns the world's name. It is empty for the world at /.
func (w *World) Name() string { return w.name }

// Path returns the path of the world's main network without a slash at its end: "/w/NAME", and "" for the world at /.
// The test network is at Path() + TestnetPath.
func (w *World) Path() string {
	if w.name == "" {
		return ""
	}
	return WorldPath + w.name
}

// PathOf returns the path of a network of the world, as Path does.
func (w *World) PathOf(network NetworkName) string {
	if network == Testnet {
		return w.Path() + TestnetPath
	}
	return w.Path()
}

// Created returns when the world was made.
func (w *World) Created() time.Time { return w.created }

// Timeline returns the timeline of a network, or nil if the world does not have it.
func (w *World) Timeline(network NetworkName) *preconf.Timeline {
	if n := w.served(network); n != nil {
		return n.network.Timeline
	}
	return nil
}

// Call answers body, a message or a batch, as if it had been sent to the network's URL, without a socket.
// The answer is nil when there is none (notifications), and after Close. Subscriptions need a WebSocket connection.
func (w *World) Call(ctx context.Context, network NetworkName, body []byte) []byte {
	if n := w.served(network); n != nil {
		return n.Endpoint.Call(ctx, body)
	}
	return nil
}

// Fail sets a fault on calls to the network, or on its notifications. Faults of one method add up: each call or
// notification is struck by the first that is due. The fakenode_ methods never fail this way.
func (w *World) Fail(network NetworkName, fault Fault) error {
	n := w.served(network)
	if n == nil {
		return fmt.Errorf("no network %q", network)
	}
	return n.Endpoint.Fail(fault)
}

// Disconnect cuts WebSocket connections to the network and returns how many. What was sent before still arrives; calls
// that are being answered end without an answer. The error reports what is wrong with d.
func (w *World) Disconnect(network NetworkName, d Disconnection) (int, error) {
	n := w.served(network)
	if n == nil {
		return 0, fmt.Errorf("no network %q", network)
	}
	return n.Endpoint.Disconnect(d)
}

// FeedFault sets a fault of the network's raw feed. The error reports what is wrong with the fault.
func (w *World) FeedFault(network NetworkName, fault FeedFault) error {
	n := w.served(network)
	if n == nil {
		return fmt.Errorf("no network %q", network)
	}
	return n.FailFeed(fault)
}

// ClearFaults removes all faults of the network that Fail and FeedFault set.
func (w *World) ClearFaults(network NetworkName) {
	if n := w.served(network); n != nil {
		n.Endpoint.ClearFaults()
		n.Feed.ClearFaults()
	}
}

// Calls returns what clients called on the network, oldest first: the last Limits.JournalSize calls. A method other
// than "" returns its calls only. Calls of fakenode_ methods are not among them.
func (w *World) Calls(network NetworkName, method string) []Call {
	if n := w.served(network); n != nil {
		return n.Endpoint.Calls(method)
	}
	return nil
}

// WaitForCalls waits until the journal of the network holds n calls of method ("" means any) and returns them, oldest
// first. The error is ctx.Err(), or reports why so many can never be there.
func (w *World) WaitForCalls(ctx context.Context, network NetworkName, method string, n int) ([]Call, error) {
	if served := w.served(network); served != nil {
		return served.Endpoint.WaitForCalls(ctx, method, n)
	}
	return nil, fmt.Errorf("no network %q", network)
}

// served returns the network, or nil if the world does not have it.
func (w *World) served(network NetworkName) *served {
	switch network {
	case Main:
		return w.main
	case Testnet:
		return w.testnet
	}
	return nil
}

// handler returns what serves the network's path, or that of its feed, or nil if the world does not have it.
func (w *World) handler(network NetworkName, feed bool) http.Handler {
	n := w.served(network)
	switch {
	case n == nil:
		return nil
	case feed:
		return n.Feed
	}
	return n.Endpoint
}

// networks returns the networks that the world has.
func (w *World) networks() []*served {
	if w.testnet == nil {
		return []*served{w.main}
	}
	return []*served{w.main, w.testnet}
}

// clients returns how many WebSocket connections to the world are open.
func (w *World) clients() (count int) {
	for _, n := range w.networks() {
		count += n.Endpoint.Connections()
	}
	return count
}

// end closes the world's endpoints and lets its clocks rest.
func (w *World) end() {
	for _, n := range w.networks() {
		n.Endpoint.Close(fmt.Sprintf("world %s was closed", w.name))
		n.network.Timeline.Rest()
	}
}
