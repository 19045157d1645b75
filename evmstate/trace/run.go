package trace

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

type execution struct {
	about   About
	deposit *optimism.Deposit // that msg stands for; nil for all else
	idle    bool              // nothing is executed: tracers see a call that succeeds without gas
	tx      *types.Transaction
	levy    evmstate.Levy // nil for none
	msg     *core.Message
	config  *params.ChainConfig // for the tracer
	machine func(*tracing.Hooks) *evmstate.Machine
}

// traced is the tracer's result and the state before and after the message.
type traced struct {
	result        json.RawMessage
	before, after *evmstate.State
}

// run executes the message and returns the tracer's result, and the states before and after it. Config.Timeout covers
// all of it: building the tracer, executing, and computing the result, whose size is bounded.
func (x *execution) run(ctx context.Context, cfg *Config) (traced, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, cfg.timeout(), ErrTimeout)
	defer cancel()
	return supervise(ctx, cfg, func(ctx context.Context) (traced, error) { return x.trace(ctx, cfg) })
}

// trace is run without its time limit. It may outlive ctx; see supervise.
func (x *execution) trace(ctx context.Context, cfg *Config) (traced, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tracer, err := cfg.tracer(ctx, &budget{limit: within(cfg.MaxResult, 0), end: cancel}, &x.about, x.config)
	switch {
	case err != nil && ctx.Err() != nil:
		return traced{}, context.Cause(ctx)
	case err != nil:
		return traced{}, err
	}
	stop := context.AfterFunc(ctx, func() { tracer.Stop(context.Cause(ctx)) })
	defer stop()

	m := x.machine(tracer.Hooks)
	defer m.Release()
	before := m.State()
	m.SetTxContext(x.about.TxHash, x.about.TxIndex)
	if tracer.OnTxStart != nil {
		tracer.OnTxStart(m.EVM().GetVMContext(), x.tx, x.msg.From)
	}
	result, logs, err := x.apply(ctx, m)
	if tracer.OnTxEnd != nil {
		tracer.OnTxEnd(x.receipt(result, logs), err)
	}
	if failed := m.Err(); failed != nil {
		return traced{}, failed
	}
	if ctx.Err() != nil {
		return traced{}, context.Cause(ctx)
	}
	if err != nil && cfg.recorder == nil {
		err = fmt.Errorf("tracing failed: %w", err) // in go-ethereum's words
	}
	if err != nil {
		return traced{}, err
	}
	raw, err := tracer.GetResult()
	if failed := m.Err(); failed != nil {
		return traced{}, failed // tracers read the state, too
	}
	switch {
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx)
	case err == nil && cfg.MaxResult > 0 && len(raw) > cfg.MaxResult:
		err = &SizeError{Limit: cfg.MaxResult}
	}
	if err != nil {
		return traced{}, err
	}
	return traced{raw, before, m.State()}, nil
}

// apply executes the message on m, whose levy it sets.
func (x *execution) apply(ctx context.Context, m *evmstate.Machine) (*core.ExecutionResult, []*types.Log, error) {
	if x.idle {
		hooks := m.EVM().Config.Tracer
		hooks.EmitEnter(0, byte(vm.CALL), x.msg.From, *x.msg.To, x.msg.Data, tracing.Gas{}, new(big.Int))
		hooks.EmitExit(0, nil, tracing.Gas{}, tracing.Gas{}, nil, false)
		return new(core.ExecutionResult), nil, nil
	}
	m.SetLevy(x.levy)
	if x.deposit != nil {
		return x.deposit.Apply(ctx, m, nil)
	}
	return m.Apply(ctx, x.msg, nil)
}

// receipt returns the receipt that the tracer gets at the end of the transaction, or nil if there is no result.
func (x *execution) receipt(result *core.ExecutionResult, logs []*types.Log) *types.Receipt {
	if result == nil {
		return nil
	}
	r := &types.Receipt{
		Type:              x.tx.Type(),
		Status:            types.ReceiptStatusSuccessful,
		CumulativeGasUsed: result.UsedGas,
		GasUsed:           result.UsedGas,
		Logs:              logs,
		TxHash:            x.about.TxHash,
		BlockHash:         x.about.BlockHash,
		BlockNumber:       x.about.BlockNumber,
		TransactionIndex:  uint(x.about.TxIndex),
	}
	if result.Failed() {
		r.Status = types.ReceiptStatusFailed
	}
	if x.msg.To == nil {
		r.ContractAddress = crypto.CreateAddress(x.msg.From, x.msg.Nonce)
	}
	return r
}

// Call executes a call on any View, the pending one included, and returns the tracer's result. The error is one of
// simulate.RunCall, ErrTimeout, ErrScripts, a *SizeError, or the tracer's own.
func Call(ctx context.Context, v chain.View, call simulate.Call, so simulate.StateOverrides, bo *simulate.BlockOverrides, cfg Config) (json.RawMessage, error) {
	x, err := callExecution(ctx, v, call, so, bo, cfg.GasCap)
	if err != nil {
		return nil, err
	}
	traced, err := x.run(ctx, &cfg)
	return traced.result, err
}

// callExecution prepares a call on a View for tracing. A gasCap of 0 means the default of package simulate.
func callExecution(ctx context.Context, v chain.View, call simulate.Call, so simulate.StateOverrides, bo *simulate.BlockOverrides, gasCap uint64) (*execution, error) {
	e, err := simulate.NewEnvironment(ctx, v, so, bo)
	if err != nil {
		return nil, err
	}
	msg, err := e.Message(&call, cmp.Or(gasCap, simulate.DefaultGasCap))
	if err != nil {
		return nil, err
	}
	if err := e.Affords(msg); err != nil {
		return nil, err
	}
	return &execution{
		tx:      e.Transaction(&call, msg),
		msg:     msg.SkipExecutionGasCapCheck(),
		config:  v.Chain.TracerConfig(),
		machine: func(hooks *tracing.Hooks) *evmstate.Machine { return e.Machine(msg, hooks) },
	}, nil
}
