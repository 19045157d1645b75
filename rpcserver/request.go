package rpcserver

import (
	"context"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// request is what a method function knows of the call it answers. It lives for one call.
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
}

// bind makes the request of a call to the network, whose clock is where it should be by the wall.
func (n *served) bind(r *jsonrpc.Request) *request {
	n.network.Timeline.CatchUp(r.Context())
	return &request{ctx: r.Context(), method: r.Method(), network: n.network, served: n, caller: r}
}
