// This file serves eth_call, which executes at once and broadcasts nothing (contract 4-call, 4-rule2, 4-rule3).

package rpcserver

import (
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/explain"
)

// call serves eth_call: the returned bytes. Beyond the contract it takes state and block overrides, and
// a missing block means latest. A revert is an error with the returned bytes as data (contract 7-revert).
func call(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
	defer r.Caller.MayTakeLong()()
	if err := r.TakeTurn(); err != nil {
		return nil, err
	}
	defer r.EndTurn()
	v, overrides, err := callBlock(r, tag, block)
	if err != nil {
		return nil, err
	}
	return runCall(r, v, object.Call(), state.OrNone(), overrides)
}

// runCall runs a call and returns its answer.
func runCall(r *api.Request, v chain.View, call simulate.Call, state simulate.StateOverrides, block *simulate.BlockOverrides) (any, error) {
	result, err := simulate.RunCall(r.Ctx, v, call, state, block, r.CallLimits())
	if err != nil {
		return nil, api.Refused(err)
	}
	if result.Console {
		explain.Console(r, v, call, state, block)
	}
	if result.Err != nil {
		explain.FailedCall(r, v, call, state, block)
		return nil, api.Failed(result.Err)
	}
	if 2*len(result.ReturnData) > r.Caller.Room() { // as hex
		return nil, answerTooLarge(r)
	}
	return hexutil.Bytes(result.ReturnData), nil
}

// callBlock is the block that a call runs on, and what replaces its fields.
func callBlock(r *api.Request, tag *api.BlockTag, block *api.BlockOverrides) (chain.View, *simulate.BlockOverrides, error) {
	overrides, err := block.Overrides(r.Network.Profile)
	if err != nil {
		return chain.View{}, nil, err
	}
	v, err := r.CallView(tag.OrLatest())
	return v, overrides, err
}
