package rpcserver

import (
	"context"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// request is what a method function knows of the call it answers. The calls of a batch share it, one after another.
type request struct {
	// ctx ends when the client goes away or the server closes.
	ctx context.Context
	// method is the wire name.
	method string
	// network is the one the call was sent to.
	network *Network
	// served has the limits, and what the methods about the node itself need.
	served *served
	// caller is the client, for methods that subscribe or take their time.
	caller *jsonrpc.Request
	// wire is what caller points to: a part of the request, so that a call allocates once for both.
	wire jsonrpc.Request
}

// newRequest makes the request of a message or batch to the network.
func (n *served) newRequest() (*request, *jsonrpc.Request) {
	r := &request{network: n.network, served: n}
	r.caller = &r.wire
	return r, r.caller
}

// begin makes r the request of the next call, and moves the network's clock to where it should be by the wall.
func (r *request) begin() {
	r.ctx, r.method = r.caller.Context(), r.caller.Method()
	r.network.Timeline.CatchUp(r.ctx)
}
