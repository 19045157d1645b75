package preconf

import "time"

// Copy returns an independent timeline that begins where this one is: Reset goes back to there. It has no snapshots,
// filters and feeds, and gives out none of the ids that this one has given out so far.
func (t *Timeline) Copy() *Timeline {
	t.turn.Lock()
	defer t.turn.Unlock()
	return t.copied(t.Moment())
}

// CopyAt is Copy, but the copy begins at a snapshot. Error: *UnknownSnapshotError.
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
	c := newTimeline(t.cfg, m, filterSet{byID: noFilters.byID, last: t.filters.saved().last})
	c.followed = t.followed
	c.snapshots = snapshots{byID: noSnapshots.byID, last: t.snapshots.last}
	if below := t.Below(); below != nil {
		c.attach(below.copied(m.below))
	}
	return c
}
