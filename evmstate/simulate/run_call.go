package simulate

import (
	"context"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
)

// CallResult is the result of one executed call.
type CallResult struct {
	// ReturnData is nil if the call failed; the data of a revert is in Err.
	ReturnData []byte
	// GasUsed is the gas paid for, after refunds.
	GasUsed uint64
	// MaxUsedGas is the gas needed during execution, before refunds.
	MaxUsedGas uint64
	// Err is nil for a successful call, an *evmstate.RevertError for a reverted one, otherwise an error of
	// go-ethereum's vm package such as vm.ErrOutOfGas, possibly wrapped together with ErrGasCapped.
	Err error
	// Logs are the logs of a successful call.
	Logs []*types.Log
	// Console reports whether the call touched chain.ConsoleAddress: a contract may have called console.log. Only RunCall
	// sets it.
	Console bool
}

// newCallResult returns the result of an execution on a chain as a CallResult.
func newCallResult(c *chain.Chain, r *core.ExecutionResult, logs []*types.Log) CallResult {
	result := CallResult{ReturnData: r.Return(), GasUsed: r.UsedGas, MaxUsedGas: r.MaxUsedGas}
	switch {
	case r.Err == nil:
		result.Logs = logs
	case errors.Is(r.Err, vm.ErrExecutionReverted):
		result.Err = c.Reverted(r.Revert())
	default:
		result.Err = r.Err
	}
	return result
}

// RunCall executes one call as eth_call does (contract 4-rule2): it does not check the nonce, accepts senders with
// code, caps the gas, and charges nothing unless the call gives fees. A call that reverts or runs out of gas has a
// result. The error reports why the call could not be executed: *InvalidCallError, *OverrideError, *TimeoutError, the
// context's error, or one of the errors of a call's fields.
func RunCall(ctx context.Context, v chain.View, c Call, so StateOverrides, bo *BlockOverrides, l Limits) (*CallResult, error) {
	ctx, cancel := l.start(ctx)
	defer cancel()
	e, err := NewEnvironment(v, so, bo)
	if err != nil {
		return nil, err
	}
	msg, err := e.Message(&c, l.gasCap())
	if err != nil {
		return nil, err
	}
	m := e.Machine(msg.SkipExecutionGasCapCheck(), nil)
	defer m.Release()
	m.SetTxContext(common.Hash{}, 0)
	r, logs, err := m.Apply(ctx, msg, nil)
	if err != nil {
		return nil, applyError(ctx, m, err, &InvalidCallError{Gas: msg.GasLimit})
	}
	result := newCallResult(v.Chain, r, logs)
	result.Console = m.Touched(chain.ConsoleAddress)
	return &result, nil
}

// applyError returns the error of a message that did not run on m: the error of a fork's Source, the reason why ctx
// ended, or invalid with err as its reason.
func applyError(ctx context.Context, m *evmstate.Machine, err error, invalid *InvalidCallError) error {
	if failed := m.Err(); failed != nil {
		return failed
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	invalid.Err = err
	return invalid
}
