package preconf

import (
	"fmt"

	"github.com/benbjohnson/immutable"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// UnknownSnapshotError: no snapshot has this id.
type UnknownSnapshotError struct{ ID uint64 }

func (e *UnknownSnapshotError) Error() string { return fmt.Sprintf("unknown snapshot %#x", e.ID) }

// snapshots are the moments to come back to. Immutable.
type snapshots struct {
	moments *immutable.SortedMap[uint64, *Moment] // by id
	last    uint64                                // id given out; 0: none
}

var noSnapshots = snapshots{moments: immutable.NewSortedMap[uint64, *Moment](nonceOrder{})}

// of is the moment with that id. Error: *UnknownSnapshotError.
func (s snapshots) of(id uint64) (*Moment, error) {
	m, ok := s.moments.Get(id)
	if !ok {
		return nil, &UnknownSnapshotError{ID: id}
	}
	return m, nil
}

// with adds a moment under the next id.
func (s snapshots) with(m *Moment) snapshots {
	return snapshots{s.moments.Set(s.last+1, m), s.last + 1}
}

// before are those whose id is under the given one; ids are not given twice.
func (s snapshots) before(id uint64) snapshots {
	it := s.moments.Iterator()
	for it.Seek(id); !it.Done(); {
		used, _, _ := it.Next()
		s.moments = s.moments.Delete(used)
	}
	return s
}

// Snapshot remembers the node as it is now and returns the id to come back to
// it: 1, 2, 3 …
func (t *Timeline) Snapshot() uint64 {
	t.turn.Lock()
	defer t.turn.Unlock()
	t.snapshots = t.snapshots.with(t.Moment())
	return t.snapshots.last
}

// Revert puts everything back to a snapshot: chain, pre-confirmed and pooled
// transactions, clock, settings, faults and filters. The snapshot stays usable.
// Feeds are not told. Error: *UnknownSnapshotError.
func (t *Timeline) Revert(id uint64) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	m, err := t.snapshots.of(id)
	if err == nil {
		t.show(m, nil)
	}
	return err
}

// RevertAnnounced is Revert, told to feeds and filters as the reorg it amounts
// to: removed logs, then the heads and logs of blocks that come back. Filters
// stay as they are now. Error: *UnknownSnapshotError.
func (t *Timeline) RevertAnnounced(id uint64) error {
	return t.change(func(c *change) error {
		m, err := t.snapshots.of(id)
		if err == nil {
			c.goBack(m)
		}
		return err
	})
}

// RevertOnce is Revert as evm_revert has it: the snapshot and all after it are
// used up, and filters stay as they are now. Error: *UnknownSnapshotError.
func (t *Timeline) RevertOnce(id uint64) error {
	return t.change(func(c *change) error {
		m, err := t.snapshots.of(id)
		if err == nil {
			c.restore(m)
			t.snapshots = t.snapshots.before(id)
		}
		return err
	})
}

// restore makes the world that of a moment, but for the filters.
func (c *change) restore(m *Moment) {
	filters, last := c.filters, c.lastFilter
	c.world = m.world
	c.filters, c.lastFilter = filters, last
}

// goBack is restore, told as the reorg it amounts to.
func (c *change) goBack(m *Moment) {
	was := c.chain
	c.restore(m)
	removed, added := difference(was, c.chain)
	c.tellRemoved(removed, Forward)
	for _, b := range added {
		c.tellAdded(c.chain, b)
	}
	if len(added) == 0 && len(removed) > 0 {
		c.tellHead()
	}
}

// difference is which blocks of a chain are not in another, and the reverse,
// oldest first.
func difference(was, is *chain.Chain) (removed, added []*chain.Block) {
	common := min(was.Head().Number(), is.Head().Number())
	for was.BlockByNumber(common).Hash() != is.BlockByNumber(common).Hash() {
		common--
	}
	for n := common + 1; n <= was.Head().Number(); n++ {
		removed = append(removed, was.BlockByNumber(n))
	}
	for n := common + 1; n <= is.Head().Number(); n++ {
		added = append(added, is.BlockByNumber(n))
	}
	return removed, added
}

// Reset puts the timeline back to its beginning and forgets all snapshots.
// Filters stay as they are now. Feeds are not told.
func (t *Timeline) Reset() {
	t.set(func(c *change) {
		c.restore(t.begin)
		t.snapshots = noSnapshots
	})
}

// Clone returns an independent timeline that goes on from here, with the same
// snapshots and no feeds.
func (t *Timeline) Clone() *Timeline {
	t.turn.Lock()
	defer t.turn.Unlock()
	clone := newTimeline(t.cfg, t.Moment())
	clone.begin = t.begin
	clone.snapshots = t.snapshots
	return clone
}
