package fakenode

import (
	"github.com/fakenode/fakenode/rpcserver/world"
)

// NewWorld makes an independent copy of the node's networks as they are now, or as they were at snapshots, and serves
// it on the same port at a path of its own, /w/NAME: for programs in other processes. In Go, Clone does the same
// without a port. The world has no snapshots, filters, faults and journal yet. Close closes it; the node's Close and
// the end of the test that owns the node do, too; only the first takes it out of the file of Config.State. The error
// names what is wrong with o, or reports that there are too many worlds (Config.Worlds).
func (n *Node) NewWorld(o WorldOptions) (*Node, error) {
	w, err := n.host.server.NewWorld(n.world, o)
	if err != nil {
		return nil, err
	}
	return n.nodeOf(w), nil
}

// World returns the world of that name, whoever made it. It fails the test, or panics outside one, when there is none.
func (n *Node) World(name string) *Node {
	n.t.Helper()
	w, err := n.host.server.Lookup(name)
	n.check(err)
	if err != nil {
		return nil
	}
	return n.nodeOf(w)
}

// NetworkAt returns the network that the node serves at a URL path, such as "/", "/testnet", "/w/NAME" or
// "/w/NAME/testnet". It returns nil if there is none.
func (n *Node) NetworkAt(path string) *Network {
	p, err := world.ParsePath(path)
	if err != nil || p.Feed || p.Replica != 0 {
		return nil
	}
	node := n
	if p.World != "" {
		w, err := n.host.server.Lookup(p.World)
		if err != nil {
			return nil
		}
		node = n.nodeOf(w)
	}
	switch p.Network {
	case world.Testnet:
		return node.testnet
	case world.L1:
		return node.l1
	}
	return node.Network
}

// Name returns the name of a world. It is empty for a node that is no world.
func (n *Node) Name() string { return n.world.Name }

func (n *Node) isWorld() bool { return n.world != n.host.server.World }

// nodeOf returns a Node for a world that the node's server serves.
func (n *Node) nodeOf(w *world.World) *Node {
	return (&Node{config: n.config, accounts: n.accounts, host: n.host, t: n.t}).of(w)
}
