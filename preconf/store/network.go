package store

import (
	"crypto/sha256"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
)

// Network is one kept timeline.
type Network struct {
	store *Store
	name  string
	copied
	turn uint64 // the writer takes networks in this order; a copy comes after what it was copied from

	queue sync.Mutex
	next  []*preconf.Moment // to be written, oldest first; no one continues that before it
	shown time.Time         // when the last of them was put there

	log              // what is in the file; used by Load, then by the writer alone
	origin   *Origin // nil: nothing is kept yet
	now      *now
	essence  [sha256.Size]byte // of the Moment in the file, see essential
	previous *chain.Chain      // of the Moment in the file; nil: not yet known
	present  *preconf.Moment   // the last one taken from the queue
	codes    map[common.Hash]bool

	loading
}

// now is the newest Moment as the file has it, without its blocks.
type now struct {
	Head  position // of the head's block
	Last  position // of the log
	Wall  int64    // what the wall clock read when the Moment began, in nanoseconds since the Unix epoch
	Clean bool     // the Store was closed after it
	Saved *preconf.Saved
}

func newNetwork(s *Store, name string) *Network {
	return &Network{store: s, name: name, log: newLog(), codes: make(map[common.Hash]bool)}
}

// Name returns the network's name.
func (n *Network) Name() string { return n.name }

// Follow keeps the timeline's Moments from now on. Its chain is that of Load, or tracks its States; then the network
// must be new. Copies must be loaded before that of which they are copies is followed.
func (n *Network) Follow(t *preconf.Timeline) {
	n.endLoading()
	t.Keep(func(m *preconf.Moment) {
		if !n.dropped.Load() {
			n.put(m)
			n.store.changed(n)
		}
	})
}

// put queues a Moment to be written. One that it continues need not be: nothing of that is lost.
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

// continues reports whether all blocks of an earlier Moment's chain are in that of m.
func continues(m, earlier *preconf.Moment) bool {
	head := earlier.Sealed().Head()
	return m.Sealed().BlockByNumber(head.Number()) == head
}

// take returns the queue, and when the last of it was put there, and empties it.
func (n *Network) take() ([]*preconf.Moment, time.Time) {
	n.queue.Lock()
	defer n.queue.Unlock()
	moments := n.next
	n.next = nil
	return moments, n.shown
}

// giveBack puts Moments in front of the queue again.
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
	return &DamageError{Path: n.store.path, Network: n.name, Err: err}
}
