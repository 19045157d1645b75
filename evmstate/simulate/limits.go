package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/chain"
)

const (
	// DefaultGasCap is the gas a request may use when Limits.GasCap is zero.
	DefaultGasCap = 50_000_000
	// GasOfBlock as Limits.GasCap gives a call without gas of its own the gas limit of its block, if that is lower.
	GasOfBlock = 1 << 28
	// DefaultTimeout is the time a request may take when Limits.Timeout is zero.
	DefaultTimeout = 5 * time.Second

	// MaxBlocks is the highest number of blocks in one simulation, gap blocks included.
	MaxBlocks = 256
	// MaxCallsPerBlock is the highest number of calls in one simulated block.
	MaxCallsPerBlock = 5_000
	// MaxCalls is the highest number of calls in one simulation.
	MaxCalls = 10_000
)

// Limits holds the limits of one request. The zero value works.
type Limits struct {
	// GasCap is the gas that all calls of one request share. It is also the default gas of a call. 0 means
	// DefaultGasCap.
	GasCap uint64
	// Timeout is the time one request may take. 0 means DefaultTimeout.
	Timeout time.Duration
	// MaxResult is the size of the results of a simulation, in bytes of their JSON: of the returned data and the logs. 0
	// means no limit.
	MaxResult int
	// EstimateMargin is by how many per cent an estimate is above the smallest gas limit that is enough.
	EstimateMargin uint64
}

func (l Limits) gasCap() uint64 { return cmp.Or(l.GasCap, DefaultGasCap) }

// start returns a context that ends with ctx or once the time is used up. Its cause is then a *TimeoutError.
func (l Limits) start(ctx context.Context) (context.Context, context.CancelFunc) {
	most := cmp.Or(l.Timeout, DefaultTimeout)
	return context.WithTimeoutCause(ctx, most, &TimeoutError{After: most})
}

// SizeError is returned by Run for results that are larger than Limits.MaxResult.
type SizeError struct {
	Limit int // bytes
}

// Error returns the limit.
func (e *SizeError) Error() string {
	return fmt.Sprintf("the results are too large: the limit is %d bytes", e.Limit)
}

// TimeoutError is returned when a request ran longer than Limits.Timeout. It wraps context.DeadlineExceeded.
type TimeoutError struct{ After time.Duration }

// Error returns the limit.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("execution aborted (timeout = %v)", e.After)
}

// Unwrap returns context.DeadlineExceeded.
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }

// Errors in the shape of a request, found before anything runs.
var (
	// ErrEmptyPayload is returned for a simulation without blocks (contract 2.5-blocks).
	ErrEmptyPayload = errors.New("empty input: blockStateCalls has no entries")
	// ErrTooManyBlocks is returned for more than MaxBlocks blocks, gap blocks included (-38026).
	ErrTooManyBlocks = errors.New("too many blocks")
	// ErrTooManyCalls is returned for more than MaxCallsPerBlock or MaxCalls calls (-38026).
	ErrTooManyCalls = errors.New("too many calls")
	// ErrBlockNumberOrder is returned for a block number at or below the previous one (-38020).
	ErrBlockNumberOrder = errors.New("block numbers must be in order")
	// ErrBlockTimeOrder is returned for a timestamp at or below the previous one (-38021).
	ErrBlockTimeOrder = errors.New("block timestamps must be in order")
	// ErrBlockOverride is returned for a block override that the method does not support.
	ErrBlockOverride = errors.New("block override is not supported for this method")
	// ErrDifficulty is returned for a difficulty after the merge where Payload.RejectDifficulty is set.
	ErrDifficulty = errors.New("difficulty override is not allowed after the merge")
)

// Errors of state overrides, wrapped in one that names the account.
var (
	// ErrNotPrecompile is returned if the account to be moved is not a precompile.
	ErrNotPrecompile = errors.New("is not a precompile")
	// ErrMoveToSelf is returned for a precompile moved to its own address (-38022).
	ErrMoveToSelf = errors.New("is moved to itself")
	// ErrMoveTarget is returned for a precompile moved to an account that is overridden (-38023).
	ErrMoveTarget = errors.New("is already overridden")
	// ErrStateAndDiff is returned for an override with both the whole storage and a difference.
	ErrStateAndDiff = errors.New("has both 'state' and 'stateDiff'")
)

// Errors of a call's fields.
var (
	// ErrMixedFees is returned for a gasPrice together with EIP-1559 fees.
	ErrMixedFees = errors.New("both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified")
	// ErrChainID is returned for a call with the id of another chain.
	ErrChainID = errors.New("chainId does not match node's")
	// ErrFeeRange is returned for a fee that is negative or has more than 256 bits.
	ErrFeeRange = errors.New("fee is not a 256-bit number")
	// ErrZeroBlobFee is returned for a maxFeePerBlobGas of zero in a call that becomes a transaction, because no block
	// accepts it.
	ErrZeroBlobFee = errors.New("maxFeePerBlobGas, if specified, must be non-zero")
	// ErrBlockGasLimit is returned for a call that asks for more gas than its block has left (-38015).
	ErrBlockGasLimit = errors.New("block gas limit reached")
	// ErrGasAllowance is returned if the call fails with all the gas that it may use.
	ErrGasAllowance = errors.New("gas required exceeds allowance")
	// ErrGasCapped is wrapped in the failure of a call whose gas Limits.GasCap had reduced.
	ErrGasCapped = errors.New("gas limit was capped by the RPC server's global gas cap")
)

// InvalidCallError is returned for a call that no block could include. Err wraps the reason from go-ethereum's core
// package (core.ErrNonceTooLow, core.ErrInsufficientFunds, core.ErrIntrinsicGas, …), which decides the wire code
// (-38010 … -38014, -38025).
type InvalidCallError struct {
	// Block is the number of the simulated block, or 0 outside of simulations.
	Block uint64
	// Index is the call's position in its block.
	Index int
	// Gas is the gas that the call was supplied with.
	Gas uint64
	Err error
}

// Error returns the reason and the gas.
func (e *InvalidCallError) Error() string {
	return fmt.Sprintf("err: %v (supplied gas %d)", e.Err, e.Gas)
}

// Unwrap returns the reason.
func (e *InvalidCallError) Unwrap() error { return e.Err }

// maxPrecompileGas is the most gas that one call of a precompile may need, about two seconds of work: nothing ends a
// precompile before it returns.
const maxPrecompileGas = 1 << 26

// bounded is a precompile that is out of gas where it needs more than maxPrecompileGas.
type bounded struct{ vm.PrecompiledContract }

// RequiredGas returns the gas that it needs, or more than there is.
func (b bounded) RequiredGas(input []byte) uint64 {
	if gas := b.PrecompiledContract.RequiredGas(input); gas <= maxPrecompileGas {
		return gas
	}
	return math.MaxUint64
}

// boundedPrecompiles is Chain.Precompiles for calls with any gas.
func boundedPrecompiles(c *chain.Chain, rules params.Rules) vm.PrecompiledContracts {
	contracts := c.Precompiles(rules)
	for address, contract := range contracts {
		contracts[address] = bounded{contract}
	}
	return contracts
}
