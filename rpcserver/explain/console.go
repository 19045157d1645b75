package explain

import (
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Console passes the lines that a call wrote by console.log, also reverted ones, to Network.Console unless that is nil.
// It executes the call again.
func Console(r *api.Request, v chain.View, call simulate.Call, so simulate.StateOverrides, bo *simulate.BlockOverrides) {
	if r.Network.Console == nil {
		return
	}
	tree, err := trace.TreeCall(r.Ctx, v, call, so, bo, r.CallLimits().GasCap)
	if err != nil {
		return // the call was executed just before
	}
	var tell func(b *trace.Branch)
	tell = func(b *trace.Branch) {
		if b.To == chain.ConsoleAddress {
			r.Network.Console(b.Input)
		}
		for _, step := range b.Steps {
			if step.Branch != nil {
				tell(step.Branch)
			}
		}
	}
	tell(tree.Root)
}
