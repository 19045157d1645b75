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
		"ots_getInternalOperations": table["ots_getInternalOperations"].Before(func(r *api.Request, params [][]byte) ([][]byte, error) {
			var hash common.Hash
			if len(params) == 1 && json.Unmarshal(params[0], &hash) == nil {
				if found, err := r.Moment().Find(hash); err == nil && !found.Executed() {
					return nil, api.Errorf(api.CodeInternal, "Required data unavailable")
				}
			}
			return params, nil
		}),
	})
	for _, name := range []string{"debug_traceBlockByNumber", "trace_block", "trace_replayBlockTransactions"} {
		own[name] = either(own, table, name).Before(func(_ *api.Request, params [][]byte) ([][]byte, error) {
			if namesPending(params) {
				params = append([][]byte{[]byte(`"latest"`)}, params[1:]...)
			}
			return params, nil
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

// anvilTraceBlock serves debug_traceBlockByNumber and debug_traceBlockByHash: none for the genesis block.
func anvilTraceBlock[B api.Block](r *api.Request, block B, options *explain.TraceConfig) (any, error) {
	answer, err := explain.TraceBlock(r, block, options)
	if err != nil {
		return noneFor(trace.ErrGenesis)(err)
	}
	encoded, _ := jsonrpc.AppendValue(nil, answer)
	var list []struct {
		TxHash common.Hash     `json:"txHash"`
		Result json.RawMessage `json:"result,omitempty"`
		Error  string          `json:"error,omitempty"`
	}
	err = json.Unmarshal(encoded, &list)
	for i := range list {
		list[i].Result = completed(list[i].Result, options)
	}
	return list, err
}

// anvilTrace returns the outcome of a trace in anvil's form.
func anvilTrace(answer any, options *explain.TraceConfig, err error) (any, error) {
	raw, isRaw := answer.(json.RawMessage)
	switch {
	case err != nil && strings.HasPrefix(err.Error(), "ReferenceError") && *options.Tracer != "muxTracer":
		return nil, api.Errorf(api.CodeInternal, "failed to evaluate JS code: %s", err)
	case err != nil || !isRaw:
		return nil, err
	}
	return completed(raw, options), nil
}

// completed returns the result of the struct logger with all members of each step that were asked for, and with anvil's
// names of failures; that of another tracer as it is.
func completed(raw json.RawMessage, options *explain.TraceConfig) json.RawMessage {
	options = cmp.Or(options, new(explain.TraceConfig))
	var traced anvilSteps
	if options.Tracer != nil || json.Unmarshal(raw, &traced) != nil {
		return raw
	}
	for i, step := range traced.StructLogs {
		step.complete(options, i+1 < len(traced.StructLogs) && traced.StructLogs[i+1].Depth == step.Depth)
	}
	rewritten, _ := json.Marshal(traced) // of JSON
	return rewritten
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

// complete adds what go-ethereum leaves out of a step; more reports whether another one follows in the same code.
func (s *anvilStep) complete(options *explain.TraceConfig, more bool) {
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
	case strings.HasPrefix(s.Op, "JUMP") && s.Op != "JUMPDEST" && !more && s.Error == "":
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
