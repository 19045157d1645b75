package world

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Network is a network of a world with everything that serves it.
type Network struct {
	api.Network // Endpoint, Streams and Feed are nil before onWire
	// World is the world that it is part of, and Name its name there.
	World *World
	Name  NetworkName
	// Tap is the tap of its endpoint, nil without Config.Tap.
	Tap jsonrpc.Tap

	connect   sync.Once
	connected atomic.Bool // connect is done
	unwatch   func()      // ends what Config.Watch began
	replicas  replicas
	of        *Network // that it is a replica of; nil: it is none
}

// serve makes a network of the world.
func (w *World) serve(name NetworkName, timeline *preconf.Timeline) *Network {
	n := &Network{World: w, Name: name, unwatch: func() {}}
	w.table.config.Serve(n, timeline)
	n.Served = n
	if watch := w.table.config.Watch; watch != nil {
		n.unwatch = sync.OnceFunc(watch(timeline, Path{World: w.Name, Network: name}))
	}
	if tap := w.table.config.Tap; tap != nil {
		n.Tap = tap(n)
	}
	n.serveReplicas()
	return n
}

// onWire returns n with its endpoint, streams and feed. They are made when they are first needed: most nodes are never
// asked on their test network, and many not at all.
func (n *Network) onWire() *Network {
	n.connect.Do(func() {
		n.World.table.config.Connect(n)
		n.connected.Store(true)
	})
	return n
}

// Of returns the Network that n is a part of.
func Of(n *api.Network) *Network { return n.Served.(*Network) }

// NewWorld makes a copy of the network's world. Without a name it gets a free one; without the id of a snapshot of the
// network it begins at the present; owner and ttl are Options', if they are not zero. The errors are Table.NewWorld's.
func (n *Network) NewWorld(name *string, snapshot *uint64, owner string, ttl time.Duration) (*World, error) {
	o := Options{Owner: owner, TTL: ttl}
	if name != nil {
		if *name == "" {
			return nil, &NameError{}
		}
		o.Name = *name
	}
	if n.Name == Testnet {
		o.TestnetSnapshot = snapshot
	} else {
		o.Snapshot = snapshot
	}
	return n.World.table.NewWorld(n.World, o)
}

// CloseWorld ends a world that NewWorld made. The error reports that there is none of that name.
func (n *Network) CloseWorld(name string) error {
	w, err := n.World.table.Lookup(name)
	if err == nil {
		n.World.table.CloseWorld(w)
	}
	return err
}

// Worlds returns all worlds of the server except the one at /, oldest first.
func (n *Network) Worlds() []*World { return n.World.table.Worlds() }

// copyAt returns an independent copy of the network's timeline, at present or at a snapshot.
func (n *Network) copyAt(snapshot *uint64) (*preconf.Timeline, error) {
	if snapshot == nil {
		return n.Timeline.Copy(), nil
	}
	return n.Timeline.CopyAt(*snapshot)
}
