package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/eth/tracers"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
)

// execution is one message to execute under a tracer.
type execution struct {
	about   tracers.Context
	tx      *types.Transaction
	msg     *core.Message
	config  *params.ChainConfig
	machine func(*tracing.Hooks) *evmstate.Machine
}

// run executes the message and returns the tracer's result and the state after it.
func (x *execution) run(ctx context.Context, cfg *Config) (json.RawMessage, *evmstate.State, error) {
	tracer, err := cfg.tracer(&x.about, x.config)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, cfg.timeout(), ErrTimeout)
	defer cancel()
	// A JavaScript tracer may be busy while the EVM waits for it, and again while it computes its result.
	stop := context.AfterFunc(ctx, func() { tracer.Stop(context.Cause(ctx)) })
	defer stop()

	m := x.machine(tracer.Hooks)
	defer m.Release()
	m.SetTxContext(x.about.TxHash, x.about.TxIndex)
	if tracer.OnTxStart != nil {
		tracer.OnTxStart(m.EVM().GetVMContext(), x.tx, x.msg.From)
	}
	result, logs, err := m.Apply(ctx, x.msg, nil)
	if tracer.OnTxEnd != nil {
		tracer.OnTxEnd(x.receipt(result, logs), err)
	}
	if failed := m.Err(); failed != nil {
		return nil, nil, failed
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("tracing failed: %w", err)
	}
	traced, err := tracer.GetResult()
	if failed := m.Err(); failed != nil {
		return nil, nil, failed // tracers read the state, too
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return traced, m.State(), err
}

// receipt returns what the tracer learns about the end of the transaction, or nil if there is no result.
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

// ended reports whether err comes from the end of ctx rather than from one transaction.
func ended(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Cause(ctx))
}
