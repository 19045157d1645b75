package preconf

import (
	"fmt"
	"slices"

	"github.com/fakenode/fakenode/evmstate"
)

// checkReorg returns how many blocks the reorg adds, or why there cannot be such a reorg.
func (w *world) checkReorg(o ReorgOptions) (length int, err error) {
	head := w.chain.Head().Number()
	switch {
	case o.Depth < 1:
		return 0, fmt.Errorf("reorg depth %d is under 1", o.Depth)
	case uint64(o.Depth) > head-w.chain.Base():
		return 0, &DepthError{Depth: o.Depth, Max: int(head - w.chain.Base())}
	case !slices.Contains([]Fate{"", Requeue, Drop, Reverse}, o.Transactions):
		return 0, fmt.Errorf("unknown fate %q of removed transactions: requeue, drop or reverse", o.Transactions)
	case !slices.Contains([]Fate{"", Requeue, Drop, Reverse}, o.Above):
		return 0, fmt.Errorf("unknown fate %q of transactions of the L2 above: requeue, drop or reverse", o.Above)
	case !slices.Contains([]RemovedOrder{"", OldestFirst, NewestFirst}, o.RemovedOrder):
		return 0, fmt.Errorf("unknown order %q of removed logs: forward or reverse", o.RemovedOrder)
	}
	if most := head - w.finalizedNumber(); uint64(o.Depth) > most && !o.Force {
		return 0, &DepthError{Depth: o.Depth, Max: int(most), Finalized: true}
	}
	ancestor := head - uint64(o.Depth)
	if _, err := w.chain.StateAt(w.chain.BlockByNumber(ancestor)); err != nil {
		return 0, err
	}
	if length, err = o.length(); err != nil {
		return 0, err
	}
	for _, h := range o.Drop {
		b, i, sealed := w.chain.Find(h)
		if !sealed || b.Number() <= ancestor || evmstate.Signed(b.Transaction(i)) == nil {
			return 0, fmt.Errorf("cannot drop transaction %s: no removed block holds it", h)
		}
	}
	return length, nil
}

// length returns how many blocks the reorg adds.
func (o *ReorgOptions) length() (int, error) {
	if o.Length == nil {
		return max(o.Depth+1, len(o.Blocks)), nil
	}
	if *o.Length < len(o.Blocks) || *o.Length < 0 {
		return 0, fmt.Errorf("reorg length %d is under the %d blocks listed", *o.Length, len(o.Blocks))
	}
	return *o.Length, nil
}
