package preconf

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Hold keeps transactions in the pool as h describes, beside earlier holds. What is pre-confirmed stays so.
// ClearFlashblockFaults ends holds, too, without sealing anything. The error reports what is wrong with h.
func (t *Timeline) Hold(h control.Hold) error {
	return t.change(func(c *change) error {
		held, err := h.Begin(c.control.Clock, c.nextNumber())
		if err == nil {
			c.control.Faults.Holds = append(slices.Clip(c.control.Faults.Holds), held)
		}
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
	err = t.change(func(c *change) error {
		for _, e := range c.pool.Sorted() {
			if c.hold(e) != nil {
				released++
			}
		}
		c.control.Faults.Holds = nil
		if c.control.Settings.Mode == control.Instant {
			return c.sealReady()
		}
		return nil
	})
	return released, err
}

// Holds returns the holds in force, oldest first; For and Blocks are what is left.
func (m *Moment) Holds() []control.Hold {
	return m.control.Faults.Holds.Left(m.control.Clock.Now, m.nextNumber())
}

// hold returns why e is held in the pool, or nil.
func (w *world) hold(e *pool.Entry) *control.HeldError {
	if len(w.control.Faults.Holds) == 0 {
		return nil
	}
	return w.control.Faults.Holds.Keeping(e.Tx.Hash(), e.From, w.control.Clock.Now, w.nextNumber())
}
