package preconf

import (
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Hold keeps transactions in the pool: no flashblock and no block takes them. With neither Hashes nor Senders it keeps
// all of them. Later transactions of a sender wait behind one that is held.
type Hold struct {
	// Hashes of transactions, which need not have been sent yet.
	Hashes []common.Hash
	// Senders whose transactions are held.
	Senders []common.Address
	// For is how long on the clock, at most 100 years. Zero: until Release. In Instant mode the transactions are sealed at
	// its end, when Advance or a real clock passes it, and else with the next transaction or block.
	For time.Duration
	// Blocks is for how many blocks, that being built among them, at most 1,000,000; not together with For. In Instant
	// mode the transactions are sealed with the first one sent after these blocks. Zero: until Release.
	Blocks uint64
}

// held is a Hold in force. It is immutable.
type held struct {
	Hold
	until int64  // on the clock, in nanoseconds since the Unix epoch; 0: until Release
	free  uint64 // number of the first block that may hold the transactions; 0: none before Release
}

// over reports whether the hold has ended.
func (h *held) over(w *world) bool {
	return h.until != 0 && h.until <= w.clock.now || h.free != 0 && h.free <= w.builder().Head().Number()+1
}

// HeldError is the reason of a pooled transaction that a Hold keeps there.
type HeldError struct {
	// Until is when the hold ends. Zero: with Block or Release.
	Until time.Time
	// Block is the number of the first block that may hold the transaction. Zero: see Until.
	Block uint64
}

func (e *HeldError) Error() string {
	switch {
	case e.Block != 0:
		return fmt.Sprintf("it is held on command, until block %d", e.Block)
	case e.Until.IsZero():
		return "it is held on command, until released"
	}
	return "it is held on command, until " + e.Until.Format("2006-01-02T15:04:05.999Z07:00")
}

// Hold keeps transactions in the pool as h describes, beside earlier holds. What is pre-confirmed stays so.
// ClearFlashblockFaults ends holds, too, without sealing anything. The error reports what is wrong with h.
func (t *Timeline) Hold(h Hold) error {
	if h.For < 0 || h.For > LongestTime {
		return fmt.Errorf("hold for %s is not between 0 and %s", h.For, LongestTime)
	}
	if h.Blocks > maxFaultCount {
		return fmt.Errorf("hold for %d blocks is over the limit of %d", h.Blocks, maxFaultCount)
	}
	if h.For > 0 && h.Blocks > 0 {
		return fmt.Errorf("hold for %s and for %d blocks: want one of them", h.For, h.Blocks)
	}
	return t.change(func(c *change) error {
		added := held{Hold: Hold{slices.Clone(h.Hashes), slices.Clone(h.Senders), h.For, h.Blocks}}
		if h.Blocks > 0 {
			added.free = c.builder().Head().Number() + 1 + h.Blocks
		}
		if h.For > 0 {
			var err error
			if added.until, err = c.after(h.For); err != nil {
				return err
			}
		}
		c.faults.held = append(slices.Clip(c.faults.held), added)
		return nil
	})
}

// endHolds seals, in Instant mode, what is held until a time up to and including the given one, each at its time.
func (c *change) endHolds(until int64) error {
	for c.settings.mode == Instant {
		first := -1
		for i, h := range c.faults.held {
			if h.until != 0 && h.until <= until && (first < 0 || h.until < c.faults.held[first].until) {
				first = i
			}
		}
		if first < 0 {
			break
		}
		c.clock.now = max(c.clock.now, c.faults.held[first].until)
		c.faults.held = slices.Delete(slices.Clone(c.faults.held), first, first+1)
		if err := c.sealReady(); err != nil {
			return err
		}
	}
	return nil
}

// MoveHold lets the holds of one transaction be those of another, which stands for it.
func (t *Timeline) MoveHold(from, to common.Hash) {
	t.set(func(c *change) {
		moved := slices.Clone(c.faults.held)
		for i, h := range moved {
			if at := slices.Index(h.Hashes, from); at >= 0 {
				moved[i].Hashes = slices.Clone(h.Hashes)
				moved[i].Hashes[at] = to
			}
		}
		c.faults.held = moved
	})
}

// Release ends all holds and returns how many transactions of the pool they held. In Instant mode these are sealed when
// it returns; otherwise the next flashblock or block takes them.
func (t *Timeline) Release() (released int, err error) {
	err = t.change(func(c *change) error {
		for e := range c.pool.all {
			if c.hold(e) != nil {
				released++
			}
		}
		c.faults.held = nil
		if c.settings.mode == Instant {
			return c.sealReady()
		}
		return nil
	})
	return released, err
}

// Holds returns the holds in force, oldest first; For and Blocks are what is left.
func (m *Moment) Holds() (holds []Hold) {
	for _, h := range m.faults.held {
		if h.over(&m.world) {
			continue
		}
		left := h.Hold
		if h.until != 0 {
			left.For = time.Duration(h.until - m.clock.now)
		}
		if h.free != 0 {
			left.Blocks = h.free - m.builder().Head().Number() - 1
		}
		holds = append(holds, left)
	}
	return holds
}

// hold returns why e is held in the pool, or nil.
func (w *world) hold(e *entry) *HeldError {
	for _, h := range w.faults.held {
		everything := len(h.Hashes) == 0 && len(h.Senders) == 0
		switch {
		case h.over(w):
		case everything || slices.Contains(h.Hashes, e.tx.Hash()) || slices.Contains(h.Senders, e.from):
			if h.until == 0 {
				return &HeldError{Block: h.free}
			}
			return &HeldError{Until: time.Unix(0, h.until).UTC()}
		}
	}
	return nil
}

// SavedHold is a Hold in force; Until and Free are 0 where it lasts until Release.
type SavedHold struct {
	Hashes  []common.Hash
	Senders []common.Address
	Until   int64
	Free    uint64 `json:",omitempty"` // number of the first block that may hold the transactions
}

// savedHolds returns holds as plain values.
func savedHolds(holds []held) (saved []SavedHold) {
	for _, h := range holds {
		saved = append(saved, SavedHold{h.Hashes, h.Senders, h.until, h.free})
	}
	return saved
}

// restoredHolds returns the holds of saved ones.
func restoredHolds(saved []SavedHold) (holds []held) {
	for _, s := range saved {
		holds = append(holds, held{Hold{Hashes: s.Hashes, Senders: s.Senders}, s.Until, s.Free})
	}
	return holds
}
