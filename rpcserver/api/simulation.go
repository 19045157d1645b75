package api

import "github.com/fakenode/fakenode/evmstate/simulate"

// SimulatePending executes calls one after another in the block being built, on top of what is pre-confirmed, and
// returns their results. A call that fails has a result, too.
func (r *Request) SimulatePending(calls ...simulate.Call) ([]simulate.CallResult, error) {
	v, err := r.View(BlockTag{Kind: TagPending})
	if err != nil {
		return nil, err
	}
	base, err := v.SimulateView()
	if err != nil {
		return nil, err
	}
	if err := v.LoadTime(); err != nil {
		return nil, err
	}
	payload := simulate.Payload{Blocks: []simulate.Block{{Calls: calls}}}
	if v.Pending() {
		payload.Pending = v.Header()
	}
	payload.BaseMilliseconds, _ = v.Milliseconds()
	blocks, err := simulate.Run(r.Ctx, base, payload, r.CallLimits())
	if err != nil {
		return nil, err
	}
	return blocks[len(blocks)-1].Calls, nil
}
