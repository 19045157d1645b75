package explain

import (
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/profile"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// profiled is the first parameter of fakenode_profile: a transaction, or a call.
type profiled struct {
	hash *common.Hash // nil for a call
	call api.CallObject
}

func (profiled) Wanted() string { return "the hash of a transaction, or a call object" }

func (profiled) Held() any { return api.CallObject{} }

// Strict implements jsonrpc.Strict: as by every control method, unknown members are rejected.
func (profiled) Strict(bool) bool { return true }

func (p *profiled) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		p.hash = new(common.Hash)
		return json.Unmarshal(raw, p.hash)
	}
	return json.Unmarshal(raw, &p.call)
}

// Profile serves fakenode_profile: the profile of an executed transaction, or of a call on a block, latest without one.
func Profile(r *api.Request, what profiled, tag *api.BlockTag) (any, error) {
	tree, on, err := what.tree(r, tag)
	if err != nil {
		return nil, err
	}
	return profile.New(tree, on, r.Network.Artifacts), nil
}

// tree executes the transaction or call again, and returns its Tree and its chain.
func (p *profiled) tree(r *api.Request, tag *api.BlockTag) (*trace.Tree, *chain.Chain, error) {
	if p.hash != nil {
		if tag != nil {
			return nil, nil, api.InvalidParams("argument 1 (block) of %s is for a call: a transaction has its own", r.Method)
		}
		v, index, err := traced(r, *p.hash)
		if err != nil {
			return nil, nil, err
		}
		tree, err := trace.TreeTransaction(r.Ctx, v.Chain(), v, index)
		return tree, v.Chain(), traceFailure(err)
	}
	v, err := r.CallView(tag.OrLatest())
	if err != nil {
		return nil, nil, err
	}
	tree, err := trace.TreeCall(r.Ctx, v, p.call.Call(), nil, nil, r.CallLimits().GasCap)
	return tree, v.Chain, traceFailure(err)
}

// Console passes the lines that a call wrote by console.log, also reverted ones, to Network.Console, if it is set.
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
		for _, below := range b.Calls() {
			tell(below)
		}
	}
	tell(tree.Root)
}

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
