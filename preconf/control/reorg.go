package control

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Fate decides what becomes of the transactions that a reorg removes.
type Fate string

const (
	// Requeue puts them back into the pool, from which the replacement blocks take them in their order. The zero Fate
	// means it, too.
	Requeue Fate = "requeue"
	// Drop loses them.
	Drop Fate = "drop"
	// Reverse is Requeue in reverse order, as far as nonces allow.
	Reverse Fate = "reverse"
)

// RemovedOrder is the order in which readers get removed logs.
type RemovedOrder string

const (
	// OldestFirst is the order in which geth sends them. The zero RemovedOrder means it, too.
	OldestFirst RemovedOrder = "forward"
	// NewestFirst is the reverse.
	NewestFirst RemovedOrder = "reverse"
)

// ReorgOptions describes a reorg.
type ReorgOptions struct {
	// Depth is how many blocks are removed, at least 1.
	Depth int
	// Length is how many blocks replace them, possibly fewer than Depth. Nil: Depth+1, or as many as Blocks has if that
	// is more.
	Length *int
	// Transactions decides what becomes of the removed ones.
	Transactions Fate
	// Above decides what becomes of the transactions of an L2 above whose blocks go, because they refer to an L1 block
	// that is removed.
	Above Fate
	// Drop are removed transactions that are lost whatever Transactions is. One that is in no removed block is rejected.
	Drop []common.Hash
	// Blocks are the transactions of the first replacement blocks, exactly. The blocks after them are filled from the
	// removed transactions.
	Blocks [][]*types.Transaction
	// RemovedOrder of the removed logs.
	RemovedOrder RemovedOrder
	// Force removes finalized blocks, too.
	Force bool
	// Silent leaves nothing of the removed blocks, and announces the new ones alone, as always with CommitStates.
	Silent bool
}

// ReorgResult lists the changes that a reorg made.
type ReorgResult struct {
	Removed []common.Hash `json:"removed"` // oldest first
	Added   []common.Hash `json:"added"`   // oldest first
	// Requeued transactions wait in the pool for a later block.
	Requeued []common.Hash `json:"requeued"`
}

// DepthError is returned when a reorg is deeper than allowed.
type DepthError struct {
	Depth, Max int
	// Finalized reports whether the finalized block sets Max; otherwise the length of the chain does.
	Finalized bool
	// Fork is the number of the fork block, which cannot be replaced; 0 where the chain is no fork.
	Fork uint64
}

func (e *DepthError) Error() string {
	if e.Finalized {
		return fmt.Sprintf("reorg of depth %d would remove finalized blocks: at most %d unless force is set", e.Depth, e.Max)
	}
	if e.Fork > 0 {
		return fmt.Sprintf("reorg of depth %d would replace the fork block %d or one below: at most %d", e.Depth, e.Fork, e.Max)
	}
	return fmt.Sprintf("reorg of depth %d is deeper than the chain: at most %d", e.Depth, e.Max)
}

// Check returns how many blocks the reorg adds to a chain between two numbers, one of whose blocks is final, or what is
// wrong with it. The error may be a *DepthError.
func (o ReorgOptions) Check(base, head, finalized uint64) (length int, err error) {
	fates, orders := []Fate{"", Requeue, Drop, Reverse}, []RemovedOrder{"", OldestFirst, NewestFirst}
	length = max(o.Depth+1, len(o.Blocks))
	if o.Length != nil {
		length = *o.Length
	}
	switch {
	case o.Depth < 1:
		return 0, fmt.Errorf("reorg depth %d is under 1", o.Depth)
	case uint64(o.Depth) > head-base:
		return 0, &DepthError{Depth: o.Depth, Max: int(head - base), Fork: base}
	case !slices.Contains(fates, o.Transactions):
		return 0, fmt.Errorf("unknown fate %q of removed transactions: requeue, drop or reverse", o.Transactions)
	case !slices.Contains(fates, o.Above):
		return 0, fmt.Errorf("unknown fate %q of transactions of the L2 above: requeue, drop or reverse", o.Above)
	case !slices.Contains(orders, o.RemovedOrder):
		return 0, fmt.Errorf("unknown order %q of removed logs: forward or reverse", o.RemovedOrder)
	case uint64(o.Depth) > head-finalized && !o.Force:
		return 0, &DepthError{Depth: o.Depth, Max: int(head - finalized), Finalized: true}
	case length < len(o.Blocks):
		return 0, fmt.Errorf("reorg length %d is under the %d blocks listed", length, len(o.Blocks))
	}
	return length, nil
}
