package preconf

import "cmp"

// change is one writer's turn: a working copy of the world, and the events that led to it.
type change struct {
	world
	timeline *Timeline
	events   []*Event
	// following reports that the wall clock began the change. Then nobody gets the error when a transaction cannot be
	// executed because the fork's remote chain does not answer, so the transaction waits.
	following bool
}

// change runs f on a copy of the world and publishes it. If f fails, what f did since it last published itself is lost.
func (t *Timeline) change(f func(*change) error) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	return t.changeNow(f)
}

// changeNow runs f as change does, while the caller holds the turn.
func (t *Timeline) changeNow(f func(*change) error) error {
	c := t.begun()
	if err := f(c); err != nil {
		return err
	}
	c.publish()
	return nil
}

// begun returns a change with nothing changed yet. The caller holds the turn.
func (t *Timeline) begun() *change { return &change{world: t.Moment().world, timeline: t} }

// set runs an f that cannot fail as change does.
func (t *Timeline) set(f func(*change)) {
	_ = t.change(func(c *change) error { f(c); return nil })
}

// publish shows readers the world as it is now, then the events.
func (c *change) publish() {
	c.timeline.show(newMoment(c.world), c.events)
	c.events = nil
}

// emit adds an event that filters and feeds get at the next publish.
func (c *change) emit(e *Event) { c.events = append(c.events, e) }

// show makes m the Moment that readers see, and gives filters and feeds the events that led to it. The caller holds the
// turn.
func (t *Timeline) show(m *Moment, events []*Event) { t.showWith(m, events, nil) }

// showWith does what show does, and puts filters back in the same instant unless they are nil.
func (t *Timeline) showWith(m *Moment, events []*Event, filters *filterSet) {
	t.feeds.cut()
	first, last := t.feeds.list(events)
	was := t.present.Load()
	t.filters.mutex.Lock()
	if filters != nil {
		t.filters.restore(*filters)
	}
	t.filters.note(events)
	t.present.Store(&present{
		moment: m, newest: cmp.Or(last, was.newest), recent: remembered(was.recent, events), replaced: make(chan struct{}),
	})
	t.filters.mutex.Unlock()
	if t.keep != nil {
		t.keep(m)
	}
	if first != nil {
		was.newest.follow(first)
	}
	close(was.replaced)
}
