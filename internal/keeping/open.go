package keeping

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// Open returns the file of o.Path, and keeps the node that it has from now on. A file without a node has no Main yet,
// and waits for Begin. The error reports that the file is damaged, in use, or has another node than o.Expected and
// o.Fork. A rejected file is left unchanged.
func Open(o Options) (*File, error) {
	if o.Damaged != "" {
		if err := o.recover(); err != nil {
			return nil, err
		}
	}
	kept, err := store.Open(o.Path, o.storeOptions())
	if err != nil {
		return nil, o.offer(err)
	}
	f := &File{store: kept, logger: o.Logger, networks: make(map[*preconf.Timeline]*store.Network)}
	if kept.Network(mainNetwork).Origin == nil {
		return f, nil
	}
	if err := f.resume(o); err != nil {
		unclosed := kept.Close() // before it is read again
		return nil, errors.Join(o.offer(err), unclosed)
	}
	return f, nil
}

// Begin keeps a new node in a file that has none. It returns when the file has it.
func (f *File) Begin(main, testnet *preconf.Timeline) error {
	f.Main, f.Testnet = main, testnet
	return <-f.store.Together(func() { f.keepAll(ownIn(f.store), World{Main: main, Testnet: testnet}) }) // a part is refused
}

// resume makes the node and its worlds again from the file, and keeps them. It loads everything before it keeps
// anything, because the copies of a network must be loaded first.
func (f *File) resume(o Options) error {
	l, own := &loader{Options: o, path: o.Path}, ownIn(f.store)
	if err := l.open(own); err != nil {
		return err
	}
	node, err := l.node(own)
	if err == nil {
		err = l.check(node.Main.Moment().Chain())
	}
	if err != nil {
		return err
	}
	f.Main, f.Testnet = node.Main, node.Testnet
	var resumed []*networks
	for _, w := range worldsIn(f.store) {
		switch {
		case o.WithoutWorlds:
			continue
		case !w.whole(o.Below != nil): // one of its networks was reset to another chain
			for _, n := range w.all() {
				n.Drop()
			}
			continue
		}
		world, err := l.node(w)
		if err != nil {
			return fmt.Errorf("world %s: %w", w.name, err)
		}
		f.Worlds, resumed = append(f.Worlds, world), append(resumed, w)
	}
	f.keepAll(own, node)
	for i, w := range resumed {
		f.keepAll(w, f.Worlds[i])
	}
	return nil
}

// keepAll keeps a node or world as networks in the file.
func (f *File) keepAll(as *networks, w World) {
	f.keep(as.main, w.Main)
	f.keep(as.testnet, w.Testnet)
	if below := w.Main.Below(); below != nil {
		f.keep(as.l1, below)
	}
}

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

func (f *File) keep(n *store.Network, t *preconf.Timeline) {
	f.mutex.Lock()
	f.networks[t] = n
	f.mutex.Unlock()
	n.Keep(t)
}

// Keep keeps a timeline that was copied from source, as a network of a world, with what else it has of the world. It
// does nothing unless source is kept.
func (f *File) Keep(copied, source *preconf.Timeline, world, network string, made time.Time, owner string, ttl time.Duration) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	from := f.networks[source]
	if from == nil {
		return
	}
	if n := from.Copy(store.Name{World: world, Network: network}, store.World{Made: made, Owner: owner, TTL: ttl}, copied); n != nil {
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
		f.logger.Warn("a world is not kept any more", "network", n.Name.String(), "reason", "it was reset to another chain")
	}
}

// Close writes the remaining changes and closes the file. The error reports a failed write.
func (f *File) Close() error { return f.store.Close() }

// Options describe a node to Open. Path and Logger must be set.
type Options struct {
	// Path is the file, or a directory for the file fakenode.db.
	Path string
	// Damaged is a damaged file to recover into Path, which must not have a node yet. Empty: none.
	Damaged string
	// Expected describes the node that the file must hold.
	Expected Expected
	// Fork is the fork that the main network must be. Its block may be a tag, which means the block that it meant when
	// the file was begun. Nil: the main network is no fork.
	Fork *remote.Config
	// Chain holds the options of the networks' chains. Rules and Track are set from the file.
	Chain chain.Options
	// Main and Testnet describe the timelines of the networks, without their chains and the L1 below.
	Main, Testnet preconf.Config
	// Below describes the timeline of the L1 below the main network. Nil: there is none.
	Below *preconf.Config
	// WithoutWorlds ignores the worlds in the file and leaves them there.
	WithoutWorlds bool
	// Logger gets warnings for the user.
	Logger *slog.Logger
}

// timeline describes the timeline of a network of that name that begins on a chain.
func (o Options) timeline(network string, on *chain.Chain) preconf.Config {
	config := o.Main
	switch network {
	case testNetwork:
		config = o.Testnet
	case l1Network:
		config = *o.Below
	}
	config.Chain = on
	return config
}

// Expected holds values that the user gave explicitly. Open rejects a file with other ones. Zero fields accept
// anything.
type Expected struct {
	ChainID uint64 // of the main network
	Genesis *chain.Genesis
	Rules   string // Ethereum, or the name of an optimism.Upgrade
}

// Ethereum names the rules of a chain that is not of the OP stack.
const Ethereum = "ethereum"

// storeOptions lets the logger report slow and failed writing.
func (o Options) storeOptions() store.Options {
	return store.Options{
		Progress: func(how string) { o.Logger.Warn(how) },
		Failed: func(err error) {
			if err != nil {
				o.Logger.Error("the state cannot be kept; trying again every second", "error", err)
			} else {
				o.Logger.Warn("the state is kept again", "file", o.Path)
			}
		},
	}
}

// World is a world that the file had when it was opened.
type World struct {
	Name string
	store.World
	Main, Testnet *preconf.Timeline
}

// networks holds the networks of a node or world in a file.
type networks struct {
	name              string         // of the world; empty: the node's own
	main, testnet, l1 *store.Network // nil or without an Origin: it is missing
}

// ownIn returns the node's own networks in a file.
func ownIn(s *store.Store) *networks {
	return &networks{main: s.Network(mainNetwork), testnet: s.Network(testNetwork), l1: s.Network(l1Network)}
}

// worldsIn returns the worlds in a file, oldest first.
func worldsIn(s *store.Store) []*networks {
	var worlds []*networks
	byName := make(map[string]*networks)
	for _, n := range s.Copies() {
		w := byName[n.Name.World]
		if w == nil {
			w = &networks{name: n.Name.World}
			worlds, byName[w.name] = append(worlds, w), w
		}
		switch n.Name.Network {
		case testNetwork:
			w.testnet = n
		case l1Network:
			w.l1 = n
		default:
			w.main = n
		}
	}
	return worlds
}

// has reports whether a network is in its file.
func has(n *store.Network) bool { return n != nil && n.Origin != nil }

// whole reports whether the file has all the networks; l1 reports whether an L1 is one of them.
func (w *networks) whole(l1 bool) bool { return has(w.main) && has(w.testnet) && has(w.l1) == l1 }

// all returns the networks that are in the file.
func (w *networks) all() []*store.Network {
	return slices.DeleteFunc([]*store.Network{w.main, w.testnet, w.l1}, func(n *store.Network) bool { return !has(n) })
}
