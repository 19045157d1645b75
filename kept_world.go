package fakenode

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
	"github.com/fakenode/fakenode/rpcserver"
)

// keeping is where a network is kept in the file of Config.State. All who hold the Network share it.
type keeping struct {
	source *store.Network                // that the network is a copy of, until it is kept itself
	kept   atomic.Pointer[store.Network] // nil: not yet, or not any more
}

func keepingIn(kept *store.Network) *keeping {
	k := new(keeping)
	k.kept.Store(kept)
	return k
}

// copied returns where a copy of the network is to be kept.
func (k *keeping) copied() *keeping {
	if k == nil {
		return nil
	}
	return &keeping{source: k.kept.Load()}
}

// keep begins to keep the network of a new world, unless what it is a copy of is not kept. Its name in the file is its
// URL path.
func (n *Network) keep(w *rpcserver.World) {
	if n.keeping == nil || n.keeping.source == nil {
		return
	}
	n.keeping.kept.Store(n.keeping.source.Copy(w.PathOf(n.name), w.Created(), n.timeline))
	n.keeping.source = nil
}

// forget ends the keeping of a world's network. Its user is told the reason, unless that is empty.
func (n *Network) forget(reason string) {
	if n.keeping == nil {
		return
	}
	kept := n.keeping.kept.Swap(nil)
	if kept == nil {
		return
	}
	kept.Drop()
	if reason != "" {
		n.node.config.logger().Warn("a world is not kept any more", "path", kept.Name(), "reason", reason)
	}
}

// keptWorld is a world that is kept.
type keptWorld struct {
	name          string
	main, testnet *store.Network // nil: it is not there

	mainTimeline, testTimeline *preconf.Timeline
}

// worldsIn returns the worlds of a file, oldest first.
func worldsIn(kept *store.Store) []*keptWorld {
	var worlds []*keptWorld
	byName := make(map[string]*keptWorld)
	for _, n := range kept.Copies() {
		name, isTestnet := strings.CutSuffix(strings.TrimPrefix(n.Name(), rpcserver.WorldPath), rpcserver.TestnetPath)
		w := byName[name]
		if w == nil {
			w = &keptWorld{name: name}
			worlds, byName[name] = append(worlds, w), w
		}
		if isTestnet {
			w.testnet = n
		} else {
			w.main = n
		}
	}
	return worlds
}

// keptWorlds returns the worlds that are kept, ready to go on. Where worlds are switched off they stay in the file as
// they are.
func (c Config) keptWorlds(kept *store.Store, fork *remote.Fork) (worlds []*keptWorld, err error) {
	if c.Worlds < 0 || c.NoControl {
		return nil, nil
	}
	for _, w := range worldsIn(kept) {
		if w.main == nil || w.testnet == nil {
			w.drop()
			continue
		}
		if w.mainTimeline, err = c.goOn(w.main, fork); err == nil {
			w.testTimeline, err = c.goOn(w.testnet, nil)
		}
		if err != nil {
			return nil, fmt.Errorf("world %s: %w", w.name, err)
		}
		worlds = append(worlds, w)
	}
	return worlds, nil
}

// drop takes what is left of a world out of the file: one of its networks was reset to another chain.
func (w *keptWorld) drop() {
	for _, n := range []*store.Network{w.main, w.testnet} {
		if n != nil {
			n.Drop()
		}
	}
}

// resumeWorld serves a world that was kept, and keeps it.
func (n *Node) resumeWorld(w *keptWorld) error {
	served := func(of *Network, timeline *preconf.Timeline, kept *store.Network) *rpcserver.Network {
		network := *of
		network.timeline, network.keeping = timeline, keepingIn(kept)
		return network.served(keysOf(n.accounts))
	}
	_, err := n.host.server.Resume(w.name, w.main.Made(), served(n.Network, w.mainTimeline, w.main), served(n.testnet, w.testTimeline, w.testnet))
	if err != nil {
		return fmt.Errorf("%s: world %s: %w", n.config.State, w.name, err)
	}
	w.main.Follow(w.mainTimeline)
	w.testnet.Follow(w.testTimeline)
	return nil
}

// recoverWorld returns what is whole of a world in a damaged file, by the names of its networks there. The error
// reports why the world has to be left out.
func (c Config) recoverWorld(w *keptWorld, fork *remote.Fork, start time.Time) (map[string]*preconf.Saved, error) {
	if w.main == nil || w.testnet == nil {
		return nil, errors.New("one of its networks is missing")
	}
	moments := make(map[string]*preconf.Saved)
	for _, n := range []*store.Network{w.main, w.testnet} {
		kept, err := c.load(n, fork)
		if err != nil {
			return nil, err
		}
		timeline, err := c.timeline(preconf.Config{Chain: kept.Chain, Start: start})
		if err != nil {
			return nil, err
		}
		if moments[n.Name()], err = timeline.Moment().Saved(); err != nil {
			return nil, err
		}
	}
	return moments, nil
}
