package preconf

import (
	"fmt"
	"maps"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// UnknownSnapshotError: no snapshot has this id.
type UnknownSnapshotError struct{ ID uint64 }

func (e *UnknownSnapshotError) Error() string { return fmt.Sprintf("unknown snapshot %#x", e.ID) }

// Snapshot remembers the node as it is now and returns the id to come back to
// it: 1, 2, 3 …
func (t *Timeline) Snapshot() uint64 {
	t.turn.Lock()
	defer t.turn.Unlock()
	t.lastSnapshot++
	if t.snapshots == nil {
		t.snapshots = make(map[uint64]*Moment)
	}
	t.snapshots[t.lastSnapshot] = t.Moment()
	return t.lastSnapshot
}

// Revert puts everything back to a snapshot: chain, pre-confirmed and pooled
// transactions, clock, settings, faults and filters. The snapshot stays usable.
// Feeds are not told. Error: *UnknownSnapshotError.
func (t *Timeline) Revert(id uint64) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	m, ok := t.snapshots[id]
	if !ok {
		return &UnknownSnapshotError{ID: id}
	}
	t.show(m, nil)
	return nil
}

// RevertAnnounced is Revert, told to feeds and filters as the reorg it amounts
// to: removed logs, then the heads and logs of blocks that come back. Filters
// stay as they are now. Error: *UnknownSnapshotError.
func (t *Timeline) RevertAnnounced(id uint64) error {
	return t.change(func(c *change) error {
		m, ok := t.snapshots[id]
		if !ok {
			return &UnknownSnapshotError{ID: id}
		}
		c.goBack(m)
		return nil
	})
}

// RevertOnce is Revert as evm_revert has it: the snapshot and all after it are
// used up, and filters stay as they are now. Error: *UnknownSnapshotError.
func (t *Timeline) RevertOnce(id uint64) error {
	return t.change(func(c *change) error {
		m, ok := t.snapshots[id]
		if !ok {
			return &UnknownSnapshotError{ID: id}
		}
		c.restore(m)
		maps.DeleteFunc(t.snapshots, func(other uint64, _ *Moment) bool { return other >= id })
		return nil
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
		clear(t.snapshots)
		t.lastSnapshot = 0
	})
}

// Clone returns an independent timeline that goes on from here, with the same
// snapshots and no feeds.
func (t *Timeline) Clone() *Timeline {
	t.turn.Lock()
	defer t.turn.Unlock()
	clone := newTimeline(t.cfg, t.Moment())
	clone.begin = t.begin
	clone.snapshots = maps.Clone(t.snapshots)
	clone.lastSnapshot = t.lastSnapshot
	return clone
}
