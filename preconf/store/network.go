package store

import (
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
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
	name  Name
	copied
	turn uint64 // the writer takes networks in this order; a copy comes after its source

	queue sync.Mutex
	next  []*preconf.Moment // to be written, oldest first; none continues the one before it
	shown time.Time         // when the last of them was queued

	log              // the records in the file; used by Load, then by the writer alone
	origin   *Origin // nil: the file does not have the network yet
	now      *now
	essence  essence         // of the Moment in the file
	previous *chain.Chain    // of the Moment in the file; nil: not yet known
	present  *preconf.Moment // the last one taken from the queue
	codes    map[common.Hash]bool

	loading
}

// now is the newest Moment in the file, without its blocks.
type now struct {
	Head  position // of the head's block
	Last  position // of the log
	Wall  int64    // the wall clock when the Moment began, in nanoseconds since the Unix epoch
	Clean bool     // the Store was closed after it
	Saved *preconf.Saved
}

func newNetwork(s *Store, name Name) *Network {
	return &Network{store: s, name: name, log: newLog(), codes: make(map[common.Hash]bool)}
}

// Name returns the network's name.
func (n *Network) Name() Name { return n.name }

// Keep writes the timeline's Moments to the file from now on. The timeline's chain must be the one that Load returned;
// for a new network it may be any chain that tracks its States. All copies of a network must be loaded before the
// network is kept.
func (n *Network) Keep(t *preconf.Timeline) {
	n.endLoading()
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
	if last := len(n.next) - 1; last >= 0 && continues(m, n.next[last]) {
		n.next[last] = m
		return
	}
	n.next = append(n.next, m)
}

// continues reports whether the chain of m has all blocks of an earlier Moment's chain.
func continues(m, earlier *preconf.Moment) bool {
	head := earlier.Sealed().Head()
	return m.Sealed().BlockByNumber(head.Number()) == head
}

// take empties the queue and returns it, and the time when the last Moment was queued.
func (n *Network) take() ([]*preconf.Moment, time.Time) {
	n.queue.Lock()
	defer n.queue.Unlock()
	moments := n.next
	n.next = nil
	return moments, n.shown
}

// giveBack puts Moments at the front of the queue again.
func (n *Network) giveBack(moments []*preconf.Moment) {
	if len(moments) == 0 {
		return
	}
	n.queue.Lock()
	defer n.queue.Unlock()
	later := n.next
	n.next = moments
	for _, m := range later {
		if last := len(n.next) - 1; continues(m, n.next[last]) {
			n.next[last] = m
		} else {
			n.next = append(n.next, m)
		}
	}
}

func (n *Network) damaged(err error) error {
	return &DamageError{Path: n.store.path, Network: n.name.String(), Err: err}
}
