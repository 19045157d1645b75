package rpcserver

import (
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/explain"
)

// hardhatCall serves eth_call. Neither the sender's balance nor the fees are checked.
func hardhatCall(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
	defer r.Caller.MayTakeLong()()
	if err := r.TakeTurn(); err != nil {
		return nil, err
	}
	defer r.EndTurn()
	v, overrides, err := callBlock(r, tag, block)
	if err != nil {
		return nil, err
	}
	call, so, err := unchecked(r, v, object.Call(), state.OrNone())
	if err != nil {
		return nil, err
	}
	return runCall(r, v, call, so, overrides)
}

// hardhatEstimate serves eth_estimateGas: the gas that the call used with all that a transaction may have, if that is
// enough, and else a limit that is, above the smallest one by at most hardhatTolerance.
func hardhatEstimate(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
	defer r.Caller.MayTakeLong()()
	if err := r.TakeTurn(); err != nil {
		return nil, err
	}
	defer r.EndTurn()
	v, overrides, err := callBlock(r, tag, block)
	if err != nil {
		return nil, err
	}
	call, so, err := unchecked(r, v, object.Call(), state.OrNone())
	if err != nil {
		return nil, err
	}
	run := func(gas uint64) (*simulate.CallResult, error) {
		call.Gas = &gas
		return simulate.RunCall(r.Ctx, v, call, so, overrides, r.CallLimits())
	}
	high := mostGas(r.Moment())
	if object.Gas != nil && uint64(*object.Gas) >= params.TxGas {
		high = min(high, uint64(*object.Gas))
	}
	result, err := run(high)
	if err != nil {
		return nil, api.Refused(err)
	}
	if result.Err != nil {
		explain.FailedCall(r, v, call, so, overrides)
		return nil, api.Failed(result.Err)
	}
	used := max(result.GasUsed, params.TxGas+1)
	if result, err = run(used); err == nil && result.Err == nil {
		return hexutil.Uint64(used), nil
	}
	low := used
	for low+hardhatTolerance(low) < high {
		middle := min(low+(high-low)/2, 3*low)
		if result, err = run(middle); err != nil {
			return nil, api.Refused(err)
		}
		if result.Err == nil {
			high = middle
		} else {
			low = middle
		}
	}
	return hexutil.Uint64(high), nil
}

// hardhatTolerance returns by how much an estimate may be too high when less than low is too little, in gas.
func hardhatTolerance(low uint64) uint64 {
	for _, step := range []struct{ from, tolerance uint64 }{
		{4_000_000, 50_000}, {1_000_000, 10_000}, {100_000, 1_000}, {50_000, 500}, {30_000, 300},
	} {
		if low >= step.from {
			return step.tolerance
		}
	}
	return 200
}
