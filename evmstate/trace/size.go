package trace

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
)

// DefaultStructLogs is the size in bytes after which the struct logger records no further steps when Config.Limit is
// zero.
const DefaultStructLogs = 64 << 20

// SizeError is returned for a trace that is larger than Config.MaxResult.
type SizeError struct {
	Limit int // bytes
}

// Error returns the limit.
func (e *SizeError) Error() string {
	return fmt.Sprintf("the trace is too large: the limit is %d bytes", e.Limit)
}

// checkSize returns a *SizeError for a result larger than the limit.
func (c *Config) checkSize(result json.RawMessage) error {
	if c.MaxResult > 0 && len(result) > c.MaxResult {
		return &SizeError{Limit: c.MaxResult}
	}
	return nil
}

// structLogs returns the size in bytes after which the struct logger records no further steps.
func (c *Config) structLogs() int {
	limit := c.Limit
	if limit == 0 {
		limit = DefaultStructLogs
	}
	if c.MaxResult > 0 {
		limit = min(limit, c.MaxResult)
	}
	return limit
}

// keepsCalls reports whether the tracer keeps the input and output of every call, which a loop makes as large as the
// gas allows.
func (c *Config) keepsCalls() bool {
	switch c.Tracer {
	case "callTracer", "flatCallTracer", "erc7562Tracer":
	default:
		return false
	}
	var config struct {
		OnlyTopCall bool `json:"onlyTopCall"`
	}
	_ = json.Unmarshal(c.TracerConfig, &config) // the tracer returns the error
	return !config.OnlyTopCall
}

// frameSize is about how many bytes a call frame takes besides its input and output.
const frameSize = 256

// bound ends the tracer, with a *SizeError as the cause of the context's end, when its records get larger than the
// limit.
func (c *Config) bound(tracer *Tracer, cancel context.CancelCauseFunc) *tracing.Hooks {
	if c.MaxResult <= 0 || !c.keepsCalls() {
		return tracer.Hooks
	}
	hooks, kept := *tracer.Hooks, 0
	count := func(size int) {
		if kept += size; kept > c.MaxResult {
			err := &SizeError{Limit: c.MaxResult}
			cancel(err)
			tracer.Stop(err)
		}
	}
	if enter := hooks.OnEnter; enter != nil {
		hooks.OnEnter = func(depth int, typ byte, from, to common.Address, input []byte, gas uint64, value *big.Int) {
			count(frameSize + 2*len(input))
			enter(depth, typ, from, to, input, gas, value)
		}
	}
	if exit := hooks.OnExit; exit != nil {
		hooks.OnExit = func(depth int, output []byte, gasUsed uint64, err error, reverted bool) {
			count(2 * len(output))
			exit(depth, output, gasUsed, err, reverted)
		}
	}
	if log := hooks.OnLog; log != nil {
		hooks.OnLog = func(l *types.Log) {
			count(2 * len(l.Data))
			log(l)
		}
	}
	return &hooks
}
