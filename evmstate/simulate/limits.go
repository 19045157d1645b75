package simulate

import (
	"context"
	"fmt"
	"time"
)

const (
	// DefaultGasCap is the gas a request may use when Limits.GasCap is zero.
	DefaultGasCap = 50_000_000
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

func (l Limits) gasCap() uint64 {
	if l.GasCap == 0 {
		return DefaultGasCap
	}
	return l.GasCap
}

func (l Limits) timeout() time.Duration {
	if l.Timeout == 0 {
		return DefaultTimeout
	}
	return l.Timeout
}

// start returns a context that ends with ctx or once the time is used up. Its cause is then a *TimeoutError.
func (l Limits) start(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, l.timeout(), &TimeoutError{After: l.timeout()})
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
