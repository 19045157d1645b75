package explain

import (
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/internal/profile"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// FailedCall passes the trace of a call, if it failed, to Network.Traces unless that is nil. If the token refused a
// signature, it logs the explanation, because a client that estimates first does not send the transaction.
func FailedCall(r *api.Request, v chain.View, call simulate.Call, so simulate.StateOverrides, bo *simulate.BlockOverrides, failure error) {
	refused := paytoken.RefusedSignature(failure)
	if r.Network.Traces == nil && !refused {
		return
	}
	tree, err := trace.TreeCall(r.Ctx, v, call, so, bo, r.CallLimits().GasCap)
	if err != nil || tree.Root.Err == nil {
		return // it was not executed, or its gas did not suffice to begin
	}
	if r.Network.Traces != nil {
		r.Network.Traces("failed " + r.Method + "\n" + profile.New(tree, v.Chain, r.Network.Artifacts).Trace())
	}
	if note := paytoken.ExplainCall(r.Ctx, v, tree.Root); refused && note != "" {
		r.Network.Log.Warn(note, "method", r.Method)
	}
}
