package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
)

// Name names a network in a file.
type Name struct {
	World   string // empty: the network is the node's own
	Network string // such as "main"
}

// String returns the name for messages.
func (n Name) String() string {
	if n.World == "" {
		return n.Network
	}
	return n.Network + " of world " + n.World
}

// Network is one network in a file.
type Network struct {
	store *Store
	Name  Name
	copied
	turn uint64 // the writer takes networks in this order; a copy comes after its source

	queue sync.Mutex
	next  []*preconf.Moment // to be written, oldest first; none continues the one before it
	shown time.Time         // when the last of them was queued

	present *preconf.Moment // the last one taken from the queue
	gone    bool            // the copy is dropped, and the file holds nothing of it

	// What the file has of the network. It is used by Load, then by the writer alone.
	log              // the records
	Origin   *Origin // nil: the file does not have the network yet
	now      *now
	previous *chain.Chain // of the Moment in the file; nil: not yet known
	codes    map[common.Hash]bool
	id       uint64   // the key of a copy; 0: it is not there yet
	basis    *Network // the network whose log the copy's log continues: source, or source's own basis
	begun    position // the last record of basis that the copy shares

	loading
}

// now is the newest Moment in the file, without its blocks.
type now struct {
	Head  position // of the head's block
	Last  position // of the log
	Wall  int64    // the wall clock when the Moment began, in nanoseconds since the Unix epoch
	Clean bool     // the Store was closed after it
	Saved *preconf.Saved

	essence essence
}

func newNetwork(s *Store, name Name) *Network {
	return &Network{store: s, Name: name, log: newLog(), codes: map[common.Hash]bool{}}
}

// Keep writes the timeline's Moments to the file from now on. The timeline's chain must be the one that Load returned;
// for a new network it may be any chain that tracks its States. All copies of a network must be loaded before the
// network is kept.
func (n *Network) Keep(t *preconf.Timeline) {
	n.loading.first, n.trunks, n.blocks = nil, nil, nil // only loading needs them
	t.Keep(func(m *preconf.Moment) {
		if !n.dropped.Load() {
			n.put(m)
			n.store.changed(n)
		}
	})
}

// put queues a Moment to be written. It replaces the last queued one if its chain has all of that one's blocks.
func (n *Network) put(m *preconf.Moment) {
	n.queue.Lock()
	defer n.queue.Unlock()
	n.shown = time.Now()
	if last := len(n.next) - 1; last >= 0 {
		if head := n.next[last].Sealed().Head(); m.Sealed().BlockByNumber(head.Number()) == head {
			n.next = n.next[:last]
		}
	}
	n.next = append(n.next, m)
}

// take empties the queue and returns it, and the time when the last Moment was queued.
func (n *Network) take() ([]*preconf.Moment, time.Time) {
	n.queue.Lock()
	defer n.queue.Unlock()
	moments := n.next
	n.next = nil
	return moments, n.shown
}

func (n *Network) damaged(err error) error {
	return &DamageError{Path: n.store.path, Network: n.Name.String(), Err: err}
}

// Origin describes the first block of a network: a genesis, or a block of another chain.
type Origin struct {
	Genesis *chain.Genesis // nil for a fork
	Fork    *Fork          // nil for a genesis
	// Upgrade names the rules of an OP-stack chain. Empty: Ethereum's rules.
	Upgrade string
}

// Fork is the origin of a fork.
type Fork struct {
	remote.Point
	Rules *params.ChainConfig `json:"rules"` // of the blocks above
}

func originOf(c *chain.Chain) *Origin {
	o := &Origin{Genesis: c.Genesis()}
	if fork := c.Fork(); fork != nil {
		o.Fork = &Fork{fork.Point(), c.Config()}
	}
	if rules := c.Optimism; rules != nil {
		o.Upgrade = rules.Upgrade.Name
	}
	return o
}

// puts returns the origin of a chain as values of the network's bucket.
func (o *Origin) puts(c *chain.Chain) ([]put, error) {
	var puts []put
	var err error
	if o.Fork != nil {
		var text []byte
		text, err = json.Marshal(o.Fork)
		puts = append(puts, sets(nil, forkKey, text))
	} else {
		var text bytes.Buffer
		err = c.ExportGenesis(&text)
		puts = append(puts, sets(nil, genesisKey, text.Bytes()))
	}
	if o.Upgrade != "" {
		puts = append(puts, sets(nil, upgradeKey, []byte(o.Upgrade)))
	}
	return puts, err
}

func readOrigin(bucket *bbolt.Bucket) (*Origin, error) {
	o := new(Origin)
	name, into := genesisKey, any(&o.Genesis)
	if bucket.Get(forkKey) != nil {
		name, into = forkKey, &o.Fork
	}
	text, err := unsealed(name, bucket.Get(name))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err == nil && (o.Genesis == nil && o.Fork == nil || o.Fork != nil && (o.Fork.Rules == nil || o.Fork.Rules.ChainID == nil)) {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if sealed := bucket.Get(upgradeKey); sealed != nil {
		if text, err = unsealed(upgradeKey, sealed); err != nil {
			return nil, fmt.Errorf("%s: %w", upgradeKey, err)
		}
		o.Upgrade = string(text)
	}
	return o, nil
}

// first returns the chain of the first block. On a fork its State is the other chain's: the log has all changes, also
// those before the first block was made.
func (n *Network) first(fork *remote.Fork, o chain.Options) (*chain.Chain, error) {
	if n.Origin.Fork == nil {
		c, err := chain.New(n.Origin.Genesis, o)
		if err != nil {
			return nil, n.damaged(err)
		}
		return c, nil
	}
	if fork == nil || fork.Point() != n.Origin.Fork.Point {
		return nil, fmt.Errorf("%s is of a fork of %s", n.store.path, n.Origin.Fork)
	}
	return chain.NewFork(fork, n.Origin.Fork.Rules, evmstate.StateFromSource(fork.At(fork.Number())), o)
}

// setBase sets the root of the first block's State before any change.
func (l *log) setBase(c *chain.Chain) {
	root := &l.at(0).root
	*root = c.BlockByNumber(c.Base()).Header().Root
	if c.Fork() != nil {
		*root = types.EmptyRootHash // roots cover only changes
	}
}
