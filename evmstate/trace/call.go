package trace

import (
	"context"
	"encoding/json"

	"github.com/ethereum/go-ethereum/core/tracing"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// Call executes a call on any View, the pending one included, and returns the tracer's result. The error is one of
// simulate.RunCall, ErrTimeout, ErrScripts, a *SizeError, or the tracer's own.
func Call(ctx context.Context, v chain.View, call simulate.Call, so simulate.StateOverrides, bo *simulate.BlockOverrides, cfg Config) (json.RawMessage, error) {
	x, err := callExecution(v, call, so, bo, cfg.GasCap)
	if err != nil {
		return nil, err
	}
	traced, err := x.run(ctx, &cfg)
	return traced.result, err
}

// callExecution prepares a call on a View for tracing. A gasCap of 0 means the default of package simulate.
func callExecution(v chain.View, call simulate.Call, so simulate.StateOverrides, bo *simulate.BlockOverrides, gasCap uint64) (*execution, error) {
	e, err := simulate.NewEnvironment(v, so, bo)
	if err != nil {
		return nil, err
	}
	if gasCap == 0 {
		gasCap = simulate.DefaultGasCap
	}
	msg, err := e.Message(&call, gasCap)
	if err != nil {
		return nil, err
	}
	return &execution{
		tx:      e.Transaction(&call, msg),
		msg:     msg.SkipExecutionGasCapCheck(),
		config:  v.Chain.TracerConfig(),
		machine: func(hooks *tracing.Hooks) *evmstate.Machine { return e.Machine(msg, hooks) },
	}, nil
}
