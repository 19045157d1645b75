package preconf

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Saved is a Moment without its blocks and their states, as values that can be written and read as JSON. It has neither
// filters nor snapshots, and a late block counts as announced.
type Saved struct {
	// Given holds values of the Config that the timeline ran with. Where a later Config has the same value, the Control
	// holds; where it has another, the Config does.
	Given Given

	control.Control

	L1Head common.Hash // of the L1 below; zero: there is none

	pool.Arrivals
	Pool    []*pool.Entry // in the order of arrival
	Pending *SavedPending // nil: nothing is pre-confirmed
	Dropped pool.Drops
}

// Given holds the fields of Config that control methods change at run time.
type Given struct {
	Mode       control.Mode
	BlockTime  time.Duration
	PendingLag uint64
	Replicas   control.Replicas `json:",omitzero"`
}

// SavedPending is the pending block.
type SavedPending struct {
	Time        uint64 // Unix seconds
	Flashblocks []SavedFlashblock
	Told        bool   `json:",omitempty"` // the newest was announced as it is
	Origin      uint64 `json:",omitempty"` // number of the L1 block that it refers to
}

// SavedFlashblock is a flashblock of the pending block.
type SavedFlashblock struct {
	Transactions []*pool.Entry
	Altered      []common.Hash // transactions announced with other logs
}

// Sealed returns the chain with every sealed block, also one that a fault has not announced yet.
func (m *Moment) Sealed() *chain.Chain { return m.builder() }

// Saved returns the state that New needs, in addition to the chain of Sealed, to go on from here.
func (m *Moment) Saved() *Saved {
	s := &Saved{
		Given:    Given{m.cfg.Mode, m.cfg.BlockTime, m.cfg.PendingLag, m.cfg.Replicas},
		Control:  m.control,
		Arrivals: m.pool.Arrivals,
		Pool:     m.pool.Sorted(),
		Dropped:  m.pool.Drops,
	}
	if m.below != nil {
		s.L1Head = m.below.Sealed().Head().Hash()
	}
	if m.tip != nil {
		s.Pending = &SavedPending{Time: m.tip.draft.Header().Time, Told: m.tip.agreesWith(m.lastAnnounced)}
		if m.hasL1() {
			s.Pending.Origin = m.tip.draft.L1().Number
		}
		for _, f := range m.tip.all() {
			s.Pending.Flashblocks = append(s.Pending.Flashblocks, SavedFlashblock{f.entries, slices.SortedFunc(maps.Keys(f.altered), common.Hash.Cmp)})
		}
	}
	return s
}

// restored returns the timeline that goes on from cfg.Saved. The error names what cannot be restored.
func restored(cfg *Config) (*Timeline, error) {
	saved := cfg.Saved
	cfg.Saved = nil // its transactions need not stay in memory
	w := world{
		cfg:     cfg,
		chain:   cfg.Chain.WithRecovered(saved.Recovered),
		pool:    pool.Empty,
		control: saved.Control,
		below:   cfg.Below.moment(),
	}
	w.control.Settings.Mode = w.control.Settings.Mode.OrManual()
	w.pool.Arrivals, w.pool.Drops = saved.Arrivals, saved.Dropped
	for _, e := range saved.Pool {
		w.pool = w.pool.With(e)
	}
	t := newTimeline(cfg, newMoment(w), filter.New(cfg.Filters, cfg.Real))
	t.attach(cfg.Below)
	err := t.change(func(c *change) error { return c.preconfirmAgain(saved.Pending) })
	if err != nil {
		return nil, fmt.Errorf("saved pending block: %w", err)
	}
	if w.below != nil && (w.below.chain.Head().Hash() != saved.L1Head || w.below.control.Clock.Now > w.control.Clock.Now) {
		// The file has the L1 as it was a moment later.
		if err := t.change(func(c *change) error { return c.matchL1(math.MaxInt64) }); err != nil {
			return nil, fmt.Errorf("the L1 below: %w", err)
		}
	}
	if err := cmp.Or(t.restoreFaults(), t.applyConfigChanges(saved.Given)); err != nil {
		return nil, err
	}
	t.begin = t.Moment()
	return t, nil
}

// preconfirmAgain executes the flashblocks of a saved pending block, as those that readers were told of. A node that
// does not pre-confirm gets their transactions into its pool.
func (c *change) preconfirmAgain(pending *SavedPending) error {
	if pending == nil {
		return nil
	}
	var back []*pool.Entry
	if c.NoFlashblocks() != nil {
		for _, f := range pending.Flashblocks {
			back = append(back, f.Transactions...)
		}
		c.pool = c.pool.Requeued(back)
		return nil
	}
	next, below := c.control.Next, c.below
	c.control.Next.Time = &pending.Time
	if c.hasL1() {
		c.below = below.withNewest(pending.Origin, c.cfg.Derivation)
	}
	s, err := c.opened()
	c.control.Next, c.below = next, below
	if err != nil {
		return err
	}
	for _, f := range pending.Flashblocks {
		made := &slice{entries: f.Transactions, altered: control.SetOf(f.Altered...)}
		s = c.replay(s, []*slice{made}, nil, func(e *pool.Entry, err error) { back = append(back, c.refused(e, err)...) }).markAnnounced()
		if c.tip = s; pending.Told {
			c.notifyFlashblock() // nobody listens yet, but it counts as announced
		}
	}
	c.pool = c.pool.Requeued(back)
	return nil
}

// applyConfigChanges applies the fields of Config that differ from those of the run before.
func (t *Timeline) applyConfigChanges(given Given) error {
	return t.Set(func(c *change) error {
		if c.cfg.PendingLag != given.PendingLag {
			c.control.Faults.Lag = c.cfg.PendingLag
		}
		if asked := c.cfg.Replicas; asked.Seed != given.Replicas.Seed || !slices.Equal(asked.Each, given.Replicas.Each) {
			c.control.Replicas = asked
		}
		if c.cfg.BlockTime != given.BlockTime {
			if err := BlockTime(c.cfg.BlockTime)(c); err != nil {
				return err
			}
		}
		if c.cfg.Mode != given.Mode.OrManual() {
			return Mode(c.cfg.Mode)(c)
		}
		return nil
	})
}
