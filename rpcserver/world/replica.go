package world

import (
	"net/http"
	"sync/atomic"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// replicas serve a network: each is a Network at its own path, with an Endpoint and Streams, on one timeline.
type replicas struct {
	each []*Network    // by number less 1
	lot  atomic.Uint64 // requests to any of them so far
}

// serveReplicas makes the replicas of n.
func (n *Network) serveReplicas() {
	for number := range n.Timeline.Moment().Control().Replicas.Each {
		r := &Network{World: n.World, Name: n.Name, of: n, unwatch: func() {}}
		r.World.table.config.Serve(r, n.Timeline)
		r.Replica, r.Served = number+1, r
		if tap := r.World.table.config.Tap; tap != nil {
			r.Tap = tap(r)
		}
		n.replicas.each = append(n.replicas.each, r)
	}
}

// Original returns the network that n is a replica of, or n.
func (n *Network) Original() *Network {
	if n.of != nil {
		return n.of
	}
	return n
}

// Path returns the URL path of the network or replica without a slash at its end, empty for the main network at /.
func (n *Network) Path() string {
	return Path{World: n.World.Name, Network: n.Name, Replica: n.Replica}.String()
}

// atReplica returns the handler of a path that names a replica. At any, that replica answers whose turn it is, by the
// seed of the replicas: each request over HTTP, and each WebSocket connection, has another turn.
func (n *Network) atReplica(p Path) http.Handler {
	all := n.Timeline.Moment().Control().Replicas
	if p.Replica == AnyReplica && len(all.Each) > 0 {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			on := n
			if jsonrpc.MayCall(req) {
				turn := n.replicas.lot.Add(1) - 1
				on = n.replicas.each[n.Timeline.Moment().Control().Replicas.Pick(turn)-1]
			}
			on.served(p).ServeHTTP(w, req)
		})
	}
	if _, err := all.Get(uint64(max(p.Replica, 0))); err != nil {
		return noWorld{http.StatusNotFound, err}
	}
	return n.replicas.each[p.Replica-1].served(p)
}

// served returns the handler of a path that leads to the network or replica.
func (n *Network) served(p Path) http.Handler {
	if p.Feed {
		return n.onWire().Raw
	}
	return n.onWire().Endpoint
}
