package preconf

import (
	"fmt"
	"maps"
	"slices"
)

// check rejects fields that are out of range or do not apply to the kind.
func (f FlashblockFault) check() error {
	heeds, known := faultKinds[f.Kind]
	switch {
	case !known:
		return fmt.Errorf("unknown fault kind %.80q: want one of %s", f.Kind, slices.Sorted(maps.Keys(faultKinds)))
	case f.Count < 0 || f.Count > maxFaultCount:
		return fmt.Errorf("fault count %d is not between 1 and %d", f.Count, maxFaultCount)
	case f.Gone && !heeds.gone:
		return fmt.Errorf("a fault %q loses no transactions: gone is for drop and omit", f.Kind)
	case f.Retract && !heeds.retract:
		return fmt.Errorf("a fault %q retracts nothing: retract is for drop, omit and stall", f.Kind)
	case f.Hashes != nil && !heeds.hashes:
		return fmt.Errorf("a fault %q has no hashes: they are for omit and alterLogs", f.Kind)
	case f.Hashes != nil && len(f.Hashes) == 0:
		return fmt.Errorf("hashes of a fault %q are empty: leave them out to go by count", f.Kind)
	case f.Hashes != nil && f.Count != 0:
		return fmt.Errorf("a fault %q has hashes or a count, not both", f.Kind)
	}
	return nil
}

// checkHashes rejects transactions for which the fault comes too late.
func (c *change) checkHashes(f FlashblockFault) error {
	for _, h := range f.Hashes {
		if b, _, sealed := c.builder().Find(h); sealed {
			return fmt.Errorf("transaction %s is sealed already, in block %d", h, b.Number())
		}
		if f.Kind == AlterLogs && c.tip != nil {
			if _, ok := c.tip.positions.Get(h); ok {
				return fmt.Errorf("transaction %s is pre-confirmed already: its logs are announced", h)
			}
		}
	}
	return nil
}
