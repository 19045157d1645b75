package explain

import (
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/profile"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// FailedCall passes the trace of a call, if it failed, to Network.Traces unless that is nil.
func FailedCall(r *api.Request, v chain.View, call simulate.Call, so simulate.StateOverrides, bo *simulate.BlockOverrides) {
	if r.Network.Traces == nil {
		return
	}
	tree, err := trace.TreeCall(r.Ctx, v, call, so, bo, r.CallLimits().GasCap)
	if err != nil || tree.Root.Err == nil {
		return // it was not executed, or its gas did not suffice to begin
	}
	r.Network.Traces("failed " + r.Method + "\n" + profile.New(tree, v.Chain, r.Network.Artifacts).Trace())
}
