package world

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Network is a network of a world with everything that serves it. It implements api.Worlds for the requests to it.
type Network struct {
	api.Network // Endpoint, Streams and Feed are nil before onWire
	world       *World
	name        NetworkName
	connect     sync.Once
	connected   atomic.Bool // connect is done
	unwatch     func()      // ends what Config.Watch began
	tap         jsonrpc.Tap // nil without Config.Tap
	replicas    replicas
	of          *Network // that it is a replica of; nil: it is none
}

// serve makes a network of the world.
func (w *World) serve(name NetworkName, timeline *preconf.Timeline) *Network {
	n := &Network{world: w, name: name, unwatch: func() {}}
	w.table.server.Serve(n, timeline)
	n.Worlds = n
	if watch := w.table.config.Watch; watch != nil {
		n.unwatch = sync.OnceFunc(watch(timeline, Path{World: w.name, Network: name}))
	}
	if tap := w.table.config.Tap; tap != nil {
		n.tap = tap(n)
	}
	n.serveReplicas()
	return n
}

// onWire returns n with its endpoint, streams and feed. They are made when they are first needed: most nodes are never
// asked on their test network, and many not at all.
func (n *Network) onWire() *Network {
	n.connect.Do(func() {
		n.world.table.server.Connect(n)
		n.connected.Store(true)
	})
	return n
}

// Name returns the network's name in its world.
func (n *Network) Name() NetworkName { return n.name }

// World returns the world that the network is part of.
func (n *Network) World() *World { return n.world }

// Tap returns the tap of the network's endpoint, nil without one.
func (n *Network) Tap() jsonrpc.Tap { return n.tap }

func (n *Network) NewWorld(name *string, snapshot *uint64, owner string, ttl time.Duration) (api.World, error) {
	o := Options{Owner: owner, TTL: ttl}
	if name != nil {
		if *name == "" {
			return api.World{}, &NameError{}
		}
		o.Name = *name
	}
	if n.name == Testnet {
		o.TestnetSnapshot = snapshot
	} else {
		o.Snapshot = snapshot
	}
	w, err := n.world.table.NewWorld(n.world, o)
	if err != nil {
		return api.World{}, err
	}
	return w.describe(), nil
}

func (n *Network) CloseWorld(name string) error {
	w, err := n.world.table.Lookup(name)
	if err != nil {
		return err
	}
	n.world.table.CloseWorld(w)
	return nil
}

func (n *Network) ListWorlds() []api.World {
	worlds := n.world.table.Worlds()
	described := make([]api.World, len(worlds))
	for i, w := range worlds {
		described[i] = w.describe()
	}
	return described
}

// describe returns the description of the world for methods.
func (w *World) describe() api.World {
	d := api.World{
		Name: w.name, Path: w.Path(), Head: w.main.Timeline.Moment().Latest().Number(), Clients: w.clients(),
		Made: w.created, Owner: w.owner, TTL: w.ttl,
	}
	if w.testnet != nil {
		d.TestnetPath = w.PathOf(Testnet)
	}
	if w.l1 != nil {
		d.L1Path = w.PathOf(L1)
	}
	return d
}

// copyAt returns an independent copy of the network's timeline, at present or at a snapshot.
func (n *Network) copyAt(snapshot *uint64) (*preconf.Timeline, error) {
	if snapshot == nil {
		return n.Timeline.Copy(), nil
	}
	return n.Timeline.CopyAt(*snapshot)
}
