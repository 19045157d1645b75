package store

import (
	"cmp"
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

// copied relates a Network to its source and its copies.
type copied struct {
	source     *Network // nil: the network is no copy
	World      World
	notBefore  time.Time // the copy is not written earlier; zero: it was read from the file
	dropped    atomic.Bool
	dependents int  // copies that still need its log; guarded by Store.mutex
	queued     bool // it is in Store.unwritten; guarded by Store.mutex

	// These fields are used while the file is read.
	branches []*Network // copies whose logs branch off at records not yet read, ordered by begun
	start    index      // of the copy's log as of begun
}

// young is the age before which a new copy is not written, so that one that is dropped soon costs nothing. Its blocks
// are still kept within 200 ms: writtenWithin leaves room for it.
const young = 50 * time.Millisecond

// World describes the world that a copy is a network of.
type World struct {
	Made  time.Time
	Owner string        // empty: it has none
	TTL   time.Duration // 0: however long it is idle
}

type copyRecord struct {
	World   string   `json:",omitempty"`
	Network string   `json:",omitempty"`
	Of      string   `json:",omitempty"` // name of the basis, unless that is a copy
	Copy    uint64   `json:",omitempty"` // id of the basis, if that is a copy
	Begun   position // the last record of the basis that the copy shares
	Made    int64    // in nanoseconds since the Unix epoch
	Owner   string   `json:",omitempty"`
	TTL     int64    `json:",omitempty"` // in nanoseconds
}

var (
	copiesBucket = []byte("copies") // by id
	copyKey      = []byte("copy")   // in place of genesisKey
)

// Copy keeps a timeline that was copied from the timeline of n, and returns its network. The two share their common
// records in the file, and nothing of the copy is written during its first 50 ms. Copy returns nil if n is dropped:
// then the copy is not kept.
func (n *Network) Copy(name Name, world World, t *preconf.Timeline) *Network {
	c := newNetwork(n.store, name)
	c.source, c.World, c.notBefore = n, world, time.Now().Add(young)
	if !n.store.admit(c) {
		return nil
	}
	c.Keep(t)
	return c
}

// admit adds a copy unless its source is dropped.
func (s *Store) admit(c *Network) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if c.source.dropped.Load() {
		return false
	}
	s.enter(c)
	return true
}

// enter adds a copy; the caller holds mutex.
func (s *Store) enter(c *Network) {
	c.source.dependents++
	s.turns++
	c.turn = s.turns
	s.present[c] = true
}

// Copies returns the copies that were in the file when it was opened, oldest first, without Lost ones.
func (s *Store) Copies() []*Network {
	return slices.DeleteFunc(slices.Clone(s.copies), func(n *Network) bool { return n.now == nil })
}

// Drop removes a copy from the file. Its log stays as long as other copies need it.
func (n *Network) Drop() {
	n.dropped.Store(true)
	n.store.mutex.Lock()
	delete(n.store.present, n)
	n.store.mutex.Unlock()
	n.take()
	n.store.changed(n)
}

// drop deletes a dropped copy, and the sources that only it needed.
func (b *batch) drop() {
	n, s := b.network, b.network.store
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if n.dependents > 0 && n.now != nil {
		b.puts = append(b.puts, put{Key: nowKey}, put{Key: headKey})
		n.now, n.present, n.previous = nil, nil, nil
	}
	for ; n.dropped.Load() && n.dependents == 0 && !n.gone; n = n.source {
		if n.id != 0 {
			b.deleted = append(b.deleted, n)
		}
		n.gone = true
		n.source.dependents--
		n.present, n.previous = nil, nil
	}
}

// beginCopy begins the log of a copy at the last record of its source; addChain writes the differences of their chains.
// It skips a source that was dropped before it was written.
func (b *batch) beginCopy() error {
	n := b.network
	basis := n.source
	for basis.id == 0 && basis.source != nil {
		basis = basis.source
	}
	if basis.Origin == nil {
		return errors.New("its source is not in the file")
	}
	n.basis, n.begun, n.log, n.Origin, n.previous = basis, basis.last(), basis.branch(), basis.Origin, basis.previous
	n.store.lastID++
	n.id = n.store.lastID
	record := copyRecord{
		World: n.Name.World, Network: n.Name.Network, Begun: n.begun,
		Made: n.World.Made.UnixNano(), Owner: n.World.Owner, TTL: int64(n.World.TTL),
	}
	if basis.source == nil {
		record.Of = basis.Name.Network
	} else {
		record.Copy = basis.id
	}
	text, err := json.Marshal(record)
	b.puts = append(b.puts, sets(nil, copyKey, text))
	return err
}

// hasCode reports whether the file has a code, with the network or one of its bases.
func (n *Network) hasCode(hash [32]byte) bool {
	for ; n != nil; n = n.basis {
		if n.codes[hash] {
			return true
		}
	}
	return false
}

// root returns the network at the end of the line of sources.
func (n *Network) root() *Network {
	for n.source != nil {
		n = n.source
	}
	return n
}

// readCopies reads the descriptions of the copies. It calls failed for one that cannot be read.
func (s *Store) readCopies(copies *bbolt.Bucket, failed func(name string, err error) error) error {
	if copies == nil {
		return nil
	}
	byID := make(map[uint64]*Network)
	return copies.ForEachBucket(func(id []byte) error {
		n := newNetwork(s, Name{Network: fmt.Sprintf("copy %x", id)})
		if err := guarded(func() error { return n.readCopy(id, copies.Bucket(id), byID) }); err != nil {
			return failed(n.Name.String(), err)
		}
		byID[n.id] = n
		s.copies = append(s.copies, n)
		s.lastID = max(s.lastID, n.id)
		return nil
	})
}

// readCopy reads the description of a copy, whose basis is among the earlier ones.
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
	n.id, n.Name, n.begun = binary.BigEndian.Uint64(id), Name{record.World, record.Network}, record.Begun
	n.World = World{time.Unix(0, record.Made), record.Owner, time.Duration(record.TTL)}
	n.basis = earlier[record.Copy]
	if record.Copy == 0 {
		n.basis = n.store.networks[record.Of]
	}
	if n.basis == nil {
		return errors.New("its source is missing")
	}
	n.source = n.basis
	n.store.enter(n)
	if bucket.Get(nowKey) == nil { // it was dropped, and others need its log
		n.dropped.Store(true)
		delete(n.store.present, n)
	}
	at, _ := slices.BinarySearchFunc(n.basis.branches, n.begun+1, func(c *Network, begun position) int {
		return cmp.Compare(c.begun, begun)
	})
	n.basis.branches = slices.Insert(n.basis.branches, at, n)
	return nil
}

// beginBranches begins the logs of the copies that branch off at the last record read so far.
func (n *Network) beginBranches() {
	for len(n.branches) > 0 && n.branches[0].begun == n.last() {
		c := n.branches[0]
		c.log, c.Origin = n.branch(), n.Origin
		c.start = c.index
		n.branches = n.branches[1:]
	}
}
