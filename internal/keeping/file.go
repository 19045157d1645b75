package keeping

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// The names of a node's networks in its file.
const (
	mainNetwork = "main"
	testNetwork = "testnet"
	l1Network   = "l1"
)

// File is an open file, with the node that it keeps. It is safe for concurrent use.
type File struct {
	// Main and Testnet are the node's own networks, and Worlds its worlds, as they were when the file was opened.
	Main, Testnet *preconf.Timeline
	Worlds        []World

	store  *store.Store
	logger *slog.Logger

	mutex    sync.Mutex
	networks map[*preconf.Timeline]*store.Network // the networks being kept
}

func newFile(s *store.Store, o Options) *File {
	return &File{store: s, logger: o.Logger, networks: make(map[*preconf.Timeline]*store.Network)}
}

// keep keeps a timeline as a network of the file.
func (f *File) keep(n *store.Network, t *preconf.Timeline) {
	f.mutex.Lock()
	f.networks[t] = n
	f.mutex.Unlock()
	n.Keep(t)
}

// Keep keeps a timeline that was copied from source, as a network of a world. It does nothing unless source is kept.
// made is when the world was made.
func (f *File) Keep(copied, source *preconf.Timeline, world, network string, made time.Time) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	from := f.networks[source]
	if from == nil {
		return
	}
	if n := from.Copy(store.Name{World: world, Network: network}, made, copied); n != nil {
		f.networks[copied] = n
	}
}

// Forget removes a world's network from the file, because the world was closed.
func (f *File) Forget(t *preconf.Timeline) {
	f.mutex.Lock()
	n := f.networks[t]
	delete(f.networks, t)
	f.mutex.Unlock()
	if n != nil {
		n.Drop()
	}
}

// ErrOneChain is returned by MayLeave for the node's own networks.
var ErrOneChain = errors.New("the network is kept in a state file, which is of one chain: it can be reset without forking only")

// MayLeave returns ErrOneChain if the network cannot begin anew on another chain.
func (f *File) MayLeave(t *preconf.Timeline) error {
	if t == f.Main || t == f.Testnet {
		return ErrOneChain
	}
	return nil
}

// Leave removes a world's network from the file, because it begins anew on another chain.
func (f *File) Leave(t *preconf.Timeline) {
	f.mutex.Lock()
	n := f.networks[t]
	f.mutex.Unlock()
	f.Forget(t)
	if n != nil {
		f.logger.Warn("a world is not kept any more", "network", n.Name().String(), "reason", "it was reset to another chain")
	}
}

// Close writes the remaining changes and closes the file. The error reports a failed write.
func (f *File) Close() error { return f.store.Close() }
