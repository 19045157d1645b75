package store

import (
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
)

// Network is one kept timeline.
type Network struct {
	store *Store
	name  string

	queue sync.Mutex
	next  []*preconf.Moment // to be written, oldest first; no one continues that before it

	log              // what is in the file; used by Load, then by the writer alone
	origin   *Origin // nil: nothing is kept yet
	now      *now
	essence  []byte          // of the Moment in the file, see essential
	previous *chain.Chain    // of the Moment in the file; nil: not yet known
	present  *preconf.Moment // the last one taken from the queue
	codes    map[common.Hash]bool
}

// now is the newest Moment as the file has it, without its blocks.
type now struct {
	Head  position // of the head's block
	Last  position // of the log
	Wall  int64    // when it was written, in nanoseconds since the Unix epoch
	Clean bool     // the Store was closed after it
	Saved *preconf.Saved
}

// Kept is what a network was when its last Moment was written.
type Kept struct {
	Chain *chain.Chain
	Saved *preconf.Saved
	// Written is when that was, by the wall clock.
	Written time.Time
}

func newNetwork(s *Store, name string) *Network {
	return &Network{store: s, name: name, log: newLog(), codes: make(map[common.Hash]bool)}
}

// Load returns what is kept of the network, or nil if nothing is. It must be called before Follow. fork is what the
// Origin's Fork names, nil for a genesis. Error: *DamageError, or what a fork's first block needs and cannot be had.
func (n *Network) Load(fork *remote.Fork, o chain.Options) (*Kept, error) {
	if n.now == nil {
		return nil, nil
	}
	o.Track = true
	c, err := n.first(fork, o)
	if err != nil {
		return nil, err
	}
	start, err := c.StateAt(c.Head())
	if err != nil {
		return nil, err
	}
	state, past, err := n.headState(start)
	if err != nil {
		return nil, n.damaged(err)
	}
	kept := chain.Kept{Head: state, Past: past.of}
	kept.Blocks, kept.Orphans = n.split(n.now.Head)
	c, err = c.Restore(kept)
	if err != nil {
		return nil, n.damaged(err)
	}
	n.previous = c
	n.loaded = past.states
	n.read = n.last()
	return &Kept{Chain: c, Saved: n.now.Saved, Written: time.Unix(0, n.now.Wall)}, nil
}

// Follow keeps the timeline's Moments from now on. Its chain is that of Load, or tracks its States; then the network
// must be new.
func (n *Network) Follow(t *preconf.Timeline) {
	t.Keep(func(m *preconf.Moment) {
		n.put(m)
		n.store.wakeUp()
	})
}

// put queues a Moment to be written. One that it continues need not be: nothing of that is lost.
func (n *Network) put(m *preconf.Moment) {
	n.queue.Lock()
	defer n.queue.Unlock()
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

// take returns the queue and empties it.
func (n *Network) take() []*preconf.Moment {
	n.queue.Lock()
	defer n.queue.Unlock()
	moments := n.next
	n.next = nil
	return moments
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
