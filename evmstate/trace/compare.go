package trace

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// Outcome is the result of a transaction under the rules of one hard fork.
type Outcome struct {
	// Rejected is the reason why the transaction cannot be in a block, such as core.ErrIntrinsicGas; all else is then
	// zero.
	Rejected error
	// Failed is the reason why its execution failed, nil if it succeeded: an error of go-ethereum's vm package.
	Failed error
	// GasUsed is the gas paid for, after refunds.
	GasUsed uint64
	// Gas holds both kinds of gas before refunds (EIP-8037). Nil before Amsterdam.
	Gas *tracing.Gas
	// Needed is the smallest gas limit with which the transaction succeeds, if its own was too low. 0: it was not, or none
	// suffices.
	Needed uint64
	Logs   []*types.Log
}

// Comparison is a transaction under two hard forks, on the same state.
type Comparison struct {
	Hash     common.Hash
	Index    int
	Outcomes [2]Outcome
}

// Compare executes transactions of a block again, each under the rules of two hard forks on the state that it had in
// the block. index is a transaction's, or -1 for all. both are the chain under the two forks (chain.Under). The errors
// are Transaction's.
func Compare(ctx context.Context, c *chain.Chain, b Executed, index int, both [2]*chain.Chain) ([]Comparison, error) {
	if err := b.Load(); err != nil {
		return nil, err
	}
	first, last := 0, b.Count()-1
	if index >= 0 {
		if first, last = index, index; index >= b.Count() {
			return nil, &IndexError{Index: index, Transactions: b.Count()}
		}
	}
	r, err := newReplay(ctx, c, b)
	if err != nil {
		return nil, err
	}
	if err := r.skip(ctx, first); err != nil {
		return nil, err
	}
	var list []Comparison
	for i := first; i <= last; i++ {
		compared := Comparison{Hash: b.Transaction(i).Hash(), Index: i}
		for side, under := range both {
			if compared.Outcomes[side], err = r.under(ctx, under, i); err != nil {
				return nil, err
			}
		}
		list = append(list, compared)
		if err := r.step(ctx, i); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// under executes the transaction at index on the current state by the rules of another chain. The error is a Source's
// or ctx's.
func (r *replay) under(ctx context.Context, other *chain.Chain, index int) (o Outcome, err error) {
	x, err := r.execution(index)
	if err != nil {
		return o, err
	}
	msg, pool := *x.msg, core.NewGasPool(r.block.Header().GasLimit)
	header := r.block.Header()
	m := other.Machine(r.state, other.BlockContext(header), vm.Config{NoBaseFee: true})
	defer m.Release()
	if limit := other.TxGasLimit().Gas(m.EVM().GetRules()); msg.GasLimit > limit {
		return Outcome{Rejected: fmt.Errorf("%w (cap: %d, tx: %d)", core.ErrGasLimitTooHigh, limit, msg.GasLimit)}, nil
	}
	result, logs, err := m.Apply(ctx, &msg, pool)
	switch {
	case m.Err() != nil:
		return o, m.Err()
	case ctx.Err() != nil:
		return o, context.Cause(ctx)
	case err != nil:
		o.Rejected = err
	default:
		o.Failed, o.GasUsed, o.Logs = result.Err, result.UsedGas, logs
		if m.EVM().GetRules().IsAmsterdam {
			o.Gas = &tracing.Gas{Execution: pool.CumulativeExecution(), State: pool.CumulativeState()}
		}
	}
	if o.short() {
		o.Needed, err = r.needed(ctx, other, &msg)
	}
	return o, err
}

// short reports whether the transaction may have failed for want of gas.
func (o *Outcome) short() bool {
	return errors.Is(o.Rejected, core.ErrIntrinsicGas) || errors.Is(o.Rejected, core.ErrFloorDataGas) ||
		o.Failed != nil // also a call that swallowed its callee's end of gas and reverted
}

// needed returns the smallest gas limit with which the message succeeds, or 0 if none up to the block's does.
func (r *replay) needed(ctx context.Context, other *chain.Chain, msg *core.Message) (uint64, error) {
	call := simulate.Call{
		From: &msg.From, To: msg.To, Value: msg.Value, Nonce: &msg.Nonce, Data: msg.Data, AccessList: &msg.AccessList,
		Authorizations: msg.SetCodeAuthorizations,
	}
	limits := simulate.Limits{GasCap: r.block.Header().GasLimit}
	gas, err := simulate.EstimateGas(ctx, chain.View{Chain: other, Header: r.block.Header(), State: r.state}, call, nil, nil, limits)
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if err != nil || gas <= msg.GasLimit {
		return 0, nil
	}
	return gas, nil
}
