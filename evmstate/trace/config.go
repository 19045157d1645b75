package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/eth/tracers/logger"
	"github.com/ethereum/go-ethereum/params"
)

// DefaultTimeout is the time that tracing one transaction may take when Config.Timeout is zero.
const DefaultTimeout = 5 * time.Second

var (
	// ErrGenesis is returned for the genesis block, which has no parent state to execute it on.
	ErrGenesis = errors.New("genesis is not traceable")
	// ErrTimeout is returned if tracing a transaction takes longer than Config.Timeout.
	ErrTimeout = errors.New("execution timeout")
	// ErrUnknownParent is returned if the parent of the block to trace is not in the chain.
	ErrUnknownParent = errors.New("parent block not found")
)

// IndexError is returned for a transaction index that the block does not have.
type IndexError struct {
	Index, Transactions int
}

// Error returns the index and the number of transactions.
func (e *IndexError) Error() string {
	return fmt.Sprintf("transaction index %d out of range: the block has %d transactions", e.Index, e.Transactions)
}

// Config selects and configures the tracer. The zero value is the struct logger with stack and storage.
type Config struct {
	// Tracer is the name of a tracer or the source of one in JavaScript, for the registered Directory; empty means the
	// struct logger.
	Tracer string
	// TracerConfig configures a named tracer, for example {"diffMode":true} for prestateTracer. The struct logger
	// ignores it.
	TracerConfig json.RawMessage
	// Timeout is the time one transaction may take, from building the tracer to its result. 0 means DefaultTimeout.
	Timeout time.Duration

	// EnableMemory, DisableStack, DisableStorage and EnableReturnData choose what the struct logger records at each
	// step.
	EnableMemory, DisableStack, DisableStorage, EnableReturnData bool
	// Limit is the size in bytes after which the struct logger records no further steps. 0 means MaxStructLogs. A Limit
	// above that or MaxResult counts as that.
	Limit int
	// MaxResult limits the result to that many bytes, for a block all its results together; 0 means no limit. The result
	// for one message has MaxSize as well. Both are counted while the trace is made; tracers in JavaScript have limits of
	// their own.
	MaxResult int

	// GasCap is the gas that a traced call may use; 0 means the default of package simulate.
	GasCap uint64

	// Declared decodes the data of a revert as an error that a contract declares, "" if it knows none; callTracer shows it
	// as revertReason. Nil: only Solidity's own errors are shown.
	Declared func(data []byte) string

	recorder recorder // in place of a tracer; nil for none
}

// recorder keeps its records itself: its Tracer has no result.
type recorder interface {
	// tracer returns the Tracer of a message that executes by config. It charges its records to the budget.
	tracer(config *params.ChainConfig, b *budget) *Tracer
}

func (c *Config) timeout() time.Duration {
	if c.Timeout == 0 {
		return DefaultTimeout
	}
	return c.Timeout
}

// tracer returns a new tracer for one transaction, which charges its records to the budget. The end of ctx interrupts
// one in JavaScript.
func (c *Config) tracer(ctx context.Context, b *budget, about *About, config *params.ChainConfig) (*Tracer, error) {
	if c.recorder != nil {
		return c.recorder.tracer(config, b), nil
	}
	if c.Tracer == "" {
		l := logger.NewStructLogger(&logger.Config{
			EnableMemory:     c.EnableMemory,
			DisableStack:     c.DisableStack,
			DisableStorage:   c.DisableStorage,
			EnableReturnData: c.EnableReturnData,
			Limit:            min(within(c.Limit, c.MaxResult), MaxStructLogs),
		})
		return &Tracer{Hooks: l.Hooks(), GetResult: l.GetResult, Stop: l.Stop}, nil
	}
	switch {
	case c.Tracer == callTracer:
		return c.newCalls(b)
	case c.Tracer == muxTracer:
		return c.mux(ctx, b, about, config)
	case isSource(c.Tracer) && directory.IsScript(c.Tracer):
		return newScript(ctx, c.Tracer, about, c.TracerConfig, config)
	}
	t, err := directory.New(c.Tracer, about, c.TracerConfig, config)
	if err != nil {
		return nil, err
	}
	t.Hooks = b.bounded(c.Tracer, t.Hooks)
	return t, nil
}
