package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/preconf"
)

// copied is what a Network is beside its timeline where it was copied from another.
type copied struct {
	source     *Network // that it was copied from; nil: it is no copy
	made       time.Time
	notBefore  time.Time // nothing is written of it before; zero: it was read from the file
	dropped    atomic.Bool
	dependents int  // copies of it that still need what the file has of it; guarded by Store.mutex
	queued     bool // it is in Store.unwritten; guarded by Store.mutex

	// What follows is used while the file is read, then by the writer alone.
	id    uint64     // its key in the file; 0: it is not there yet
	basis *Network   // whose log its own goes on from: source, or what that was copied from
	begun position   // the last record of that log that is also its own
	forks []*Network // copies whose logs begin with records of its log that are not read yet, by begun
	start index      // of its log, when that was begun
	gone  bool       // it is dropped, and nothing of it is in the file
}

// young is for how long nothing of a new copy is written, so that one that is dropped by then costs nothing. A block is
// kept within 200 ms all the same: keptWithin counts from then.
const young = 50 * time.Millisecond

// copyRecord is how the file tells what a copy is.
type copyRecord struct {
	Name  string
	Of    string   `json:",omitempty"` // name of the network whose log it goes on from, unless that is a copy
	Copy  uint64   `json:",omitempty"` // id of that network, if it is a copy
	Begun position // the last record of that log that is also its own
	Made  int64    // in nanoseconds since the Unix epoch
}

var (
	copiesBucket = []byte("copies") // by id
	copyKey      = []byte("copy")   // in the place of genesisKey
)

// Copy returns a network for a timeline that was copied from that of n, and follows it. The file shares what both have
// in common, and has nothing of the copy during its first 50 ms. made is when the copy was made, for whoever reads the
// file. It returns nil if n is dropped: then the copy is not kept.
func (n *Network) Copy(name string, made time.Time, t *preconf.Timeline) *Network {
	c := newNetwork(n.store, name)
	c.source, c.made, c.notBefore = n, made, time.Now().Add(young)
	if !n.store.admit(c) {
		return nil
	}
	c.Follow(t)
	return c
}

// admit lets a copy in unless what it is a copy of is dropped.
func (s *Store) admit(c *Network) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if c.source.dropped.Load() {
		return false
	}
	s.enter(c)
	return true
}

// enter lets a copy in; the caller holds mutex.
func (s *Store) enter(c *Network) {
	c.source.dependents++
	s.turns++
	c.turn = s.turns
	s.followed[c] = true
}

// Made returns when a copy was made.
func (n *Network) Made() time.Time { return n.made }

// Copies returns the copies that the file has, oldest first. Those that Salvage cannot read are not among them, see
// Lost.
func (s *Store) Copies() []*Network {
	return slices.DeleteFunc(slices.Clone(s.copies), func(n *Network) bool { return n.now == nil })
}

// Drop ends the keeping of a copy. What the file has of it is deleted, as far as no copy of it needs that.
func (n *Network) Drop() {
	n.dropped.Store(true)
	n.store.mutex.Lock()
	delete(n.store.followed, n)
	n.store.mutex.Unlock()
	n.take()
	n.store.changed(n)
}

// drop deletes from the file what nobody needs any more after a copy was dropped.
func (b *batch) drop() {
	n, s := b.network, b.network.store
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if n.dependents > 0 && n.now != nil {
		was := n.now
		b.undo = append(b.undo, func() { n.now = was })
		b.puts = append(b.puts, put{nil, nowKey, nil})
		n.now, n.present, n.previous = nil, nil, nil
	}
	for ; n.dropped.Load() && n.dependents == 0 && !n.gone; n = n.source {
		n := n
		if n.id != 0 {
			b.deleted = append(b.deleted, n.id)
		}
		n.gone = true
		n.source.dependents--
		b.undo = append(b.undo, func() {
			s.mutex.Lock()
			defer s.mutex.Unlock()
			n.gone = false
			n.source.dependents++
		})
		n.present, n.previous = nil, nil
	}
}

