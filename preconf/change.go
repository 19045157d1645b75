package preconf

import "cmp"

// change is one writer's turn: a working copy of the world and the events that tell of the difference.
type change struct {
	world
	timeline *Timeline
	events   []*Event
	// following the wall clock: nobody is there to be told that a transaction could not execute for lack of the fork's
	// remote chain, so it waits.
	following bool
}

// change runs f on a copy of the world and publishes it unless f fails; then all that f did since it last published
// itself is forgotten.
func (t *Timeline) change(f func(*change) error) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	return t.changeNow(f)
}

// changeNow is change for who has the turn.
func (t *Timeline) changeNow(f func(*change) error) error {
	c := t.begun()
	if err := f(c); err != nil {
		return err
	}
	c.publish()
	return nil
}

// begun returns a change with nothing changed yet. The caller has the turn.
func (t *Timeline) begun() *change { return &change{world: t.Moment().world, timeline: t} }

// set is change for what cannot fail.
func (t *Timeline) set(f func(*change)) {
	_ = t.change(func(c *change) error { f(c); return nil })
}

// publish shows readers the world as it is, then tells them what happened.
func (c *change) publish() {
	c.timeline.show(newMoment(c.world), c.events)
	c.events = nil
}

// emit adds an event that filters and feeds get at the next publish.
func (c *change) emit(e *Event) { c.events = append(c.events, e) }

// show makes m what readers see, and gives filters and feeds the events that led to it. The caller has the turn.
func (t *Timeline) show(m *Moment, events []*Event) { t.showWith(m, events, nil) }

// showWith is show for who puts filters back, in the same instant; nil leaves them as they are.
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
