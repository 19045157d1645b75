package api

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
)

// Simulate executes the payload on top of a block or, with "pending", in the block being built.
func (r *Request) Simulate(payload simulate.Payload, tag BlockTag) ([]simulate.BlockResult, error) {
	v, err := r.View(tag)
	if err != nil {
		return nil, err
	}
	base, err := v.SimulateView()
	if err != nil {
		return nil, err
	}
	if v.Pending() {
		payload.Pending = v.Header()
	}
	if err := v.LoadTime(); err != nil {
		return nil, err
	}
	payload.BaseMilliseconds, _ = v.Milliseconds()
	blocks, err := simulate.Run(r.Ctx, base, payload, r.CallLimits())
	if err != nil {
		return nil, RefusedSimulation(err)
	}
	return blocks, nil
}

// SimulatePending executes calls one after another in the block being built, on top of its pre-confirmed transactions
// and of the overrides, and returns their results. A call that fails has a result, too, unless its sender lacks the
// funds for it.
func (r *Request) SimulatePending(overrides simulate.StateOverrides, calls ...simulate.Call) ([]simulate.CallResult, error) {
	payload := simulate.Payload{Blocks: []simulate.Block{{Calls: calls, StateOverrides: overrides}}, RejectUnfunded: true}
	blocks, err := r.Simulate(payload, BlockTag{Kind: TagPending})
	if err != nil {
		return nil, err
	}
	return blocks[len(blocks)-1].Calls, nil
}

// CallOf returns the call that a transaction makes.
func CallOf(tx *types.Transaction, from common.Address) simulate.Call {
	value, _ := uint256.FromBig(tx.Value())
	return simulate.Call{
		From: &from, To: tx.To(), Gas: new(tx.Gas()), Value: value, Data: tx.Data(), Authorizations: tx.SetCodeAuthorizations(),
	}
}
