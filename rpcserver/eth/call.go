// This file serves eth_call, which executes at once and broadcasts nothing (contract 4-call, 4-rule2, 4-rule3), and the
// estimates made of such calls.

package eth

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/explain"
)

// Execution is a call together with the block and the overrides that its request names.
type Execution struct {
	Request *api.Request
	View    chain.View
	Call    simulate.Call
	State   simulate.StateOverrides
	Block   *simulate.BlockOverrides
}

// Executor serves a method about a call.
type Executor func(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error)

// Executing returns a method that resolves block and overrides, takes one of the turns for calls, and calls run.
func Executing(run func(Execution) (any, error)) Executor {
	return func(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
		defer r.Caller.MayTakeLong()()
		if err := r.TakeTurn(); err != nil {
			return nil, err
		}
		defer r.EndTurn()
		accounts, overrides, err := api.Overrides(&r.Network.Behaviour, state, block)
		if err != nil {
			return nil, err
		}
		v, err := r.CallView(tag.OrLatest())
		if err != nil {
			return nil, err
		}
		return run(Execution{Request: r, View: v, Call: object.Call(), State: accounts, Block: overrides})
	}
}

// Answer serves eth_call: the returned bytes. Beyond the contract it takes state and block overrides, and a missing
// block means latest. A revert is an error with the returned bytes as data (contract 7-revert).
func (e Execution) Answer() (any, error) {
	r := e.Request
	result, err := e.Run()
	if err != nil {
		return nil, api.Refused(err)
	}
	if result.Console {
		explain.Console(r, e.View, e.Call, e.State, e.Block)
	}
	if result.Err != nil {
		e.Explain(result.Err)
		return nil, api.Failed(result.Err)
	}
	if 2*len(result.ReturnData) > r.Caller.Room() { // as hex
		return nil, answerTooLarge(r)
	}
	return hexutil.Bytes(result.ReturnData), nil
}

// Run runs the call once.
func (e Execution) Run() (*simulate.CallResult, error) {
	return simulate.RunCall(e.Request.Ctx, e.View, e.Call, e.State, e.Block, e.Request.CallLimits())
}

// Explain passes the tree of calls of a failed call to Network.Traces, and logs why the token refused a signature.
func (e Execution) Explain(failure error) {
	explain.FailedCall(e.Request, e.View, e.Call, e.State, e.Block)
	e.Request.LogRefusal(e.View, e.Call, e.State, e.Block, failure)
}

// Estimate serves eth_estimateGas: the smallest gas limit with which the call succeeds.
func (e Execution) Estimate() (any, error) {
	gas, err := simulate.EstimateGas(e.Request.Ctx, e.View, e.Call, e.State, e.Block, e.Request.CallLimits())
	if err != nil {
		e.Explain(err)
		return nil, api.Refused(err)
	}
	return hexutil.Uint64(gas), nil
}

// AccessList serves eth_createAccessList: the accesses of the call, and the gas that it uses when they are declared
// (EIP-2930).
func (e Execution) AccessList() (any, error) {
	list, gasUsed, failure, err := simulate.CreateAccessList(e.Request.Ctx, e.View, e.Call, e.State, e.Block, e.Request.CallLimits())
	if err != nil {
		return nil, api.Refused(err)
	}
	result := AccessListResult{AccessList: append(types.AccessList{}, list...), GasUsed: hexutil.Uint64(gasUsed)}
	if failure != nil {
		result.Error = failure.Error()
	}
	return result, nil
}

// AccessListResult is the answer to eth_createAccessList.
type AccessListResult struct {
	AccessList types.AccessList `json:"accessList"`
	Error      string           `json:"error,omitempty"` // of the call, which has an access list all the same
	GasUsed    hexutil.Uint64   `json:"gasUsed"`
}

// The time that eth_callAfter waits, in wall time: without a timeout, and at most.
const (
	callAfterWait    = 3 * time.Second
	maxCallAfterWait = time.Minute
)

// nonceCondition is the nonce that eth_callAfter waits for.
type nonceCondition struct {
	api.ContractObject `wanted:"{account, nonce, timeout?}"`

	Account *common.Address `json:"account"`
	Nonce   *api.Number     `json:"nonce"`
	Timeout *api.Number     `json:"timeout"` // milliseconds
}

// CallAfter serves MegaETH's eth_callAfter: eth_call at latest, once an account's pre-confirmed nonce is reached.
func CallAfter(r *api.Request, object api.CallObject, after nonceCondition, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
	if after.Account == nil || after.Nonce == nil {
		return nil, api.InvalidParams("invalid argument 1 (condition) of %s: account or nonce is missing, want %s", r.Method, api.Wanted[nonceCondition]())
	}
	wait := callAfterWait
	if given := after.Timeout; given != nil {
		const limit = api.Number(maxCallAfterWait / time.Millisecond)
		if *given > limit {
			return nil, api.InvalidParams("timeout of %d ms is too long, the limit is %d ms", *given, limit)
		}
		wait = time.Duration(*given) * time.Millisecond
	}
	waiter := r.Network.Timeline.Waiter()
	r.Caller.LetOthersPass()
	ctx, cancel := context.WithTimeout(r.Ctx, wait)
	defer cancel()
	var failure error
	err := waiter.Until(ctx, func(m *preconf.Moment) bool {
		accounts, err := m.Pending().State()
		if err == nil {
			err = accounts.Load(*after.Account)
		}
		failure = err
		return err != nil || accounts.Nonce(*after.Account) >= uint64(*after.Nonce)
	})
	switch {
	case failure != nil:
		return nil, failure
	case err != nil && r.Ctx.Err() == nil:
		return nil, api.Errorf(api.CodeServer, "Timeout: timeout waiting for nonce condition")
	case err != nil:
		return nil, api.Refused(err)
	}
	return Executing(Execution.Answer)(r, object, nil, state, block)
}
