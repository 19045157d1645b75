package preconf

import (
	"fmt"
	"time"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/persistent"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
)

// snapshot holds the Moment and the filters that Revert goes back to. It is immutable.
type snapshot struct {
	moment  *Moment
	filters filter.Set
	lower   filter.Set // of the L1 below
}

// saved returns the timeline as it is now. The caller has the turn.
func (t *Timeline) saved() *snapshot {
	s := &snapshot{moment: t.Moment(), filters: t.filters.saved()}
	if t.below != nil {
		s.lower = t.below.filters.saved()
	}
	return s
}

// snapshots are all that were taken. They are immutable.
type snapshots struct {
	byID persistent.Map[uint64, *snapshot]
	last uint64 // id given out; 0: none
}

// of returns the snapshot with that id. The error reports that there is none.
func (s snapshots) of(id uint64) (*snapshot, error) {
	found, ok := s.byID.Get(id)
	if !ok {
		return nil, fmt.Errorf("unknown snapshot %#x", id)
	}
	return found, nil
}

// before returns those whose id is under the given one; ids are not given twice.
func (s snapshots) before(id uint64) snapshots {
	for used := range s.byID.All() {
		if used >= id {
			s.byID = s.byID.Delete(used)
		}
	}
	return s
}

// Snapshot remembers the node as it is now and returns the id to come back to it: 1, 2, 3 …
func (t *Timeline) Snapshot() uint64 {
	t.turn.Lock()
	defer t.turn.Unlock()
	t = t.owner()
	id := t.snapshots.last + 1
	t.snapshots = snapshots{t.snapshots.byID.Set(id, t.saved()), id}
	return id
}

// Snapshots returns the head of each snapshot by its id.
func (t *Timeline) Snapshots() map[uint64]*View {
	t = t.owner()
	t.turn.Lock()
	defer t.turn.Unlock()
	heads := map[uint64]*View{}
	for id, s := range t.snapshots.byID.All() {
		heads[id] = s.moment.Latest()
	}
	return heads
}

// Revert puts everything back to a snapshot: chain, pre-confirmed and pooled transactions, clock, settings, faults and
// filters with what they had not read. The snapshot stays usable. Feeds are not notified. The error reports that there
// is no such snapshot.
func (t *Timeline) Revert(id uint64) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	t = t.owner()
	s, err := t.snapshots.of(id)
	if err == nil {
		t.showPair(s.moment, &s.filters, &s.lower)
	}
	return err
}

// RevertAnnounced is Revert, told to feeds and filters as the reorg it amounts to: removed logs, then the heads and
// logs of blocks that come back. Removed blocks stay readable by hash, as orphans. Filters go on as they are.
func (t *Timeline) RevertAnnounced(id uint64) error {
	t = t.owner()
	return t.change(func(c *change) error {
		s, err := t.snapshots.of(id)
		if err == nil {
			c.goBack(s.moment)
		}
		return err
	})
}

// RevertOnce is Revert as evm_revert has it: the snapshot and all after it are used up, and filters go on, without what
// they had not read of the time that is undone.
func (t *Timeline) RevertOnce(id uint64) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	t = t.owner()
	s, err := t.snapshots.of(id)
	if err == nil {
		t.snapshots = t.snapshots.before(id)
		t.forget(s)
		t.showPair(s.moment, nil, nil)
	}
	return err
}

// forget takes back what filters have not read of the time since s.
func (t *Timeline) forget(s *snapshot) {
	t.filters.forget(s.filters)
	if below := t.Below(); below != nil {
		below.filters.forget(s.lower)
	}
}

// goBack makes the world that of a moment, told as the reorg it amounts to.
func (c *change) goBack(m *Moment) {
	if c.hasL1() {
		c.l1Change().goBack(m.below)
	}
	was, sealed, orphaned := c.chain, c.builder(), c.control.Orphaned
	c.world = m.world
	c.control.Orphaned = orphaned // those blocks stay
	c.chain = m.chain.WithOrphansOf(was)
	if m.late != nil {
		late := *m.late
		late.chain = late.chain.WithOrphansOf(sealed)
		c.late = &late
	}
	removed, added := difference(was, c.chain)
	c.notifyRemoved(removed, control.OldestFirst)
	c.notifyHeads(removed, added)
}

