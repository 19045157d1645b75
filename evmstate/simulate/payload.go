package simulate

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Payload is the input of a simulation (contract section 2.5).
type Payload struct {
	Blocks []Block
	// Pending is the header of the block being built, when the first simulated block continues that: it then has the
	// same gas limit and fee recipient, with Validation the same base fee, and is no earlier. nil otherwise.
	Pending *types.Header
	// TraceTransfers adds a log for every transfer of ether.
	TraceTransfers bool
	// Validation checks nonces and fees as a real block would.
	Validation bool
	// ComputeStateRoots fills in the true state roots, which the block hashes then depend on. Without it they are zero,
	// as contract section 2.6 says.
	ComputeStateRoots bool
	// CountRevertedLogs lets logs that were dropped with their call frame take up log indices, as go-ethereum does.
	// Without it an index is the log's position in the block, as contract section 2.3 says.
	CountRevertedLogs bool
	// GasPriceIsLegacy makes every call with a gasPrice, and every one before London, a legacy transaction, as
	// go-ethereum does, which drops what such a transaction cannot hold. Without it the type is what the fields ask
	// for.
	GasPriceIsLegacy bool
}

// Block is one simulated block.
type Block struct {
	Calls          []Call
	StateOverrides StateOverrides
	// Overrides may be nil.
	Overrides *BlockOverrides
}

// BlockResult is one simulated block with what its calls gave (contract section 2.6). Blocks that fill a gap in the
// numbers have results too.
type BlockResult struct {
	// Block holds the header and one unsigned transaction per call.
	Block *types.Block
	// Calls are the results, one per transaction. Their logs carry the simulated block's hash.
	Calls []CallResult
	// Senders are the senders of the transactions.
	Senders []common.Address
}

// Check enforces the limits on blocks and calls, as Run does first. Errors: ErrEmptyPayload, ErrTooManyBlocks,
// ErrTooManyCalls.
func (p *Payload) Check() error {
	if len(p.Blocks) == 0 {
		return ErrEmptyPayload
	}
	if len(p.Blocks) > MaxBlocks {
		return fmt.Errorf("%w: %d > %d", ErrTooManyBlocks, len(p.Blocks), MaxBlocks)
	}
	total := 0
	for i, block := range p.Blocks {
		if n := len(block.Calls); n > MaxCallsPerBlock {
			return fmt.Errorf("%w in block %d: %d > %d", ErrTooManyCalls, i, n, MaxCallsPerBlock)
		}
		total += len(block.Calls)
	}
	if total > MaxCalls {
		return fmt.Errorf("%w: %d > %d", ErrTooManyCalls, total, MaxCalls)
	}
	return nil
}
