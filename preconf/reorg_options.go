package preconf

import (
	"errors"
	"fmt"

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

// ErrReorged is the Reason of a transaction whose block a reorg removed and which it lost.
var ErrReorged = errors.New("lost by a reorg")

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

	follows bool // an L1 that lost the origins of these blocks, so that others come of themselves
	// Drop are removed transactions that are lost whatever Transactions is. One that is in no removed block is rejected.
	Drop []common.Hash
	// Blocks are the transactions of the first replacement blocks, exactly. The blocks after them are filled from the
	// removed transactions.
	Blocks [][]*types.Transaction
	// RemovedOrder of the removed logs.
	RemovedOrder RemovedOrder
	// Force removes finalized blocks, too.
	Force bool
}

// ReorgResult reports what a reorg changed.
type ReorgResult struct {
	Removed []common.Hash // oldest first
	Added   []common.Hash // oldest first
	// Requeued transactions wait in the pool for a later block.
	Requeued []common.Hash
}

// DepthError is returned when a reorg is deeper than allowed.
type DepthError struct {
	Depth, Max int
	// Finalized reports that the finalized block sets Max; otherwise the length of the chain does.
	Finalized bool
}

func (e *DepthError) Error() string {
	if e.Finalized {
		return fmt.Sprintf("reorg of depth %d would remove finalized blocks: at most %d unless force is set", e.Depth, e.Max)
	}
	return fmt.Sprintf("reorg of depth %d is deeper than the chain: at most %d", e.Depth, e.Max)
}

// BlockTransactionError is returned when a transaction of ReorgOptions.Blocks cannot be in its block.
type BlockTransactionError struct {
	Block int // index in Blocks
	Hash  common.Hash
	Err   error
}

func (e *BlockTransactionError) Error() string {
	return fmt.Sprintf("transaction %s of replacement block %d: %v", e.Hash, e.Block, e.Err)
}

func (e *BlockTransactionError) Unwrap() error { return e.Err }
