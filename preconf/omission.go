package preconf

import (
	"maps"

	"github.com/ethereum/go-ethereum/common"
)

// omission is an armed OmitTransactions. It is immutable.
type omission struct {
	last          int           // so many of the block's transactions, or
	hashes        []common.Hash // these
	gone, retract bool
}

// of returns the transactions that o leaves out of a block of these entries, and the part of o that stays armed, or
// nil.
func (o omission) of(entries []*entry) (map[common.Hash]bool, *omission) {
	left := make(map[common.Hash]bool)
	if o.last > 0 {
		if len(entries) == 0 {
			return left, &o
		}
		for _, e := range entries[max(0, len(entries)-o.last):] {
			left[e.tx.Hash()] = true
		}
		return left, nil
	}
	if o.hashes = intersect(o.hashes, entries, left); len(o.hashes) == 0 {
		return left, nil
	}
	return left, &o
}

// intersect adds the hashes that entries have to found, and returns the rest.
func intersect(hashes []common.Hash, entries []*entry, found map[common.Hash]bool) []common.Hash {
	held := make(map[common.Hash]bool, len(entries))
	for _, e := range entries {
		held[e.tx.Hash()] = true
	}
	var rest []common.Hash
	for _, h := range hashes {
		if held[h] {
			found[h] = true
		} else {
			rest = append(rest, h)
		}
	}
	return rest
}

// omit returns the block at s without the transactions that faults leave out; each fault applies to what those before
// it left in. What needs a transaction left out goes back to the pool.
func (c *change) omit(s *slice) *slice {
	if c.faults.omissions == nil {
		return s
	}
	entries := s.allEntries()
	back := make(map[common.Hash]bool)
	var armed []omission
	for _, o := range c.faults.omissions {
		kept := s.allEntries()
		left, rest := o.of(kept)
		if rest != nil {
			armed = append(armed, *rest)
		}
		if len(left) == 0 {
			continue
		}
		if o.gone {
			c.lose(only(kept, left))
		} else {
			maps.Copy(back, left)
		}
		whole := s
		s = c.replay(startOf(s.empty), whole.all(), left, func(e *entry, err error) {
			left[e.tx.Hash()] = true
			for _, e := range c.refused(e, err) {
				back[e.tx.Hash()] = true
			}
		})
		if o.retract {
			c.retract(whole, left)
		}
	}
	c.faults.omissions = armed
	c.requeue(only(entries, back))
	return s
}
