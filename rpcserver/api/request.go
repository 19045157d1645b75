package api

import (
	"context"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Request describes a call to the method function that answers it. The calls of a batch share it, one after another.
type Request struct {
	// Ctx ends when the client goes away or the server closes.
	Ctx context.Context
	// Method is the wire name.
	Method string
	// Network is the network that the call was sent to.
	Network *Network
	// Caller is the client, for methods that subscribe or take long.
	Caller *jsonrpc.Request
	// wire is the jsonrpc.Request that Caller points to: a field, so that a call allocates once for both.
	wire jsonrpc.Request
}

// NewRequest makes the request of a message or batch to the network.
func (n *Network) NewRequest() (*Request, *jsonrpc.Request) {
	r := &Request{Network: n}
	r.Caller = &r.wire
	return r, r.Caller
}

// Begin makes r the request of the next call, and moves the network's clock forward with the wall clock.
func (r *Request) Begin() {
	r.Ctx, r.Method = r.Caller.Context(), r.Caller.Method()
	r.Network.Timeline.CatchUp(r.Ctx)
}
