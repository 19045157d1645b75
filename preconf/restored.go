package preconf

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
)

// restored returns the timeline that goes on from cfg.Saved. The error names what cannot be restored.
func restored(cfg *Config) (*Timeline, error) {
	saved := cfg.Saved
	cfg.Saved = nil // its transactions need not stay in memory
	w := world{
		cfg:            cfg,
		chain:          cfg.Chain,
		pool:           emptyPool,
		arrived:        saved.Arrived,
		front:          saved.Front,
		dropped:        restoredDrops(saved.Dropped),
		clock:          clock{saved.Clock.Now, saved.Clock.Began, saved.Clock.Ticks, saved.Clock.Floor},
		settings:       saved.Settings.settings(),
		next:           overrides{saved.Next.Time, saved.Next.BaseFee, saved.Next.PrevRandao, saved.Next.FromL1.fromL1()},
		faults:         saved.Faults.faults(),
		weather:        restoredWeather(saved.Weather),
		notes:          saved.Notes,
		coming:         saved.Coming.fromL1(),
		deposited:      saved.Deposited,
		safeAt:         saved.SafeAt,
		finalizedAt:    saved.FinalizedAt,
		keptFinalized:  saved.KeptFinalized,
		reorgs:         saved.Reorgs,
		edited:         saved.Edited,
		silent:         saved.Silent,
		impersonated:   nobody,
		impersonateAll: saved.ImpersonateAll,
		batches:        restoredBatches(saved.Batches),
		below:          cfg.Below.moment(),
	}
	for _, a := range saved.Impersonated {
		w.impersonated = w.impersonated.Set(a, struct{}{})
	}
	for _, s := range saved.Pool {
		e, err := s.entry()
		if err != nil {
			return nil, fmt.Errorf("saved pool: %w", err)
		}
		w.pool, _ = w.pool.with(e)
	}
	t := newTimeline(cfg, newMoment(w), noFilters)
	t.put(cfg.Below)
	err := t.change(func(c *change) error { return c.preconfirmAgain(saved.Pending) })
	if err != nil {
		return nil, fmt.Errorf("saved pending block: %w", err)
	}
	if w.below != nil && (w.below.chain.Head().Hash() != saved.L1Head || w.below.clock.now > w.clock.now) {
		// The file has the L1 as it was a moment later.
		if err := t.change(func(c *change) error { return c.follow() }); err != nil {
			return nil, fmt.Errorf("the L1 below: %w", err)
		}
	}
	if err := t.heed(saved.Given); err != nil {
		return nil, err
	}
	t.begin = t.Moment()
	return t, nil
}

// preconfirmAgain executes the flashblocks of a saved pending block, as those that readers were told of.
func (c *change) preconfirmAgain(pending *SavedPending) error {
	if pending == nil || c.noFlashblocks() != nil {
		if pending != nil {
			return c.requeueSaved(pending)
		}
		return nil
	}
	flashblocks := make([]*slice, len(pending.Flashblocks))
	for i, f := range pending.Flashblocks {
		flashblocks[i] = &slice{altered: make(map[common.Hash]bool, len(f.Altered))}
		for _, h := range f.Altered {
			flashblocks[i].altered[h] = true
		}
		for _, s := range f.Transactions {
			e, err := s.entry()
			if err != nil {
				return err
			}
			flashblocks[i].entries = append(flashblocks[i].entries, e)
		}
	}
	next, below := c.next, c.below
	c.next.time = &pending.Time
	if c.derives() {
		c.below = below.withNewest(pending.Origin, c.cfg.Derivation)
	}
	start, err := c.opened()
	c.next, c.below = next, below
	if err != nil {
		return err
	}
	var back []*entry
	s := start
	for _, f := range flashblocks {
		s = c.replay(s, []*slice{f}, nil, func(e *entry, err error) { back = append(back, c.refused(e, err)...) }).told()
		if c.tip = s; pending.Told {
			c.tell() // nobody listens yet, but it counts as announced
		}
	}
	c.requeue(back)
	return nil
}

// requeueSaved puts the transactions of a saved pending block into the pool of a node that does not pre-confirm.
func (c *change) requeueSaved(pending *SavedPending) error {
	var entries []*entry
	for _, f := range pending.Flashblocks {
		for _, s := range f.Transactions {
			e, err := s.entry()
			if err != nil {
				return err
			}
			entries = append(entries, e)
		}
	}
	c.requeue(entries)
	return nil
}

// heed applies the fields of Config that differ from those of the run before.
func (t *Timeline) heed(given SavedGiven) error {
	if t.cfg.PendingLag != given.PendingLag {
		t.set(func(c *change) { c.faults.lag = c.cfg.PendingLag })
	}
	if t.cfg.BlockTime != given.BlockTime {
		if err := t.SetBlockTime(t.cfg.BlockTime); err != nil {
			return err
		}
	}
	if t.cfg.Mode != given.Mode.orManual() {
		return t.SetMode(t.cfg.Mode)
	}
	return nil
}

func (s SavedSettings) settings() settings {
	return settings{s.Mode.orManual(), s.BlockTime, s.Interval, s.Coinbase, s.GasLimit}
}

func (s SavedFaults) faults() faults {
	f := faults{lag: s.Lag, stalled: s.Stalled, lateBlocks: s.LateBlocks, alterations: s.Alterations, alter: s.Alter, held: restoredHolds(s.Holds)}
	for _, o := range s.Omissions {
		f.omissions = append(f.omissions, omission{o.Last, o.Hashes, o.Gone, o.Retract})
	}
	return f
}
