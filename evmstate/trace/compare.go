package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

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
	// Root is the transaction's call with those below it, as far as they fit into MaxSize; nil if it was rejected.
	Root *Branch
}

// Comparison is a transaction under two hard forks, on the same state.
type Comparison struct {
	Index    int
	Outcomes [2]Outcome
	// Adapted is the second outcome with a sufficient gas limit, where the transaction's own was too low and is what an
	// estimate under the first fork gives: a client that estimates sends the sufficient one. Nil: all others.
	Adapted *Outcome
}

// Compare executes transactions of a block again, each under the rules of two hard forks on the state that it had in
// the block. index is a transaction's, or -1 for all. both are the chain under the two forks (chain.Under). The errors
// are Transaction's.
func Compare(ctx context.Context, c *chain.Chain, b Executed, index int, both [2]*chain.Chain) ([]Comparison, error) {
	r, err := before(ctx, c, b, max(index, 0), 1)
	if err != nil {
		return nil, err
	}
	first, end := 0, b.Count()
	if index >= 0 {
		first, end = index, index+1
	}
	var list []Comparison
	for i := first; i < end; i++ {
		compared := Comparison{Index: i}
		for side, under := range both {
			if compared.Outcomes[side], err = r.under(ctx, under, i, 0); err != nil {
				return nil, err
			}
		}
		if compared.Adapted, err = r.adapted(ctx, both, i, compared.Outcomes[1].Needed); err != nil {
			return nil, err
		}
		list = append(list, compared)
		if err := r.skip(ctx, i, i+1); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// under executes the transaction at index on the current state by the rules of another chain, with another gas limit
// unless that is 0. The error is a Source's or ctx's.
func (r *replay) under(ctx context.Context, other *chain.Chain, index int, limit uint64) (o Outcome, err error) {
	x, err := r.execution(index)
	if err != nil {
		return o, err
	}
	header, recorder := r.block.Header(), newTree()
	msg, pool := *x.msg, core.NewGasPool(header.GasLimit)
	msg.GasLimit = cmp.Or(limit, msg.GasLimit)
	hooks := recorder.tracer(nil, &budget{limit: MaxSize, end: func(error) {}}).Hooks // what is too large is left out
	m := other.Machine(r.state, other.BlockContext(header), vm.Config{Tracer: hooks, NoBaseFee: true})
	defer m.Release()
	hooks.OnTxStart(m.EVM().GetVMContext(), x.tx, msg.From)
	if most := other.TxGasLimit.Gas(m.EVM().GetRules()); msg.GasLimit > most {
		return Outcome{Rejected: fmt.Errorf("%w (cap: %d, tx: %d)", core.ErrGasLimitTooHigh, most, msg.GasLimit)}, nil
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
		o.Failed, o.GasUsed, o.Logs, o.Root = result.Err, result.UsedGas, logs, recorder.root
		if m.EVM().GetRules().IsAmsterdam {
			o.Gas = &tracing.Gas{Execution: pool.CumulativeExecution(), State: pool.CumulativeState()}
		}
	}
	// A failure may be a call's that swallowed its callee's end of gas and reverted.
	if o.Failed != nil || errors.Is(o.Rejected, core.ErrIntrinsicGas) || errors.Is(o.Rejected, core.ErrFloorDataGas) {
		if o.Needed, err = r.estimate(ctx, other, &msg); o.Needed <= msg.GasLimit {
			o.Needed = 0
		}
	}
	return o, err
}

// margins are usual additions of clients to an estimate, in per cent.
var margins = []uint64{0, 10, 20, 25, 30, 50, 100}

// estimated reports whether a limit is what nodes estimate, where least suffices, perhaps with a margin. Go-ethereum's
// estimates are up to 1.5 % too high, and Hardhat's 1.25 %.
func estimated(limit, least uint64) bool {
	return slices.ContainsFunc(margins, func(margin uint64) bool {
		exact := least + least*margin/100
		return limit >= exact && limit <= exact+exact*15/1000
	})
}

// adapted returns Comparison.Adapted. needed is the limit that suffices, 0 for none.
func (r *replay) adapted(ctx context.Context, both [2]*chain.Chain, index int, needed uint64) (*Outcome, error) {
	if needed == 0 {
		return nil, nil
	}
	x, err := r.execution(index)
	if err != nil {
		return nil, err
	}
	estimate, err := r.estimate(ctx, both[0], x.msg)
	if err != nil || !estimated(x.msg.GasLimit, estimate) {
		return nil, err
	}
	o, err := r.under(ctx, both[1], index, needed)
	return &o, err
}

// estimate returns the smallest gas limit with which the message succeeds, or 0 if none up to the block's does.
func (r *replay) estimate(ctx context.Context, other *chain.Chain, msg *core.Message) (uint64, error) {
	call := simulate.Call{
		From: &msg.From, To: msg.To, Value: msg.Value, Nonce: &msg.Nonce, Data: msg.Data, AccessList: &msg.AccessList,
		Authorizations: msg.SetCodeAuthorizations,
	}
	limits := simulate.Limits{GasCap: r.block.Header().GasLimit}
	gas, err := simulate.EstimateGas(ctx, chain.View{Chain: other, Header: r.block.Header(), State: r.state}, call, nil, nil, limits)
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if err != nil {
		return 0, nil
	}
	return gas, nil
}
