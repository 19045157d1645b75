package world

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// World is one independent set of networks of a server: the one at /, or one at a path of its own. It is safe for
// concurrent use.
type World struct {
	table   *Table
	name    string // empty: the one at /
	main    *Network
	testnet *Network // nil without one
	l1      *Network // of main; nil without one
	created time.Time
}

// Name returns the world's name. It is empty for the world at /.
func (w *World) Name() string { return w.name }

// Path returns the URL path of the world's main network without a slash at its end: "/w/NAME", and "" for the world
// at /.
func (w *World) Path() string { return w.PathOf(Main) }

// PathOf returns the URL path of a network of the world, as Path does.
func (w *World) PathOf(network NetworkName) string {
	return Path{World: w.name, Network: network}.String()
}

// Created returns when the world was made.
func (w *World) Created() time.Time { return w.created }

// Timeline returns the timeline of a network, or nil if the world does not have it.
func (w *World) Timeline(network NetworkName) *preconf.Timeline {
	if n := w.network(network); n != nil {
		return n.Timeline
	}
	return nil
}

// Call answers body, a message or a batch, as if it had been sent to the network's URL, without a socket.
// The answer is nil when there is none (notifications), and after Close. Subscriptions need a WebSocket connection.
func (w *World) Call(ctx context.Context, network NetworkName, body []byte) []byte {
	if n := w.Network(network); n != nil {
		return n.Endpoint.Call(ctx, body)
	}
	return nil
}

// Fail sets a fault on calls to the network, or on its notifications. Faults of one method add up: each call or
// notification is struck by the first that is due. The fakenode_ methods never fail this way.
func (w *World) Fail(network NetworkName, fault jsonrpc.Fault) error {
	n := w.Network(network)
	if n == nil {
		return fmt.Errorf("no network %q", network)
	}
	return n.Endpoint.Fail(fault)
}

// Disconnect cuts WebSocket connections to the network and returns how many. Earlier messages still arrive; calls that
// are being answered end without an answer. The error names the wrong field of d.
func (w *World) Disconnect(network NetworkName, d jsonrpc.Disconnection) (int, error) {
	n := w.Network(network)
	if n == nil {
		return 0, fmt.Errorf("no network %q", network)
	}
	return n.Endpoint.Disconnect(d)
}

// FeedFault sets a fault of the network's raw feed. The error names the wrong field of the fault.
func (w *World) FeedFault(network NetworkName, fault flashblocks.Fault) error {
	n := w.Network(network)
	if n == nil {
		return fmt.Errorf("no network %q", network)
	}
	return n.FailFeed(fault)
}

// ClearFaults removes all faults set by Fail and FeedFault.
func (w *World) ClearFaults(network NetworkName) {
	if n := w.Network(network); n != nil {
		n.Endpoint.ClearFaults()
		n.Feed.ClearFaults()
	}
}

// Calls returns the calls of clients on the network, oldest first: the last Limits.JournalSize ones, without those of
// fakenode_ methods. A method other than "" selects its calls.
func (w *World) Calls(network NetworkName, method string) []jsonrpc.Call {
	return w.CallsSince(network, 0, method)
}

// CallsSince is Calls for the calls with numbers above since.
func (w *World) CallsSince(network NetworkName, since uint64, method string) []jsonrpc.Call {
	if n := w.Network(network); n != nil {
		return n.Endpoint.CallsSince(since, method)
	}
	return nil
}

// LastCall returns the number of the newest call on the network, 0 if there was none.
func (w *World) LastCall(network NetworkName) uint64 {
	if n := w.Network(network); n != nil {
		return n.Endpoint.LastCall()
	}
	return 0
}

// WaitForCalls waits until the journal of the network holds n calls of method ("" means any) with numbers above since,
// and returns them, oldest first. The error is ctx.Err(), or reports why the journal can never hold so many.
func (w *World) WaitForCalls(ctx context.Context, network NetworkName, since uint64, method string, n int) ([]jsonrpc.Call, error) {
	if served := w.Network(network); served != nil {
		return served.Endpoint.WaitForCalls(ctx, since, method, n)
	}
	return nil, fmt.Errorf("no network %q", network)
}

// Network returns the network of that name with its endpoint, streams and feed, or nil if the world does not have it.
func (w *World) Network(name NetworkName) *Network {
	if n := w.network(name); n != nil {
		return n.onWire()
	}
	return nil
}

// network returns the network of that name, or nil if the world does not have it. It may have no endpoint yet.
func (w *World) network(name NetworkName) *Network {
	switch name {
	case Main:
		return w.main
	case Testnet:
		return w.testnet
	case L1:
		return w.l1
	}
	return nil
}

// networks returns the networks that the world has.
func (w *World) networks() []*Network {
	return slices.DeleteFunc([]*Network{w.main, w.testnet, w.l1}, func(n *Network) bool { return n == nil })
}

// served returns the networks that the world has, and their replicas.
func (w *World) served() (all []*Network) {
	for _, n := range w.networks() {
		all = append(append(all, n), n.replicas.each...)
	}
	return all
}

// clients returns the number of open WebSocket connections to the world.
func (w *World) clients() (count int) {
	for _, n := range w.served() {
		if n.connected.Load() {
			count += n.Endpoint.Connections()
		}
	}
	return count
}

// end closes the world's endpoints and lets its clocks rest. It makes those that were not needed yet: a caller that
// still holds the world must find them closed.
func (w *World) end() {
	for _, n := range w.served() {
		n.onWire().Endpoint.Close(fmt.Sprintf("world %s was closed", w.name))
		n.Timeline.Rest()
		_ = n.Story.Close()
	}
}
