package simulate

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// EstimateGas returns the smallest gas limit with which the call succeeds, and above it Limits.EstimateMargin where the
// search goes so far up. It is exact for every call that, if it succeeds with some gas, also succeeds with more.
//
// The search goes up to the call's own gas limit (by default the block's), the protocol's limit of one transaction,
// Limits.GasCap, and the gas that the sender can pay for, whichever is lowest. If no gas suffices the error is an
// *evmstate.RevertError, an error of go-ethereum's vm package or ErrGasAllowance; other errors are RunCall's.
func EstimateGas(ctx context.Context, v chain.View, c Call, so StateOverrides, bo *BlockOverrides, l Limits) (uint64, error) {
	ctx, cancel := l.start(ctx)
	defer cancel()
	e, err := NewEnvironment(ctx, v, so, bo)
	if err != nil {
		return 0, err
	}
	msg, err := e.Message(&c, l.gasCap())
	if err != nil {
		return 0, err
	}
	high, err := e.gasAllowance(&c, msg, l.gasCap())
	if err != nil {
		return 0, err
	}
	gas, err := (&estimate{env: e, msg: v.Chain.TxGasLimit.Lift(msg)}).smallest(ctx, high)
	return min(high, gas+gas/100*l.EstimateMargin+gas%100*l.EstimateMargin/100), err
}

// gasAllowance returns the largest gas limit that the estimated transaction may have.
func (e *Environment) gasAllowance(c *Call, msg *core.Message, gasCap uint64) (uint64, error) {
	allowance := e.Block.GasLimit
	if c.Gas != nil && *c.Gas >= params.TxGas {
		allowance = *c.Gas
	}
	allowance = min(allowance, gasCap, e.chain.TxGasLimit.Gas(e.rules()))
	price := msg.GasFeeCap
	if e.chain.CallsBelowBaseFee {
		price = msg.GasPrice
	}
	if price.IsZero() {
		return allowance, nil
	}
	available := e.State.Balance(msg.From)
	if !msg.Value.Lt(available) { // nothing would be left for gas
		return 0, fmt.Errorf("%w: address %s have %s want %s and gas", core.ErrInsufficientFundsForTransfer, msg.From, available.Dec(), msg.Value.Dec())
	}
	available.Sub(available, msg.Value)
	if blobs := len(msg.BlobHashes); blobs > 0 {
		cost := uint256.NewInt(uint64(blobs) * params.BlobTxBlobGasPerBlob)
		if _, overflow := cost.MulOverflow(cost, msg.BlobGasFeeCap); overflow || available.Lt(cost) {
			return 0, core.ErrInsufficientFunds
		}
		available.Sub(available, cost)
	}
	if e.fees != nil {
		tx, err := e.Transaction(c, msg).MarshalBinary()
		if err != nil {
			return 0, err
		}
		fixed, perGas := e.fees.Unsigned(tx)
		if available.Lt(fixed) {
			return 0, fmt.Errorf("%w: the L1 fee is %s", core.ErrInsufficientFunds, fixed)
		}
		available.Sub(available, fixed)
		price = perGas.Add(perGas, price)
	}
	if affordable := available.Div(available, price); affordable.IsUint64() {
		allowance = min(allowance, affordable.Uint64())
	}
	return allowance, nil
}

type estimate struct {
	env *Environment
	msg *core.Message
}

// try executes the message. The result is nil if the gas does not even cover the charges before execution.
func (e *estimate) try(ctx context.Context, gas uint64) (*core.ExecutionResult, error) {
	e.msg.GasLimit = gas
	m := e.env.Machine(e.msg, nil)
	defer m.Release()
	m.SetTxContext(common.Hash{}, 0)
	r, _, err := m.Apply(ctx, e.msg, nil)
	switch {
	case err == nil:
		return r, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, core.ErrIntrinsicGas), errors.Is(err, core.ErrFloorDataGas):
		return nil, nil
	}
	if failed := m.Err(); failed != nil {
		return nil, failed
	}
	return nil, fmt.Errorf("failed with %d gas: %w", gas, err)
}

func (e *estimate) succeeds(ctx context.Context, gas uint64) (bool, error) {
	r, err := e.try(ctx, gas)
	return r != nil && !r.Failed(), err
}

// smallest returns the smallest gas limit up to high with which the message succeeds.
func (e *estimate) smallest(ctx context.Context, high uint64) (uint64, error) {
	transfer := false
	if to := e.msg.To; to != nil {
		if err := e.env.State.Load(*to); err != nil {
			return 0, err
		}
		transfer = len(e.msg.Data) == 0 && e.msg.SetCodeAuthorizations == nil && len(e.env.State.Code(*to)) == 0
	}
	if transfer && high >= params.TxGas {
		r, err := e.try(ctx, params.TxGas)
		if err != nil {
			return 0, err
		}
		if r != nil && !r.Failed() {
			return r.UsedGas, nil // less than that from Amsterdam on (EIP-2780)
		}
	}
	r, err := e.try(ctx, high)
	if err != nil {
		return 0, err
	}
	if r == nil || errors.Is(r.Err, vm.ErrOutOfGas) {
		return 0, fmt.Errorf("%w (%d)", ErrGasAllowance, high)
	}
	if errors.Is(r.Err, vm.ErrExecutionReverted) {
		return 0, e.env.chain.Reverted(r.Revert())
	}
	if r.Err != nil {
		return 0, r.Err
	}
	// The gas that the first run needed is most often the answer, so try it and the gas just below. Calls that keep gas
	// back (1/64 for a nested call, the stipend) need a little more; calls that spend whatever they get need far less.
	low := uint64(params.TxGas - 1)
	if e.env.rules().IsAmsterdam {
		low = params.TxBaseCost2780 - 1
	}
	for _, gas := range []uint64{r.MaxUsedGas, r.MaxUsedGas - 1, (r.MaxUsedGas+params.CallStipend)*64/63 + 1} {
		if gas <= low || gas >= high {
			continue
		}
		ok, err := e.succeeds(ctx, gas)
		if err != nil {
			return 0, err
		}
		if ok {
			high = gas
		} else {
			low = gas
		}
	}
	return e.bisect(ctx, low, high)
}

// bisect narrows the search: the message fails with low and succeeds with high.
func (e *estimate) bisect(ctx context.Context, low, high uint64) (uint64, error) {
	for low+1 < high {
		// Most calls need little of a large allowance, so the upper half of the range is seldom tried.
		middle := min(low+(high-low)/2, 2*low)
		ok, err := e.succeeds(ctx, middle)
		if err != nil {
			return 0, err
		}
		if ok {
			high = middle
		} else {
			low = middle
		}
	}
	return high, nil
}