// difference returns which blocks of a chain are not in another, and the reverse, oldest first.
func difference(was, is *chain.Chain) (removed, added []*chain.Block) {
	common := min(was.Head().Number(), is.Head().Number())
	for was.BlockByNumber(common).Hash() != is.BlockByNumber(common).Hash() {
		common--
	}
	return blocksAbove(was, common), blocksAbove(is, common)
}

// Reset puts the timeline back to its beginning and forgets all snapshots. Filters go on, without what they had not
// read. Feeds are not told.
func (t *Timeline) Reset() {
	t.turn.Lock()
	defer t.turn.Unlock()
	t.owner().reset()
}

// reset is Reset for the timeline that leads, while the caller has the turn.
func (t *Timeline) reset() {
	t.renew()
	if t.below != nil {
		t.below.renew()
	}
	t.snapshots = snapshots{}
	t.forget(new(snapshot))
	t.showPair(t.begin, nil, nil)
}

// ResetTo makes the timeline begin again on another chain, as New does. What Reset does follows for the new beginning.
// It calls leave when nothing can fail any more, before the other chain is shown and kept; other writers wait for
// leave, which must not write to the timeline.
func (t *Timeline) ResetTo(c *chain.Chain, leave func()) error {
	cfg := *t.cfg
	cfg.Chain, cfg.BaseFee, cfg.GasLimit = c, nil, 0
	if c.BlockTime() != t.cfg.Chain.BlockTime() {
		cfg.BlockTime, cfg.SafeLag, cfg.FinalizedLag = 0, nil, nil // they are in blocks of the other length
	}
	cfg, err := cfg.complete()
	if err != nil {
		return err
	}
	t.turn.Lock()
	defer t.turn.Unlock()
	leave()
	t.begin = cfg.first()
	t.reset()
	return nil
}

// Restart goes on from a Moment that the timeline had, as a node does that was killed and is started from its file of
// then: without what came later, snapshots and filters. The clock goes on from now. Feeds are not told.
func (t *Timeline) Restart(file *Moment) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	t = t.owner()
	started, err := t.startedFrom(file)
	if passed := t.Moment().Now().Sub(file.Now()); err == nil && passed > 0 {
		err = started.IncreaseTime(passed)
	}
	if err != nil {
		return err
	}
	s := started.saved()
	t.begin = s.moment
	t.showPair(s.moment, &s.filters, &s.lower)
	t.reset()
	return nil
}

// startedFrom returns the timeline of a node that is started from a file which holds a Moment.
func (t *Timeline) startedFrom(file *Moment) (_ *Timeline, err error) {
	cfg := *t.cfg
	cfg.Chain, cfg.Saved = file.Sealed(), file.Saved()
	if t.below != nil {
		if cfg.Below, err = t.below.startedFrom(file.below); err != nil {
			return nil, err
		}
	}
	return New(cfg)
}

// Clone returns an independent timeline that goes on from here, with the same snapshots and filters and no feeds.
func (t *Timeline) Clone() *Timeline {
	t.turn.Lock()
	defer t.turn.Unlock()
	clone := newTimeline(t.cfg, t.Moment(), t.filters.saved())
	clone.begin = t.begin
	clone.snapshots = t.snapshots
	if below := t.Below(); below != nil {
		clone.attach(newTimeline(below.cfg, below.Moment(), below.filters.saved()))
	}
	return clone
}

// Copy returns an independent timeline that begins where this one is: Reset goes back to there. It has no snapshots,
// filters and feeds, and gives out none of the ids that this one has given out so far.
func (t *Timeline) Copy() *Timeline {
	t.turn.Lock()
	defer t.turn.Unlock()
	return t.copied(t.Moment())
}

// CopyAt is Copy, but the copy begins at a snapshot.
func (t *Timeline) CopyAt(snapshot uint64) (*Timeline, error) {
	t.turn.Lock()
	defer t.turn.Unlock()
	s, err := t.snapshots.of(snapshot)
	if err != nil {
		return nil, err
	}
	c := t.copied(s.moment)
	c.followed = time.Time{} // it begins then, not now
	return c, nil
}

// copied returns the timeline that begins at m. The caller has the turn.
func (t *Timeline) copied(m *Moment) *Timeline {
	c := newTimeline(t.cfg, m, t.filters.saved().Emptied())
	c.followed = t.followed
	c.snapshots.last = t.snapshots.last
	if below := t.Below(); below != nil {
		c.attach(below.copied(m.below))
	}
	return c
}
