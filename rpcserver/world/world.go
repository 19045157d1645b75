package world

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fakenode/fakenode/preconf"
)

// World is one independent set of networks: the one at /, or one at a path of its own. Safe for concurrent use.
type World struct {
	table   *Table
	Name    string // empty: the one at /
	main    *Network
	testnet *Network // nil without one
	l1      *Network // of main; nil without one
	Created time.Time
	lease
}

// PathOf returns the URL path of a network of the world without a slash at its end: "/w/NAME", and "" at /.
func (w *World) PathOf(network NetworkName) string {
	return Path{World: w.Name, Network: network}.String()
}

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
		defer w.use()()
		return n.Endpoint.Call(ctx, body)
	}
	return nil
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

// Clients returns the number of open WebSocket connections to the world.
func (w *World) Clients() (count int) {
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
		n.onWire().Endpoint.Close(fmt.Sprintf("world %s was closed", w.Name))
		n.Timeline.Rest()
		_ = n.Story.Close()
	}
}
