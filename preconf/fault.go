package preconf

import (
	"cmp"
	"errors"
	"fmt"
	"maps"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// ErrNoFlashblock is returned when the pending block has too few flashblocks for the fault.
var ErrNoFlashblock = errors.New("not that many flashblocks in the pending block: fakenode_preconfirm makes the next")

// maxDuplicates is how many events one fault may emit at once: it is less than the buffer of a reader.
const maxDuplicates = 10_000

// FlashblockFault lets something go wrong with flashblocks. Errors: those of Moment.NoFlashblocks, ErrNoFlashblock,
// *control.BudgetError, or what is wrong with f. On an error nothing changed.
func (t *Timeline) FlashblockFault(f control.FlashblockFault) (control.FaultResult, error) {
	return changed(t, func(c *change) (control.FaultResult, error) { return c.fault(f) })
}

// ClearFlashblockFaults disarms all faults and ends all holds; the context lag is the configured one again. A late
// block stays late.
func (t *Timeline) ClearFlashblockFaults() {
	t.set(func(c *change) { c.control.Faults = control.Faults{Lag: c.cfg.PendingLag} })
}

// Late reports whether a sealed block is not announced yet.
func (m *Moment) Late() bool { return m.late != nil }

// WithoutFaults calls f while no fault is armed but the context lag, no Weather is in force, and blocks are made on
// command in place of instant ones. All is as before after it, also when f fails or panics, or the node ends and
// another one goes on. Call it inside Atomically, so that no other writer gets in between.
func (t *Timeline) WithoutFaults(f func() error) (err error) {
	err = t.change(func(c *change) error {
		instant := c.control.Settings.Mode == control.Instant
		if c.control = c.control.WithoutFaults(); instant {
			return Mode(control.Manual)(c)
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, t.restoreFaults()) }()
	return f()
}

// restoreFaults ends WithoutFaults, if it has begun.
func (t *Timeline) restoreFaults() (err error) {
	if suspended := t.Moment().control.Suspended; suspended != nil && suspended.Instant {
		err = t.Set(Mode(control.Instant))
	}
	t.set(func(c *change) { c.control = c.control.RestoreFaults() })
	return err
}

func (c *change) fault(f control.FlashblockFault) (result control.FaultResult, err error) {
	if err := cmp.Or(c.NoFlashblocks(), f.Check(), c.checkHashes(f)); err != nil {
		return result, err
	}
	f.Count = max(f.Count, 1)
	if do := atOnce[f.Kind]; do != nil {
		if result, err = do(c, f); err != nil {
			return result, err
		}
	}
	c.control.Faults, result.Armed = c.control.Faults.With(f)
	if err := c.control.CheckBudget(); err != nil {
		return result, err
	}
	c.emit(&Event{Kind: FlashblockDisturbed, Fault: f, FaultResult: result})
	return result, nil
}

// atOnce makes the part of a fault that happens at once. It gets a fault that is checked, with a count of at least 1.
var atOnce = map[control.FaultKind]func(*change, control.FlashblockFault) (control.FaultResult, error){
	control.DropFlashblocks:     (*change).dropFlashblocks,
	control.DuplicateFlashblock: (*change).duplicate,
	control.StallFlashblocks: func(c *change, f control.FlashblockFault) (control.FaultResult, error) {
		return c.takeBack(nil, f), nil
	},
}

// checkHashes rejects transactions for which the fault comes too late.
func (c *change) checkHashes(f control.FlashblockFault) error {
	for _, h := range f.Hashes {
		if b, _, sealed := c.builder().Find(h); sealed {
			return fmt.Errorf("transaction %s is sealed already, in block %d", h, b.Number())
		}
		if f.Kind == control.AlterLogs && c.tip != nil {
			if _, ok := c.tip.positions.Get(h); ok {
				return fmt.Errorf("transaction %s is pre-confirmed already: its logs are announced", h)
			}
		}
	}
	return nil
}

func (c *change) dropFlashblocks(f control.FlashblockFault) (control.FaultResult, error) {
	if c.tip == nil || f.Count > c.tip.index+1 {
		return control.FaultResult{}, fmt.Errorf("cannot drop %d: %w", f.Count, ErrNoFlashblock)
	}
	to := c.tip
	for range f.Count {
		to = to.prev
	}
	return c.takeBack(to, f), nil
}

// takeBack makes an earlier flashblock the newest, or none where to is nil.
func (c *change) takeBack(to *slice, f control.FlashblockFault) control.FaultResult {
	var result control.FaultResult
	var entries []*pool.Entry
	from := c.tip
	taken := from.all()
	if to != nil {
		taken = taken[to.index+1:]
	}
	for _, s := range taken {
		entries = append(entries, s.entries...)
	}
	result.Transactions, result.Flashblocks = pool.Hashes(entries), len(taken)
	if f.Retract {
		c.retract(from, control.SetOf(result.Transactions...))
	}
	c.tip, c.control.Silent = to, true
	if f.Gone {
		c.pool.Drops = c.pool.Drops.With(pool.ErrGone, result.Transactions...)
	} else {
		c.pool = c.pool.Requeued(entries)
	}
	return result
}

func (c *change) duplicate(f control.FlashblockFault) (control.FaultResult, error) {
	if c.tip == nil {
		return control.FaultResult{}, fmt.Errorf("cannot duplicate: %w", ErrNoFlashblock)
	}
	if f.Count > maxDuplicates {
		return control.FaultResult{}, fmt.Errorf("cannot duplicate %d times: the limit is %d", f.Count, maxDuplicates)
	}
	c.tip = c.tip.markAnnounced()
	for range f.Count {
		c.notifyFlashblock()
	}
	return control.FaultResult{Flashblocks: f.Count}, nil
}

// retract notifies readers that the logs of these transactions are void, as announced in the block up to s.
func (c *change) retract(s *slice, hashes map[common.Hash]bool) {
	var logs []*types.Log
	for _, f := range s.all() {
		for _, l := range f.announced {
			if hashes[l.TxHash] {
				logs = append(logs, l)
			}
		}
	}
	if len(logs) > 0 {
		c.emit(&Event{Kind: LogsRetracted, Logs: removedLogs(logs)})
	}
}

// omit returns the block at s without the transactions that faults leave out; each fault applies to what those before
// it left in. Transactions that depend on an omitted one return to the pool.
func (c *change) omit(s *slice) *slice {
	if c.control.Faults.Omissions == nil {
		return s
	}
	entries := s.allEntries()
	back := make(map[common.Hash]bool)
	var armed []control.Omission
	for _, o := range c.control.Faults.Omissions {
		kept := s.allEntries()
		left, rest := o.Of(pool.Hashes(kept))
		if rest != nil {
			armed = append(armed, *rest)
		}
		if len(left) == 0 {
			continue
		}
		if o.Gone {
			c.pool.Drops = c.pool.Drops.With(pool.ErrGone, pool.Hashes(pool.Only(kept, left))...)
		} else {
			maps.Copy(back, left)
		}
		whole := s
		s = c.replay(startOf(s.empty), whole.all(), left, func(e *pool.Entry, err error) {
			left[e.Tx.Hash()] = true
			for _, e := range c.refused(e, err) {
				back[e.Tx.Hash()] = true
			}
		})
		if o.Retract {
			c.retract(whole, left)
		}
	}
	c.control.Faults.Omissions = armed
	c.pool = c.pool.Requeued(pool.Only(entries, back))
	return s
}
