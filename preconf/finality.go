package preconf

// SetSafe makes "safe" this block. Error: *UnknownBlockError.
func (t *Timeline) SetSafe(number uint64) error {
	return t.change(func(c *change) error {
		if err := c.checkKnown(number); err != nil {
			return err
		}
		c.safeAt = &number
		return nil
	})
}

// SetFinalized makes "finalized" this block. Error: *UnknownBlockError.
func (t *Timeline) SetFinalized(number uint64) error {
	return t.change(func(c *change) error {
		if err := c.checkKnown(number); err != nil {
			return err
		}
		c.finalizedAt = &number
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
	n := w.behind(w.safeAt, *w.cfg.SafeLag)
	if w.safeAt == nil && w.derives() {
		n = w.derivedBefore(w.below.safeNumber())
	}
	return max(n, w.finalizedNumber())
}

func (w *world) finalizedNumber() uint64 {
	n := w.behind(w.finalizedAt, *w.cfg.FinalizedLag)
	if w.finalizedAt == nil && w.derives() {
		n = w.derivedBefore(w.below.finalizedNumber())
	}
	if w.finalizedAt == nil {
		n = max(n, w.keptFinalized)
	}
	return n
}

// behind returns the number set, at most the head, or the head less lag, at least that of the first block.
func (w *world) behind(set *uint64, lag uint64) uint64 {
	head := w.chain.Head().Number()
	if set != nil {
		return min(*set, head)
	}
	return head - min(lag, head-w.chain.Base())
}
