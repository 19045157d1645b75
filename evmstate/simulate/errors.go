package simulate

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
)

// Errors in the shape of a request, found before anything runs.
var (
	// ErrEmptyPayload: a simulation without blocks.
	ErrEmptyPayload = errors.New("empty input: blockStateCalls has no entries")
	// ErrTooManyBlocks: more than MaxBlocks blocks, gap blocks included (-38026).
	ErrTooManyBlocks = errors.New("too many blocks")
	// ErrTooManyCalls: more than MaxCallsPerBlock or MaxCalls calls (-38026).
	ErrTooManyCalls = errors.New("too many calls")
	// ErrBlockNumberOrder: a block number at or below the previous one (-38020).
	ErrBlockNumberOrder = errors.New("block numbers must be in order")
	// ErrBlockTimeOrder: a timestamp at or below the previous one (-38021).
	ErrBlockTimeOrder = errors.New("block timestamps must be in order")
	// ErrBlockOverride: a block override that the method has no use for.
	ErrBlockOverride = errors.New("block override is not supported for this method")
	// ErrFork: a block of a fork later than those supported.
	ErrFork = errors.New("block is in a fork after osaka, which is not supported")
)

// Errors of state overrides, wrapped in an *OverrideError.
var (
	// ErrNotPrecompile: only a precompile can be moved.
	ErrNotPrecompile = errors.New("is not a precompile")
	// ErrMoveToSelf: a precompile moved to its own address (-38022).
	ErrMoveToSelf = errors.New("is moved to itself")
	// ErrMoveTarget: a precompile moved to an account that is overridden (-38023).
	ErrMoveTarget = errors.New("is already overridden")
	// ErrMovedHere: an override of an account that a precompile was moved to.
	ErrMovedHere = errors.New("has already been overridden by a precompile")
	// ErrStateAndDiff: an override with both the whole storage and a difference.
	ErrStateAndDiff = errors.New("has both 'state' and 'stateDiff'")
)

// OverrideError names the account whose override is refused. Err is one of ErrNotPrecompile, ErrMoveToSelf,
// ErrMoveTarget, ErrMovedHere, ErrStateAndDiff.
type OverrideError struct {
	Address common.Address
	Err     error
}

// Error names the account.
func (e *OverrideError) Error() string {
	return fmt.Sprintf("account %s %v", e.Address.Hex(), e.Err)
}

// Unwrap returns the reason.
func (e *OverrideError) Unwrap() error { return e.Err }

// Errors of a call's fields.
var (
	// ErrMixedFees: gasPrice beside EIP-1559 fees.
	ErrMixedFees = errors.New("both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified")
	// ErrChainID: a call made for another chain.
	ErrChainID = errors.New("chainId does not match node's")
	// ErrFeeRange: a fee that is negative or has more than 256 bits.
	ErrFeeRange = errors.New("fee is not a 256-bit number")
	// ErrZeroBlobFee: a maxFeePerBlobGas of zero, which no block takes, in a call that is to become a transaction.
	ErrZeroBlobFee = errors.New("maxFeePerBlobGas, if specified, must be non-zero")
	// ErrBlockGasLimit: a call that asks for more gas than its block has left (-38015).
	ErrBlockGasLimit = errors.New("block gas limit reached")
	// ErrGasAllowance: no gas within the allowance lets the call succeed.
	ErrGasAllowance = errors.New("gas required exceeds allowance")
	// ErrGasCapped marks a failure after Limits.GasCap had reduced the call's gas.
	ErrGasCapped = errors.New("gas limit was capped by the RPC server's global gas cap")
)

// InvalidCallError is returned for a call that no block could include: Err wraps the reason from go-ethereum's core
// package (core.ErrNonceTooLow, core.ErrInsufficientFunds, core.ErrIntrinsicGas, …), which decides the wire code
// (-38010 … -38014, -38024, -38025).
type InvalidCallError struct {
	// Block is the number of the simulated block, 0 outside of simulations.
	Block uint64
	// Index is the call's position in its block.
	Index int
	// Gas is the gas that the call was supplied with.
	Gas uint64
	Err error
}

// Error gives the reason and the gas.
func (e *InvalidCallError) Error() string {
	return fmt.Sprintf("err: %v (supplied gas %d)", e.Err, e.Gas)
}

// Unwrap returns the reason.
func (e *InvalidCallError) Unwrap() error { return e.Err }