// beginCopy begins the log of a copy where that of its source is now. The two differ then as their chains do, which
// addChain writes. A source that was dropped before it was written is passed over.
func (b *batch) beginCopy() error {
	n := b.network
	basis := n.source
	for basis.id == 0 && basis.source != nil {
		basis = basis.source
	}
	if basis.origin == nil {
		return errors.New("nothing is kept of what it is a copy of")
	}
	b.undo = append(b.undo, func() {
		n.basis, n.begun, n.log, n.origin, n.previous, n.id = nil, 0, newLog(), nil, nil, 0
	})
	n.basis, n.begun, n.log, n.origin, n.previous = basis, basis.last(), basis.fork(), basis.origin, basis.previous
	n.store.lastID++
	n.id = n.store.lastID
	record := copyRecord{Name: n.name, Begun: n.begun, Made: n.made.UnixNano()}
	if basis.source == nil {
		record.Of = basis.name
	} else {
		record.Copy = basis.id
	}
	text, err := json.Marshal(record)
	b.puts = append(b.puts, put{nil, copyKey, text})
	return err
}

// hasCode reports whether the file has a code for the network.
func (n *Network) hasCode(hash [32]byte) bool {
	for ; n != nil; n = n.basis {
		if n.codes[hash] {
			return true
		}
	}
	return false
}

// root returns the network that is no copy and that n is a copy of, maybe by way of others.
func (n *Network) root() *Network {
	for n.source != nil {
		n = n.source
	}
	return n
}

// readCopies reads what is a copy of what, and calls failed with the errors.
func (s *Store) readCopies(copies *bbolt.Bucket, failed func(name string, err error) error) error {
	if copies == nil {
		return nil
	}
	byID := make(map[uint64]*Network)
	return copies.ForEachBucket(func(id []byte) error {
		n := newNetwork(s, fmt.Sprintf("copy %x", id))
		if err := guarded(func() error { return n.readCopy(id, copies.Bucket(id), byID) }); err != nil {
			return failed(n.name, err)
		}
		byID[n.id] = n
		s.copies = append(s.copies, n)
		s.lastID = max(s.lastID, n.id)
		return nil
	})
}

// readCopy reads what the copy is.
func (n *Network) readCopy(id []byte, bucket *bbolt.Bucket, earlier map[uint64]*Network) error {
	text, err := unsealed(copyKey, bucket.Get(copyKey))
	if err != nil {
		return err
	}
	var record copyRecord
	if err := json.Unmarshal(text, &record); err != nil {
		return err
	}
	if len(id) != 8 {
		return errors.New("its key is not a number")
	}
	n.id, n.name, n.made, n.begun = binary.BigEndian.Uint64(id), record.Name, time.Unix(0, record.Made), record.Begun
	n.basis = earlier[record.Copy]
	if record.Copy == 0 {
		n.basis = n.store.networks[record.Of]
	}
	if n.basis == nil {
		return errors.New("what it is a copy of is missing")
	}
	n.source = n.basis
	n.store.enter(n)
	if bucket.Get(nowKey) == nil { // it was dropped, and others need its log
		n.dropped.Store(true)
		delete(n.store.followed, n)
	}
	at, _ := slices.BinarySearchFunc(n.basis.forks, n.begun+1, func(c *Network, begun position) int {
		if c.begun < begun {
			return -1
		}
		return 1
	})
	n.basis.forks = slices.Insert(n.basis.forks, at, n)
	return nil
}

// beginForks begins the logs of copies that have the records of n up to the last one read so far.
func (n *Network) beginForks() {
	for len(n.forks) > 0 && n.forks[0].begun == n.last() {
		c := n.forks[0]
		c.log, c.origin = n.fork(), n.origin
		c.start = c.index
		n.forks = n.forks[1:]
	}
}
