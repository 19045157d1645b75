package preconf

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/fakenode/fakenode/evmstate/chain"
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
	fateAbove    Fate         // of the L2's transactions that a reorg of the L1 removes
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

// newChange returns a change with nothing changed yet. The caller holds the turn.
func (t *Timeline) newChange() *change {
	if t.above != nil {
		return t.lead().newChange().beneath()
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
	if c.derives() {
		l1 := c.beneath()
		c.below = newMoment(l1.world)
		l1.timeline.show(c.below, l1.events)
		l1.events = nil
	}
	if c.told = nil; c.tip != nil {
		c.told = c.lastFlashblock()
	}
	c.timeline.show(newMoment(c.world), c.events)
	c.events = nil
}

// emit adds an event that filters and feeds get at the next publish.
func (c *change) emit(e *Event) {
	e.Announced = c.control.Announced
	c.events = append(c.events, e)
}

// show makes m the Moment that readers see, and gives filters and feeds the events that led to it. The caller holds the
// turn.
func (t *Timeline) show(m *Moment, events []*Event) {
	t.showWith(m, events, t.present.Load().past, nil)
}

// showPair goes back to m, and to the Moment of the L1 below that is part of it. Filters are put back where they are
// given.
func (t *Timeline) showPair(m *Moment, filters, lower *filter.Set) {
	if below := t.Below(); below != nil {
		below.showWith(m.below, nil, nil, lower)
	}
	t.showWith(m, nil, nil, filters)
}

// showWith does what show does, after the Moments in past, and puts filters back in the same instant unless they are
// nil.
func (t *Timeline) showWith(m *Moment, events []*Event, past []instant, filters *filter.Set) {
	t.feeds.Cut()
	first, last := t.feeds.Links(events)
	was := t.present.Load()
	t.filters.Lock()
	if filters != nil {
		t.filters.set.Restore(*filters)
	}
	t.filters.note(events)
	newest := cmp.Or(last, was.newest)
	was.next = &present{
		moment: m, newest: newest, recent: remembered(was.recent, events),
		past: remember(past, instant{m, t.filters.set.Noted(), t.passed(m, newest)}),
	}
	t.present.Store(was.next)
	t.filters.Unlock()
	if t.keep != nil {
		t.keep(was.next.kept())
	}
	if first != nil {
		was.newest.Append(first)
	}
	was.replaced.Raise()
}

// Atomically calls f with a Timeline that only f may write to, and lets no other writer in between, the clock of Run
// included. Readers and feeds see each step as it is done. If f fails or panics, everything is put back, snapshots and
// their ids included; feeds and filters stay and are notified of it as of a reorg. The error is that of f. f must use
// the Timeline that Atomically was called on for reading only. Writing to the one it was given after f has ended
// panics.
func (t *Timeline) Atomically(f func(*Timeline) error) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	inside := &Timeline{shared: t.shared, turn: new(turn)}
	lead := t.lead()
	before, snapshots, done := lead.Moment(), lead.snapshots, false
	defer func() {
		inside.turn.end()
		if done {
			return
		}
		lead.putBack(before, snapshots)
	}()
	err := f(inside)
	done = err == nil
	return err
}

// putBack makes the timeline as it was, told to feeds and filters as the reorg it amounts to. The caller has the turn.
func (t *Timeline) putBack(before *Moment, snapshots snapshots) {
	t.snapshots = snapshots
	if t.Moment() != before {
		c := t.newChange()
		c.goBack(before)
		c.publish()
	}
}

// turn is the right to write: of all writers, or of those inside one Atomically.
type turn struct {
	mutex sync.Mutex
	over  bool // Atomically has ended
}

func (t *turn) Lock() {
	t.mutex.Lock()
	if t.over {
		t.mutex.Unlock()
		panic("preconf: the Timeline of an Atomically was used after its end")
	}
}

// TryLock is Lock if nobody has the turn, else it reports false at once.
func (t *turn) TryLock() bool { return t.mutex.TryLock() }

func (t *turn) Unlock() { t.mutex.Unlock() }

// lend lets other writers have the turn, and takes it back.
func (t *turn) lend() {
	t.Unlock()
	t.Lock()
}

