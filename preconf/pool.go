package preconf

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// fill moves the pool's ready transactions to d, at most limit (0: all), in order. Those that do not fit or pay too
// little stay; those that can never execute are dropped. The error, a *remote.Error, reports why one cannot now.
func (c *change) fill(d *chain.Draft, limit int) (pool.Batch, error) {
	may := pool.Any
	if c.following {
		t := c.timeline
		may = func(e *pool.Entry) bool {
			return !t.lacking.Has(e.Tx.Hash(), func() error { return t.Moment().fetchFor(e.Tx, e.From) })
		}
	}
	f := c.pool.Fill(d, c.cfg.Order, limit, c.unheld(may))
	if f.Why != nil && !c.following {
		return pool.Batch{}, f.Why
	}
	for _, e := range f.Lacking {
		c.timeline.lacking.Add(e.Tx.Hash(), func(hash common.Hash) bool { return f.Left.Get(hash) != nil })
	}
	c.pool = f.Left
	return f.Batch, nil
}

// unheld accepts the entries that may accepts and that nothing holds.
func (c *change) unheld(may func(*pool.Entry) bool) func(*pool.Entry) bool {
	if len(c.control.Faults.Holds) == 0 {
		return may
	}
	return func(e *pool.Entry) bool { return c.hold(e) == nil && may(e) }
}

// DropTransaction removes a transaction from the pool and reports whether it was there.
func (t *Timeline) DropTransaction(hash common.Hash) (found bool) {
	t.set(func(c *change) {
		e := c.pool.Get(hash)
		if found = e != nil; found {
			c.pool = c.pool.Drop(e, pool.ErrCleared)
		}
	})
	return found
}

// ClearPool removes the transactions of these senders from the pool, or without any those of all.
func (t *Timeline) ClearPool(senders ...common.Address) {
	t.set(func(c *change) { c.pool = c.pool.Cleared(senders) })
}

// Hold keeps transactions in the pool as h describes, beside earlier holds. What is pre-confirmed stays so.
// ClearFlashblockFaults ends holds, too, without sealing anything. The error reports what is wrong with h.
func (t *Timeline) Hold(h control.Hold) error {
	return t.Set(func(c *change) error {
		held, err := h.Begin(c.control.Clock, c.nextNumber())
		c.control.Faults.Holds = append(slices.Clip(c.control.Faults.Holds), held)
		return err
	})
}

// endHolds seals, in Instant mode, what is held until a time up to and including the given one, each at its time.
func (c *change) endHolds(until int64) error {
	for c.control.Settings.Mode == control.Instant {
		left, end, ok := c.control.Faults.Holds.Ending(until)
		if !ok {
			break
		}
		c.forward(end)
		c.control.Faults.Holds = left
		if err := c.sealReady(); err != nil {
			return err
		}
	}
	return nil
}

// MoveHold lets the holds of one transaction be those of another, which stands for it.
func (t *Timeline) MoveHold(from, to common.Hash) {
	t.set(func(c *change) { c.control.Faults.Holds = c.control.Faults.Holds.Moved(from, to) })
}

// Release ends all holds and returns how many transactions of the pool they held. In Instant mode these are sealed when
// it returns; otherwise the next flashblock or block takes them.
func (t *Timeline) Release() (released int, err error) {
	return changed(t, func(c *change) (released int, err error) {
		for _, e := range c.pool.Sorted() {
			if c.hold(e) != nil {
				released++
			}
		}
		c.control.Faults.Holds = nil
		if c.control.Settings.Mode == control.Instant {
			err = c.sealReady()
		}
		return released, err
	})
}

// Holds returns the holds in force, oldest first; For and Blocks are what is left.
func (m *Moment) Holds() []control.Hold {
	return m.control.Faults.Holds.Left(m.control.Clock.Now, m.nextNumber())
}

// hold returns the hold that keeps e in the pool, or nil.
func (w *world) hold(e *pool.Entry) *control.Held {
	return w.control.Faults.Holds.Keeping(e.Tx.Hash(), e.From, w.control.Clock.Now, w.nextNumber())
}

// PoolNonce returns the next nonce of an account, counting what is pre-confirmed and what waits in the pool without a
// gap.
func (m *Moment) PoolNonce(a common.Address) uint64 { return m.pool.NonceAfter(m.newest(), a) }

// Load makes sure that the pre-confirmed state of accounts, without the pool, can be read. The error is a
// *remote.Error.
func (m *Moment) Load(accounts ...common.Address) error {
	for _, a := range accounts {
		if err := m.newest().Load(a); err != nil {
			return err
		}
	}
	return nil
}

// PoolSize returns how many transactions are in the pool.
func (m *Moment) PoolSize() int { return m.pool.Len() }

// Pool returns every transaction in the pool, in the order of arrival.
func (m *Moment) Pool() []pool.Listed { return m.pool.List(m.newest()) }
