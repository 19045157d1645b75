package simulate

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Payload is the input of a simulation (contract 2.5-blocks to 2.5-validation). Flags ask for go-ethereum's way where
// it differs from the contract's.
type Payload struct {
	Blocks []Block
	// Pending is the header of the block being built if the first simulated block continues it, and nil otherwise. The
	// simulated block then has the same gas limit and fee recipient, with ChargeBaseFee the same base fee, and is not
	// earlier.
	Pending *types.Header
	// BaseMilliseconds is the time of the block that is continued, in Unix milliseconds, where the rules of the chain fix
	// the block time: omitted timestamps then follow its schedule, and may repeat. Ignored elsewhere.
	BaseMilliseconds uint64
	// TraceTransfers adds a log for every transfer of ether (contract 2.5-traceTransfers).
	TraceTransfers bool
	// Validation makes the simulation check nonces, and reject a call whose sender lacks the funds for its value and gas
	// (contract 2.5-validation). Without it such a call fails: its result has the reason, and it used no gas.
	Validation bool
	// ChargeBaseFee gives the blocks of a simulation with Validation the chain's base fee, which calls must then pay.
	// Without it the base fee is zero unless overridden.
	ChargeBaseFee bool
	// RejectUnfunded rejects a call whose sender lacks funds without Validation, too.
	RejectUnfunded bool
	// ReportGaps gives results for the empty blocks in the gaps between numbers, too. Without it there is one result for
	// each of Blocks.
	ReportGaps bool
	// ComputeStateRoots fills in the true state roots, on which the block hashes then depend. Without it they are zero
	// (contract 2.6-stateRoot).
	ComputeStateRoots bool
	// GasPriceDecides makes a transaction of type 0 or 1 of every call with a gasPrice and of every call before London, as
	// go-ethereum does, which drops the fields that such a transaction does not have. Without it the fields decide the
	// type.
	GasPriceDecides bool
	// RejectDifficulty rejects an override of a difficulty after the merge, which without it has no effect.
	RejectDifficulty bool
}

// Block is one simulated block.
type Block struct {
	Calls          []Call
	StateOverrides StateOverrides
	// Overrides may be nil.
	Overrides *BlockOverrides
}

// BlockResult is one simulated block with the results of its calls (contract 2.6-fields).
type BlockResult struct {
	// Block holds the header and one unsigned transaction per call.
	Block *types.Block
	// Calls are the results, one per transaction. Their logs carry the simulated block's hash.
	Calls []CallResult
	// Senders are the senders of the transactions.
	Senders []common.Address
}

// Check checks the limits on blocks and calls, as Run does first. It returns nil, ErrEmptyPayload, ErrTooManyBlocks or
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

// chargesBaseFee reports whether calls must pay the chain's base fee.
func (p *Payload) chargesBaseFee() bool { return p.Validation && p.ChargeBaseFee }

// rejectsUnfunded reports whether a call whose sender lacks funds ends the simulation.
func (p *Payload) rejectsUnfunded() bool { return p.Validation || p.RejectUnfunded }