// end waits for the writer whose turn it is and lets no other follow.
func (t *turn) end() {
	t.mutex.Lock()
	t.over = true
	t.mutex.Unlock()
}

const (
	// turnTime is how long a writer that makes many blocks keeps its turn, in wall time.
	turnTime = 5 * time.Millisecond
	// turnSteps is how many blocks or flashblocks it makes in a turn at least: so many are never interrupted.
	turnSteps = 16
)

// stepwise calls f, which reports whether there is more to do, in one turn after the other until there is not. Other
// writers come in between two turns. f is given a function, to be asked after so many further steps, that reports
// whether its turn is over. The error is that of f.
func (t *Timeline) stepwise(f func(c *change, over func(steps int) bool) (more bool, err error)) error {
	for more := true; more; {
		err := t.change(func(c *change) (err error) {
			more, err = f(c, beginTurn())
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// beginTurn returns a function, to be asked after so many further steps, that reports whether the turn that begins now
// is over.
func beginTurn() (over func(steps int) bool) {
	began, taken := time.Now(), 0
	return func(steps int) bool {
		taken += steps
		return taken > turnSteps && time.Since(began) >= turnTime
	}
}

// InSteps calls step n times, with 0, 1, 2 … and a Timeline that only step may write to. Every 16 calls or more it lets
// other writers in, so that long work does not keep them waiting. Readers and feeds see each step as it is done. If a
// step fails or panics, all steps are undone as one. Where nobody else wrote in between, everything is put back as by
// Atomically. Otherwise the blocks above the head at the beginning are removed as by a reorg, those that others sealed
// on them included: their transactions go back to the pool, and the clock, settings and whatever else others changed
// stay. That fails for more blocks than Config.History keeps the states of: then the blocks stay. The error is that of
// step, and says so.
func (t *Timeline) InSteps(n int, step func(own *Timeline, i int) error) error {
	s := steps{timeline: t, total: n, step: step}
	for s.next < n {
		if err := s.turn(); err != nil {
			return err
		}
	}
	return nil
}

// steps is an InSteps under way.
type steps struct {
	timeline *Timeline
	total    int
	step     func(*Timeline, int) error

	next      int          // step
	before    *Moment      // of the timeline that leads, before the first step; nil until then
	first     *chain.Block // the head then
	snapshots snapshots    // before the first
	last      *Moment      // after the last step of the turn before
	disturbed bool         // others wrote between two turns
}

// turn takes steps for as long as a turn may last.
func (s *steps) turn() (err error) {
	t := s.timeline
	t.turn.Lock()
	defer t.turn.Unlock()
	lead := t.lead()
	s.begin()
	inside, done := &Timeline{shared: t.shared, turn: new(turn)}, false
	defer func() {
		inside.turn.end()
		if !done {
			err = errors.Join(err, s.undo())
		}
	}()
	for over := beginTurn(); s.next < s.total && !over(1); s.next++ {
		if err := s.step(inside, s.next); err != nil {
			return err
		}
	}
	s.last, done = lead.Moment(), true
	return nil
}

// begin notes what is there before a turn. The caller has the turn.
func (s *steps) begin() {
	lead := s.timeline.lead()
	switch now := lead.Moment(); {
	case s.before == nil:
		s.before, s.snapshots, s.first = now, lead.snapshots, s.timeline.Moment().chain.Head()
	case now != s.last:
		s.disturbed = true
	}
}

func (s *steps) undo() error {
	t := s.timeline
	if !s.disturbed {
		t.lead().putBack(s.before, s.snapshots)
		return nil
	}
	c, first := t.newChange(), s.first
	depth := int(c.chain.Head().Number()) - int(first.Number())
	if b := c.chain.BlockByNumber(first.Number()); depth <= 0 || b.Hash() != first.Hash() {
		return nil // somebody has removed them
	}
	if _, err := c.reorg(ReorgOptions{Depth: depth, Length: new(int), Transactions: Requeue, Force: true}); err != nil {
		return fmt.Errorf("the %d blocks sealed until then stay, as others wrote in between: %w", depth, err)
	}
	return c.finish()
}
