package dialect

import (
	"cmp"
	"encoding/json"
	"maps"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/explain"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// addTraces adds the methods that trace to own. anvil has no traces of a block that is not mined: pending is latest.
func addTraces(own, table methodTable) {
	maps.Copy(own, methodTable{
		"debug_traceTransaction":   jsonrpc.Params2(anvilTraceTransaction, "hash", "tracer").Within(explain.Begin),
		"debug_traceCall":          jsonrpc.Params3(anvilTraceCall, "call", "block", "tracer").Within(explain.Begin),
		"debug_traceBlockByNumber": jsonrpc.Params2(anvilTraceBlock[api.NumberTag], "block", "tracer").Within(explain.Begin),
		"debug_traceBlockByHash":   jsonrpc.Params2(anvilTraceBlock[api.BlockHash], "hash", "tracer").Within(explain.Begin),
		"ots_getInternalOperations": table["ots_getInternalOperations"].Around(func(r *api.Request, params [][]byte, next next) (any, error) {
			var hash common.Hash
			if len(params) == 1 && json.Unmarshal(params[0], &hash) == nil {
				if found, err := r.Moment().Find(hash); err == nil && !found.Executed() {
					return nil, api.Errorf(api.CodeInternal, "Required data unavailable")
				}
			}
			return next(params)
		}),
	})
	for _, name := range []string{"debug_traceBlockByNumber", "trace_block", "trace_replayBlockTransactions"} {
		own[name] = either(own, table, name).Around(func(_ *api.Request, params [][]byte, next next) (any, error) {
			if namesPending(params) {
				params = append([][]byte{[]byte(`"latest"`)}, params[1:]...)
			}
			return next(params)
		})
	}
}

// anvilTraceTransaction serves debug_traceTransaction. A transaction that was not executed has the trace of one that
// did nothing, whatever the tracer.
func anvilTraceTransaction(r *api.Request, hash common.Hash, options *explain.TraceConfig) (any, error) {
	if found, err := r.Moment().Find(hash); err == nil && !found.Executed() {
		return json.RawMessage(`{"failed":false,"gas":0,"returnValue":"0x","structLogs":[]}`), nil
	}
	answer, err := explain.TraceTransaction(r, hash, options)
	return anvilTrace(answer, options, err)
}

// anvilTraceCall serves debug_traceCall, see calling.
func anvilTraceCall(r *api.Request, object api.CallObject, tag *api.BlockTag, options *explain.TraceConfig) (any, error) {
	call := object.Call()
	if err := readFees(&call); err != nil {
		return nil, err
	}
	if call.GasPrice == nil {
		object.GasPrice = nil
	}
	with := *cmp.Or(options, new(explain.TraceConfig))
	var members map[string]any
	if next := onNext(r, tag, nil); next != nil && (with.BlockOverrides == nil || json.Unmarshal(with.BlockOverrides, &members) == nil) {
		merged := map[string]any{"gasLimit": next.GasLimit, "feeRecipient": next.FeeRecipient}
		if members["coinbase"] != nil {
			delete(merged, "feeRecipient")
		}
		maps.Copy(merged, members)
		with.BlockOverrides, _ = json.Marshal(merged) // of a JSON object
	}
	answer, err := explain.TraceCall(r, object, tag, &with)
	return anvilTrace(answer, options, err)
}

// anvilTraceBlock serves debug_traceBlockByNumber and debug_traceBlockByHash: none for a block without transactions.
func anvilTraceBlock[B api.Block](r *api.Request, block B, options *explain.TraceConfig) (any, error) {
	if _, err := r.View(block.Tag()); err != nil {
		return nil, errNotFound
	}
	answer, err := explain.TraceBlock(r, block, options)
	if err != nil {
		return noneFor(trace.ErrGenesis)(err)
	}
	encoded, _ := jsonrpc.AppendValue(nil, answer)
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(encoded, &list); err != nil {
		return nil, err
	}
	for _, traced := range list {
		if traced["result"] != nil {
			rewritten, err := anvilTrace(traced["result"], options, nil)
			if err != nil {
				return nil, err
			}
			traced["result"] = rewritten.(json.RawMessage)
		}
	}
	return list, nil
}

// anvilTrace returns the outcome of a trace in anvil's form: each step of the struct logger has all members that were
// asked for, and names its failure as anvil does.
func anvilTrace(answer any, options *explain.TraceConfig, err error) (any, error) {
	options = cmp.Or(options, new(explain.TraceConfig))
	raw, isRaw := answer.(json.RawMessage)
	switch {
	case err != nil && strings.HasPrefix(err.Error(), "ReferenceError") && *options.Tracer != "muxTracer":
		return nil, api.Errorf(api.CodeInternal, "failed to evaluate JS code: %s", err)
	case err != nil || options.Tracer != nil || !isRaw:
		return answer, err
	}
	var traced anvilSteps
	if err := json.Unmarshal(raw, &traced); err != nil {
		return nil, err
	}
	for i, step := range traced.StructLogs {
		var next *anvilStep
		if i+1 < len(traced.StructLogs) && traced.StructLogs[i+1].Depth == step.Depth {
			next = traced.StructLogs[i+1]
		}
		step.complete(options, next)
	}
	rewritten, err := json.Marshal(traced)
	return json.RawMessage(rewritten), err
}

// anvilSteps is the result of the struct logger.
type anvilSteps struct {
	Failed      bool            `json:"failed"`
	Gas         uint64          `json:"gas"`
	ReturnValue json.RawMessage `json:"returnValue"`
	StructLogs  []*anvilStep    `json:"structLogs"`
}

type anvilStep struct {
	PC         uint64          `json:"pc"`
	Op         string          `json:"op"`
	Gas        uint64          `json:"gas"`
	GasCost    uint64          `json:"gasCost"`
	Depth      int             `json:"depth"`
	Error      string          `json:"error,omitempty"`
	Stack      json.RawMessage `json:"stack,omitempty"`
	ReturnData json.RawMessage `json:"returnData,omitempty"`
	Memory     json.RawMessage `json:"memory,omitempty"`
	Storage    json.RawMessage `json:"storage,omitempty"`
	Refund     uint64          `json:"refund"`
}

// complete adds what go-ethereum leaves out of a step; next is the one after it in the same code, or nil.
func (s *anvilStep) complete(options *explain.TraceConfig, next *anvilStep) {
	if options.EnableMemory && s.Memory == nil {
		s.Memory = json.RawMessage(`[]`)
	}
	if options.EnableReturnData && s.ReturnData == nil {
		s.ReturnData = json.RawMessage(`"0x"`)
	}
	switch {
	case strings.HasPrefix(s.Op, "opcode 0x"):
		s.Op, s.Error = "Unknown", "Some(OpcodeNotFound)"
	case s.Op == "INVALID":
		s.Error = "Some(InvalidFEOpcode)"
	case strings.HasPrefix(s.Op, "JUMP") && s.Op != "JUMPDEST" && next == nil && s.Error == "":
		s.Error = "Some(InvalidJump)"
	case strings.Contains(s.Error, "reentrancy sentry"):
		s.Error = "Some(ReentrancySentryOOG)"
	case strings.HasPrefix(s.Error, "stack underflow"):
		s.Error = "Some(StackUnderflow)"
	case strings.HasPrefix(s.Error, "stack limit"):
		s.Error = "Some(StackOverflow)"
	case strings.HasPrefix(s.Error, "out of gas"):
		s.Error = "Some(OutOfGas)"
	}
}
