package explain

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/rpcserver/api"
)

const maxTracedCalls = 1000

// tracedCall is a call of trace_callMany with the wanted kinds of trace: [call, kinds].
type tracedCall struct {
	Object api.CallObject
	kinds  traceKinds
}

func (tracedCall) Held() any { return api.CallObject{} }

func (c *tracedCall) UnmarshalJSON(raw []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(raw, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return fmt.Errorf("%d members, want a call and its kinds of trace", len(pair))
	}
	if err := json.Unmarshal(pair[0], &c.Object); err != nil {
		return err
	}
	return json.Unmarshal(pair[1], &c.kinds)
}

type tracedCalls []tracedCall

func (tracedCalls) Wanted() string { return `an array of [call, ["trace", "stateDiff"]]` }

func TraceModuleCall(r *api.Request, object api.CallObject, kinds traceKinds, tag *api.BlockTag) (any, error) {
	return traceOne(r, object.Call(), kinds, tag)
}

// TraceCallMany serves trace_callMany: each call sees the changes of those before it.
func TraceCallMany(r *api.Request, calls tracedCalls, tag *api.BlockTag) (any, error) {
	if len(calls) > maxTracedCalls {
		return nil, api.InvalidParams("%d calls are too many for %s: the limit is %d", len(calls), r.Method, maxTracedCalls)
	}
	engine := make([]simulate.Call, len(calls))
	kinds := make([]traceKinds, len(calls))
	for i := range calls {
		engine[i], kinds[i] = calls[i].Object.Call(), calls[i].kinds
	}
	return traceCalls(r, engine, kinds, tag)
}

// TraceRawTransaction serves trace_rawTransaction: a signed transaction runs on the block without being sent. Its
// nonce is not checked.
func TraceRawTransaction(r *api.Request, raw hexutil.Bytes, kinds traceKinds, tag *api.BlockTag) (any, error) {
	tx := new(types.Transaction)
	err := tx.UnmarshalBinary(raw)
	if err != nil {
		return nil, api.Undecodable("invalid argument 0 (transaction) of %s: have %s, want a signed transaction: %s",
			r.Method, api.Excerpt(hexutil.Encode(raw)), err)
	}
	call, err := callOf(tx, r.Signer())
	if err != nil {
		return nil, api.InvalidParams("invalid argument 0 (transaction) of %s: %s", r.Method, err)
	}
	return traceOne(r, call, kinds, tag)
}

func traceOne(r *api.Request, call simulate.Call, kinds traceKinds, tag *api.BlockTag) (any, error) {
	objects, err := traceCalls(r, []simulate.Call{call}, []traceKinds{kinds}, tag)
	if err != nil {
		return nil, err
	}
	return objects[0], nil
}

// traceCalls traces calls one after another on a block, latest without one.
func traceCalls(r *api.Request, calls []simulate.Call, kinds []traceKinds, tag *api.BlockTag) ([]replayObject, error) {
	configs := make([]trace.FlatConfig, len(calls))
	frames := make([]bool, len(calls))
	for i := range calls {
		var err error
		if configs[i], frames[i], err = kinds[i].config(r); err != nil {
			return nil, err
		}
		configs[i].MaxResult = r.Caller.Room()
	}
	v, err := r.CallView(tag.OrLatest())
	if err != nil {
		return nil, err
	}
	flats, err := trace.FlatCalls(r.Ctx, v, calls, configs)
	if err != nil {
		return nil, traceFailure(err)
	}
	objects := make([]replayObject, len(flats))
	for i, flat := range flats {
		objects[i] = replayed(flat, frames[i])
	}
	return objects, nil
}

// callOf returns a signed transaction as a call by its sender.
func callOf(tx *types.Transaction, signer types.Signer) (simulate.Call, error) {
	from, err := types.Sender(signer, tx)
	if err != nil {
		return simulate.Call{}, err
	}
	value, overflow := uint256.FromBig(tx.Value())
	if overflow {
		return simulate.Call{}, errors.New("value above 2^256-1")
	}
	call := simulate.Call{
		From: &from, To: tx.To(), Gas: new(tx.Gas()), Value: value, Nonce: new(tx.Nonce()), Data: tx.Data(),
		BlobHashes: tx.BlobHashes(), Authorizations: tx.SetCodeAuthorizations(), MaxFeePerBlobGas: tx.BlobGasFeeCap(),
	}
	if tx.Type() != types.LegacyTxType {
		call.AccessList = new(tx.AccessList())
	}
	if tx.Type() < types.DynamicFeeTxType {
		call.GasPrice = tx.GasPrice()
	} else {
		call.MaxFeePerGas, call.MaxPriorityFeePerGas = tx.GasFeeCap(), tx.GasTipCap()
	}
	return call, nil
}
