// This file serves eth_simulateV1: blocks of calls that are never committed (contract 4-simulate, 4-rule5).

package eth

import (
	"cmp"
	"errors"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// simulationObject is the payload of eth_simulateV1 (contract 2.5-blocks).
type simulationObject struct {
	api.ContractObject `wanted:"a simulation payload: {blockStateCalls: [{calls, stateOverrides, blockOverrides}], traceTransfers, validation, returnFullTransactions}"`

	BlockStateCalls []simulatedBlockObject `json:"blockStateCalls"`
	TraceTransfers  bool                   `json:"traceTransfers"`
	Validation      bool                   `json:"validation"`
	// ReturnFullTransactions reports the simulated transactions as objects, not as hashes.
	ReturnFullTransactions bool `json:"returnFullTransactions"`
}

type simulatedBlockObject struct {
	Calls          []simulatedCall     `json:"calls"`
	StateOverrides simulatedAccounts   `json:"stateOverrides"`
	BlockOverrides *simulatedOverrides `json:"blockOverrides"`
}

// simulatedAccounts and simulatedOverrides reject unknown members under every profile, unlike those of eth_call.
type (
	simulatedAccounts  api.StateOverrides
	simulatedOverrides api.BlockOverrides
)

func (simulatedAccounts) Strict(bool) bool { return true }

func (simulatedOverrides) Strict(bool) bool { return true }

// simulatedCall is a call object, which may have unknown members though the payload may not.
type simulatedCall api.CallObject

func (simulatedCall) Strict(bool) bool { return false }

func callsOf(list []simulatedCall) []simulate.Call {
	return api.Each(list, func(call simulatedCall) simulate.Call { return (*api.CallObject)(&call).Call() })
}

// SimulateV1 serves eth_simulateV1. On pending it continues the pending block, with its state and the fixed fields of
// its header, and the head as parent (contract D-simulatePending).
func SimulateV1(r *api.Request, object simulationObject, tag *api.BlockTag) (any, error) {
	if tag == nil && !r.Network.SimulateOnLatest && !r.Door().BlocksAlone { // contract 4-simulate
		return nil, api.InvalidParams("missing argument 1 (block) of %s: want %s; \"pending\" for pre-confirmed state", r.Method, api.Wanted[api.BlockTag]())
	}
	payload, err := object.payload(&r.Network.Behaviour)
	if err != nil {
		return nil, err
	}
	if err := payload.Check(); err != nil { // before the block is looked for, as geth does
		return nil, api.RefusedSimulation(err)
	}
	blocks, err := r.Simulate(payload, tag.OrLatest())
	if err != nil {
		return nil, err
	}
	return simulationResult{blocks, object.ReturnFullTransactions, r.Network.ErrorObjects}, nil
}

// payload returns the object for package simulate.
func (s *simulationObject) payload(b *api.Behaviour) (simulate.Payload, error) {
	payload := simulate.Payload{
		Blocks:         make([]simulate.Block, len(s.BlockStateCalls)),
		TraceTransfers: s.TraceTransfers,
		Validation:     s.Validation,
		Rules:          b.Simulate,
	}
	for i, block := range s.BlockStateCalls {
		calls := callsOf(block.Calls)
		states, header := (*api.StateOverrides)(&block.StateOverrides), (*api.BlockOverrides)(block.BlockOverrides)
		if name := cmp.Or(header.Refused(b), states.Refused(b)); name != "" {
			return simulate.Payload{}, api.InvalidParams("invalid argument 0 (payload) of eth_simulateV1: blockStateCalls[%d]: unknown field %q in an override", i, name)
		}
		accounts, overrides, err := api.Overrides(b, states, header)
		if err != nil {
			return simulate.Payload{}, err
		}
		payload.Blocks[i] = simulate.Block{Calls: calls, StateOverrides: accounts, Overrides: overrides}
	}
	return payload, nil
}

// simulationResult is the answer to eth_simulateV1 (contract 2.6-fields).
type simulationResult struct {
	blocks       []simulate.BlockResult
	full         bool
	errorObjects bool
}

func (s simulationResult) AppendJSON(dst []byte) []byte {
	return shape.AppendArray(dst, len(s.blocks), func(dst []byte, i int) []byte {
		block, o := &s.blocks[i], shape.Begin(dst)
		shape.SimulatedBlockOf(block, s.full).Members(&o)
		o.Array("calls", len(block.Calls), func(dst []byte, i int) []byte { return s.appendCall(dst, &block.Calls[i]) })
		return o.End()
	})
}

func (s simulationResult) appendCall(dst []byte, result *simulate.CallResult) []byte {
	o := shape.Begin(dst)
	var revert *evmstate.RevertError
	reverted := errors.As(result.Err, &revert)
	if reverted && !s.errorObjects {
		o.Bytes("returnData", revert.Data)
	} else {
		o.Bytes("returnData", result.ReturnData)
	}
	o.Add("logs", shape.SimulatedLogs(result.Logs))
	o.Quantity("gasUsed", result.GasUsed)
	o.Quantity("maxUsedGas", result.MaxUsedGas)
	if result.Err == nil {
		o.Quantity("status", 1)
		return o.End()
	}
	o.Quantity("status", 0)
	failure := callError{Message: result.Err.Error(), Code: api.CodeVMError}
	switch {
	case !s.errorObjects:
		o.Text("error", failure.Message)
		return o.End()
	case reverted:
		failure.Code, failure.Data = api.CodeReverted, hexutil.Bytes(revert.Data)
	}
	o.Add("error", failure)
	return o.End()
}

// callError is the error object of a failed call; only a revert has data.
type callError struct {
	Message string `json:"message"`
	Code    int    `json:"code"`
	Data    any    `json:"data,omitempty"`
}
