package trace_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/trace"
	_ "github.com/fakenode/fakenode/tracers"
)

// jsOps is a tracer that returns the opcodes of all steps.
const jsOps = `{steps: [], fault: function() {}, step: function(log) { this.steps.push(log.op.toString()) }, result: function() { return this.steps }}`

func TestStructLogger(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &caller)
	steps := func(cfg trace.Config) []map[string]any {
		t.Helper()
		raw, err := trace.Transaction(t.Context(), c, c.Head(), 0, cfg)
		require.NoError(t, err)
		var result struct{ StructLogs []map[string]any }
		require.NoError(t, json.Unmarshal(raw, &result))
		return result.StructLogs
	}
	has := func(steps []map[string]any, field string) bool {
		for _, step := range steps {
			if _, ok := step[field]; ok {
				return true
			}
		}
		return false
	}
	plain := steps(trace.Config{})
	require.Equal(t, map[string]any{"pc": 0.0, "op": "PUSH1", "gas": 178_936.0, "gasCost": 3.0, "depth": 1.0, "stack": []any{}}, plain[0])
	require.Equal(t, []bool{true, true, false, false}, []bool{has(plain, "stack"), has(plain, "storage"), has(plain, "memory"), has(plain, "returnData")})
	var written any
	for _, step := range plain {
		if step["op"] == "SSTORE" {
			written = step["storage"]
		}
	}
	require.Equal(t, map[string]any{common.Hash{}.Hex(): common.HexToHash("0x1").Hex()}, written)

	full := steps(trace.Config{EnableMemory: true, EnableReturnData: true})
	require.Equal(t, []bool{true, true, true, true}, []bool{has(full, "stack"), has(full, "storage"), has(full, "memory"), has(full, "returnData")})
	bare := steps(trace.Config{DisableStack: true, DisableStorage: true})
	require.Equal(t, []bool{false, false}, []bool{has(bare, "stack"), has(bare, "storage")})
	require.Len(t, bare, len(plain))
	require.Less(t, len(steps(trace.Config{Limit: 200})), len(plain))
}

func TestNamedTracers(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &caller, nil, &failing)
	run := func(index int, tracer, config string) json.RawMessage {
		t.Helper()
		raw, err := trace.Transaction(t.Context(), c, c.Head(), index, trace.Config{Tracer: tracer, TracerConfig: json.RawMessage(config)})
		require.NoError(t, err)
		return raw
	}
	call := fields(t, run(0, "callTracer", ""))
	require.Equal(t, []any{"CALL", key(sender), key(caller), "0x01020304"}, []any{call["type"], call["from"], call["to"], call["input"]})
	require.Equal(t, common.HexToHash("0x1").Hex(), call["output"])
	inner := call["calls"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"CALL", key(caller), key(counter)}, []any{inner["type"], inner["from"], inner["to"]})
	require.NotContains(t, fields(t, run(0, "callTracer", `{"onlyTopCall":true}`)), "calls")
	require.Equal(t, "CREATE", fields(t, run(1, "callTracer", ""))["type"])
	failed := fields(t, run(2, "callTracer", ""))
	require.Equal(t, []any{"execution reverted", "no"}, []any{failed["error"], failed["revertReason"]})

	before := fields(t, run(0, "prestateTracer", ""))
	require.Contains(t, before, key(counter))
	require.Contains(t, before, key(sender))
	diff := fields(t, run(0, "prestateTracer", `{"diffMode":true}`))
	post := diff["post"].(map[string]any)
	require.Equal(t, map[string]any{"storage": map[string]any{common.Hash{}.Hex(): common.HexToHash("0x1").Hex()}}, post[key(counter)])
	require.Equal(t, 1.0, post[key(sender)].(map[string]any)["nonce"])
	require.NotContains(t, diff["pre"].(map[string]any)[key(counter)], "storage", "the slot was zero")

	require.JSONEq(t, `{"0x01020304-0":1,"0x00000000-0":1}`, string(run(0, "4byteTracer", "")))
	mux := fields(t, run(0, "muxTracer", `{"callTracer":{"onlyTopCall":true},"4byteTracer":null}`))
	require.Contains(t, mux, "callTracer")
	require.Contains(t, mux, "4byteTracer")
	var flat []map[string]any
	require.NoError(t, json.Unmarshal(run(0, "flatCallTracer", ""), &flat))
	require.Len(t, flat, 2)
	require.Equal(t, c.Head().Hash().Hex(), flat[0]["blockHash"])
	require.JSONEq(t, `{}`, string(run(0, "noopTracer", "")))

	var ops []string
	require.NoError(t, json.Unmarshal(run(0, jsOps, ""), &ops))
	require.Contains(t, ops, "SSTORE")
}
