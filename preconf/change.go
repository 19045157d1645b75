package preconf

import (
	"cmp"

	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
)

// change is one writer's turn: a working copy of the world, and the events that led to it.
type change struct {
	world
	timeline *Timeline
	events   []*Event
	// following reports that the wall clock began the change. Then nobody gets the error when a transaction cannot be
	// executed because the fork's remote chain does not answer, so the transaction waits.
	following bool
	// lower is the part that changes the L1 below, nil while none does; upper is the change that this one is a part of.
	lower, upper *change
	fateAbove    control.Fate // of the L2's transactions that a reorg of the L1 removes
	skipped      FlashblockID // the newest that was due after the one announced last, and not made (skip); zero: none
}

// change runs f on a copy of the world and publishes it. If f fails, what f did since it last published itself is lost.
func (t *Timeline) change(f func(*change) error) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	return t.changeNow(f)
}

// changeNow runs f as change does, while the caller holds the turn.
func (t *Timeline) changeNow(f func(*change) error) error {
	c := t.newChange()
	if err := f(c); err != nil {
		return err
	}
	return c.finish()
}

// changed runs f as change does, and returns its result.
func changed[R any](t *Timeline, f func(*change) (R, error)) (result R, err error) {
	err = t.change(func(c *change) (err error) {
		result, err = f(c)
		return err
	})
	return result, err
}

// newChange returns a change with nothing changed yet. The caller holds the turn.
func (t *Timeline) newChange() *change {
	if t.above != nil {
		return t.owner().newChange().l1Change()
	}
	return &change{world: t.Moment().world, timeline: t}
}

// finish publishes the change, after the L2 above has followed it.
func (c *change) finish() error {
	if c.upper != nil {
		if err := c.upper.matchL1(c.control.Clock.Now); err != nil {
			return err
		}
	}
	c.publish()
	return nil
}

// set runs an f that cannot fail as change does.
func (t *Timeline) set(f func(*change)) {
	_ = t.change(func(c *change) error { f(c); return nil })
}

// publish shows readers the world as it is now, then the events.
func (c *change) publish() {
	if c.upper != nil {
		c.upper.publish()
		return
	}
	if c.hasL1() {
		l1 := c.l1Change()
		c.below = newMoment(l1.world)
		l1.timeline.show(c.below, l1.events, l1.timeline.present.Load().past, nil)
		l1.events = nil
	}
	if c.cfg.CommitStates {
		c.notifyCommitted()
	}
	if c.lastAnnounced = nil; c.tip != nil {
		c.lastAnnounced = c.lastFlashblock()
	}
	c.timeline.show(newMoment(c.world), c.events, c.timeline.present.Load().past, nil)
	c.events = nil
}

// emit adds an event that filters and feeds get at the next publish.
func (c *change) emit(e *Event) {
	e.Announced = c.control.Announced
	c.events = append(c.events, e)
}

// showPair goes back to m, and to the Moment of the L1 below that is part of it, with the filters given.
func (t *Timeline) showPair(m *Moment, filters, lower *filter.Set) {
	if below := t.Below(); below != nil {
		below.show(m.below, nil, nil, lower)
	}
	t.show(m, nil, nil, filters)
}

// show makes m the Moment that readers see, after the Moments in past, and gives filters and feeds the events. It puts
// filters back in the same instant if given. The caller holds the turn.
func (t *Timeline) show(m *Moment, events []*Event, past []instant, filters *filter.Set) {
	t.feeds.Cut()
	first, last := t.feeds.Links(events)
	was := t.present.Load()
	t.filters.mu.Lock()
	if filters != nil {
		t.filters.set.Restore(*filters)
	}
	t.filters.note(events)
	newest := cmp.Or(last, was.newest)
	was.next = &present{
		moment: m, newest: newest, recent: remembered(was.recent, events),
		past: remember(past, instant{Moment: m, noted: t.filters.set.Noted(), newest: t.passed(m, newest)}),
	}
	t.present.Store(was.next)
	t.filters.mu.Unlock()
	if t.keep != nil {
		t.keep(was.next.kept())
	}
	if first != nil {
		was.newest.Append(first)
	}
	was.replaced.Raise()
}
