package trace

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/eth/tracers/logger"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/spelling"
)

// Tracer watches the execution of one message and returns its observations as JSON.
type Tracer struct {
	*tracing.Hooks
	GetResult func() (json.RawMessage, error)
	// Stop ends the tracer early; GetResult then returns the error. It is safe for concurrent use.
	Stop func(error)
}

// About describes the message to a tracer. For a call all is zero.
type About struct {
	BlockHash   common.Hash
	BlockNumber *big.Int
	TxIndex     int
	TxHash      common.Hash
}

// Directory makes tracers by name, and from their source in JavaScript. It is safe for concurrent use.
type Directory interface {
	// New returns a new tracer for one message. The error's text is for the client.
	New(name string, about *About, config json.RawMessage, chain *params.ChainConfig) (*Tracer, error)
	// Mux returns a tracer whose result is an object with the result of each tracer under its name.
	Mux(names []string, tracers []*Tracer) (*Tracer, error)
	// IsScript reports whether the tracer runs JavaScript: all do but those whose name is a tracer's in Go.
	IsScript(name string) bool
}

// ErrNoTracers is returned for a named tracer in a program that imports none.
var ErrNoTracers = errors.New(`this program has only the struct logger: import _ "github.com/fakenode/fakenode/tracers" for the others`)

// directory is the registered Directory, or nil.
var directory Directory

// Register makes the tracers of d available. Call it in the init function of the package that holds them.
func Register(d Directory) { directory = d }

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
	// WholeSteps gives each step of the struct logger all members that were asked for. False: those that are not empty.
	WholeSteps bool
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

	recorder *recorder // in place of a tracer; nil for none
}

func (c *Config) timeout() time.Duration { return cmp.Or(c.Timeout, DefaultTimeout) }

// tracer returns a new tracer for one transaction, which charges its records to the budget. The end of ctx interrupts
// one in JavaScript.
func (c *Config) tracer(ctx context.Context, b *budget, about *About, config *params.ChainConfig) (*Tracer, error) {
	t, err := c.newTracer(ctx, b, about, config)
	if is := spelling.JSON(err); is != err {
		err = fmt.Errorf("tracerConfig: %w", is)
	}
	return t, err
}

func (c *Config) newTracer(ctx context.Context, b *budget, about *About, config *params.ChainConfig) (*Tracer, error) {
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
		t := &Tracer{Hooks: l.Hooks(), GetResult: l.GetResult, Stop: l.Stop}
		if c.WholeSteps {
			t.GetResult = func() (json.RawMessage, error) { return c.whole(l.GetResult()) }
		}
		return t, nil
	}
	switch {
	case c.Tracer == callTracer:
		return c.newCalls(b)
	case directory == nil:
		return nil, fmt.Errorf("tracer %.100s: %w", c.Tracer, ErrNoTracers)
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

// muxTracer is the name of the tracer that runs several, given by name in its configuration.
const muxTracer = "muxTracer"

const maxParts = 64

func (c *Config) parts() (map[string]json.RawMessage, error) {
	var parts map[string]json.RawMessage
	if len(c.TracerConfig) == 0 {
		return parts, nil
	}
	if err := json.Unmarshal(c.TracerConfig, &parts); err != nil {
		return nil, err
	}
	if _, nested := parts[muxTracer]; nested { // each level would read and write all those below it again
		return nil, errors.New("a muxTracer cannot run a muxTracer")
	}
	if len(parts) > maxParts {
		return nil, fmt.Errorf("a muxTracer cannot run %d tracers: the limit is %d", len(parts), maxParts)
	}
	return parts, nil
}

// part returns the configuration of one tracer of a muxTracer.
func (c *Config) part(name string, config json.RawMessage) *Config {
	part := *c
	part.Tracer, part.TracerConfig = name, config
	return &part
}

// mux returns a muxTracer. Its tracers are made like any other: bounded, and in the order of their names, so that equal
// requests have equal errors.
func (c *Config) mux(ctx context.Context, b *budget, about *About, config *params.ChainConfig) (*Tracer, error) {
	parts, err := c.parts()
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(parts))
	made := make([]*Tracer, len(names))
	for i, name := range names {
		if made[i], err = c.part(name, parts[name]).tracer(ctx, b, about, config); err != nil {
			return nil, err
		}
	}
	return directory.Mux(names, made)
}

// Failure executes the transaction at index of a block again and returns why it failed: an *evmstate.RevertError, or an
// error of go-ethereum's vm package. A nil failure means that the transaction succeeded. The errors are Transaction's,
// without a tracer's.
func Failure(ctx context.Context, c *chain.Chain, b Executed, index int) (failure, err error) {
	x, err := transaction(ctx, c, b, index)
	if err != nil {
		return nil, err
	}
	m := x.machine(nil)
	defer m.Release()
	result, _, err := x.apply(ctx, m)
	if err != nil {
		return nil, err
	}
	if errors.Is(result.Err, vm.ErrExecutionReverted) {
		return c.Reverted(result.Revert()), nil
	}
	return result.Err, nil
}
