// This file serves eth_call, which executes at once and broadcasts nothing (contract 4-call, 4-rule2, 4-rule3).

package rpcserver

import (
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// call serves eth_call: the returned bytes. Beyond the contract it takes state and block overrides, and
// a missing block means latest. A revert is an error with the returned bytes as data (contract 7-revert).
func call(r *request, object callObject, tag *blockTag, state *stateOverrides, block *blockOverrides) (any, error) {
	defer r.caller.MayTakeLong()()
	if err := r.takeTurn(); err != nil {
		return nil, err
	}
	defer r.endTurn()
	v, overrides, err := r.callBlock(tag, block)
	if err != nil {
		return nil, err
	}
	result, err := simulate.RunCall(r.ctx, v, object.call(), state.orNone(), overrides, r.callLimits())
	if err != nil {
		return nil, refused(err)
	}
	if result.Err != nil {
		return nil, refused(result.Err)
	}
	if 2*len(result.ReturnData) > r.caller.Room() { // as hex
		return nil, r.answerTooLarge()
	}
	return hexutil.Bytes(result.ReturnData), nil
}

// callBlock is the block that a call runs on, and what replaces its fields.
func (r *request) callBlock(tag *blockTag, block *blockOverrides) (chain.View, *simulate.BlockOverrides, error) {
	overrides, err := block.overrides(r.network.Profile)
	if err != nil {
		return chain.View{}, nil, err
	}
	v, err := r.callView(tag.orLatest())
	return v, overrides, err
}
