package preconf

import "github.com/fakenode/fakenode/preconf/control"

// SetSafe makes "safe" this block. Error: *UnknownBlockError.
func (t *Timeline) SetSafe(number uint64) error {
	return t.change(func(c *change) error {
		if err := c.checkKnown(number); err != nil {
			return err
		}
		c.control.SafeAt = &number
		return nil
	})
}

// SetFinalized makes "finalized" this block. Error: *UnknownBlockError.
func (t *Timeline) SetFinalized(number uint64) error {
	return t.change(func(c *change) error {
		if err := c.checkKnown(number); err != nil {
			return err
		}
		c.control.FinalizedAt = &number
		return nil
	})
}

// checkKnown rejects a block above the head, or below a fork block.
func (w *world) checkKnown(number uint64) error {
	if head := w.chain.Head().Number(); number > head || number < w.chain.Base() {
		return &UnknownBlockError{Number: &number, Head: head}
	}
	return nil
}

// Safe returns the block set by SetSafe, or the one SafeLag behind the head; above an L1 the newest one whose origin is
// below what is safe there. It is not below Finalized.
func (m *Moment) Safe() *View { return m.sealed(m.chain.BlockByNumber(m.safeNumber())) }

// Finalized returns the block set by SetFinalized, or the one FinalizedLag behind the head; above an L1 the newest one
// whose origin is below what is finalized there. Only a forced reorg and going back to a snapshot make it an earlier
// one.
func (m *Moment) Finalized() *View { return m.sealed(m.chain.BlockByNumber(m.finalizedNumber())) }

func (w *world) safeNumber() uint64 {
	n := w.behind(w.control.SafeAt, *w.cfg.SafeLag)
	if w.control.SafeAt == nil && w.derives() {
		n = w.derivedBefore(w.below.safeNumber())
	}
	return max(n, w.finalizedNumber())
}

func (w *world) finalizedNumber() uint64 {
	n := w.behind(w.control.FinalizedAt, *w.cfg.FinalizedLag)
	if w.control.FinalizedAt == nil && w.derives() {
		n = w.derivedBefore(w.below.finalizedNumber())
	}
	if w.control.FinalizedAt == nil {
		n = max(n, w.control.KeptFinalized)
	}
	return n
}

// behind returns the number set, at most the head's, or the head's less lag, at least the first block's.
func (w *world) behind(set *uint64, lag uint64) uint64 {
	return control.Behind(set, lag, w.chain.Head().Number(), w.chain.Base())
}
