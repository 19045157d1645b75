// This file serves eth_simulateV1: blocks of calls that are never committed (contract 4-simulate, 4-rule5).

package rpcserver

import (
	"encoding/json"
	"errors"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// simulationObject is the payload of eth_simulateV1 (contract 2.5-blocks).
type simulationObject struct {
	contractObject
	BlockStateCalls []simulatedBlockObject `json:"blockStateCalls"`
	TraceTransfers  bool                   `json:"traceTransfers"`
	Validation      bool                   `json:"validation"`
	// ReturnFullTransactions reports the simulated transactions as objects, not as hashes.
	ReturnFullTransactions bool `json:"returnFullTransactions"`
}

func (simulationObject) Wanted() string {
	return "a simulation payload: {blockStateCalls: [{calls, stateOverrides, blockOverrides}], traceTransfers, validation, returnFullTransactions}"
}

// simulatedBlockObject is one block to simulate.
type simulatedBlockObject struct {
	Calls          []simulatedCall `json:"calls"`
	StateOverrides stateOverrides  `json:"stateOverrides"`
	BlockOverrides *blockOverrides `json:"blockOverrides"`
}

// simulatedCall is a call object in a payload that knows all its members: it does not itself.
type simulatedCall callObject

// UnmarshalJSON implements json.Unmarshaler.
func (c *simulatedCall) UnmarshalJSON(raw []byte) error { return json.Unmarshal(raw, (*callObject)(c)) }

// simulateV1 serves eth_simulateV1. On pending it continues the pending block: its state and what is decided
// of its header, with the head as parent (contract D-simulatePending).
func simulateV1(r *request, object simulationObject, tag *blockTag) (any, error) {
	defer r.caller.MayTakeLong()()
	if err := r.takeTurn(); err != nil {
		return nil, err
	}
	defer r.endTurn()
	if tag == nil && r.network.Profile == Spec { // contract 4-simulate (geth: latest)
		return nil, invalidParams("missing argument 1 (block) of %s: want %s; \"pending\" for pre-confirmed state", r.method, wanted[blockTag]())
	}
	payload, err := object.payload(r.network.Profile)
	if err != nil {
		return nil, err
	}
	if err := payload.Check(); err != nil { // before the block is looked for, as geth does
		return nil, &rejection{badSimulation, err}
	}
	v, err := r.view(tag.orLatest())
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
	blocks, err := simulate.Run(r.ctx, base, payload, r.callLimits())
	if err != nil {
		return nil, &rejection{badSimulation, err}
	}
	return simulationResult{blocks, object.ReturnFullTransactions, r.network.Profile}, nil
}

// payload returns the object as the engine takes it. State roots are zero (contract 2.6-stateRoot).
func (s *simulationObject) payload(profile Profile) (simulate.Payload, error) {
	payload := simulate.Payload{
		Blocks:            make([]simulate.Block, len(s.BlockStateCalls)),
		TraceTransfers:    s.TraceTransfers,
		Validation:        s.Validation,
		ComputeStateRoots: profile == Geth,
		CountRevertedLogs: profile == Geth, // geth numbers logs before it drops reverted ones
		GasPriceIsLegacy:  profile == Geth, // geth drops the access list from the transaction it reports
	}
	for i, block := range s.BlockStateCalls {
		calls := make([]simulate.Call, len(block.Calls))
		for j := range block.Calls {
			calls[j] = (*callObject)(&block.Calls[j]).call()
		}
		overrides, err := block.BlockOverrides.overrides(profile)
		if err != nil {
			return simulate.Payload{}, err
		}
		payload.Blocks[i] = simulate.Block{Calls: calls, StateOverrides: block.StateOverrides.overrides(), Overrides: overrides}
	}
	return payload, nil
}

// simulationResult is the answer to eth_simulateV1 (contract 2.6-fields).
type simulationResult struct {
	blocks  []simulate.BlockResult
	full    bool
	profile Profile
}

func (s simulationResult) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i := range s.blocks {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = s.appendBlock(dst, &s.blocks[i])
	}
	return append(dst, ']')
}

func (s simulationResult) appendBlock(dst []byte, result *simulate.BlockResult) []byte {
	o := beginObject(dst)
	simulatedBlockOf(result, s.full).members(&o)
	o.key("calls")
	o.dst = append(o.dst, '[')
	for i := range result.Calls {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = s.appendCall(o.dst, &result.Calls[i])
	}
	o.dst = append(o.dst, ']')
	return o.end()
}

func (s simulationResult) appendCall(dst []byte, result *simulate.CallResult) []byte {
	o := beginObject(dst)
	var revert *evmstate.RevertError
	reverted := errors.As(result.Err, &revert)
	if reverted && s.profile == Spec {
		o.bytes("returnData", revert.Data) // geth: "0x", with the bytes in the error's data
	} else {
		o.bytes("returnData", result.ReturnData)
	}
	o.key("logs")
	o.dst = logList(result.Logs).AppendJSON(o.dst)
	o.quantity("gasUsed", result.GasUsed)
	o.quantity("maxUsedGas", result.MaxUsedGas)
	switch {
	case result.Err == nil:
		o.quantity("status", 1)
	case s.profile == Spec:
		o.quantity("status", 0)
		o.string("error", result.Err.Error()) // geth: an object
	default:
		o.quantity("status", 0)
		o.key("error")
		o.dst = appendCallError(o.dst, result.Err, revert)
	}
	return o.end()
}

// appendCallError appends the error object of a failed call; revert is nil for other failures.
func appendCallError(dst []byte, failure error, revert *evmstate.RevertError) []byte {
	o := beginObject(dst)
	o.string("message", failure.Error())
	if revert == nil {
		o.int("code", codeVMError)
		return o.end()
	}
	o.int("code", codeReverted)
	o.bytes("data", revert.Data)
	return o.end()
}
