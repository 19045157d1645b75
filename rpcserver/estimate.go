package rpcserver

import (
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/explain"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// estimateGas serves eth_estimateGas: the smallest gas limit with which the call succeeds.
func estimateGas(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
	defer r.Caller.MayTakeLong()()
	if err := r.TakeTurn(); err != nil {
		return nil, err
	}
	defer r.EndTurn()
	v, overrides, err := callBlock(r, tag, block)
	if err != nil {
		return nil, err
	}
	gas, err := simulate.EstimateGas(r.Ctx, v, object.Call(), state.OrNone(), overrides, r.CallLimits())
	if err != nil {
		explain.FailedCall(r, v, object.Call(), state.OrNone(), overrides)
		return nil, api.Refused(err)
	}
	return hexutil.Uint64(gas), nil
}

// accessListResult is the answer to eth_createAccessList.
type accessListResult struct {
	list    types.AccessList
	gasUsed uint64
	failure error // of the call, which has an access list all the same
}

func (a accessListResult) AppendJSON(dst []byte) []byte {
	o := shape.Begin(dst)
	o.Key("accessList")
	o.Dst = shape.AppendAccessList(o.Dst, a.list)
	if a.failure != nil {
		o.Text("error", a.failure.Error())
	}
	o.Quantity("gasUsed", a.gasUsed)
	return o.End()
}

// createAccessList serves eth_createAccessList: what the call touches, and the gas it uses when that is
// declared (EIP-2930).
func createAccessList(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
	defer r.Caller.MayTakeLong()()
	if err := r.TakeTurn(); err != nil {
		return nil, err
	}
	defer r.EndTurn()
	v, overrides, err := callBlock(r, tag, block)
	if err != nil {
		return nil, err
	}
	list, gasUsed, failure, err := simulate.CreateAccessList(r.Ctx, v, object.Call(), state.OrNone(), overrides, r.CallLimits())
	if err != nil {
		return nil, api.Refused(err)
	}
	return accessListResult{list, gasUsed, failure}, nil
}
