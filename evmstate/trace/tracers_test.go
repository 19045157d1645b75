package trace_test

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/test/laboratory"
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

// Ensure a muxTracer without parts has an empty result, runs neither itself nor more than 64 tracers, and names wrong
// parts.
func TestMuxParts(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	call := func(config string) (json.RawMessage, error) {
		return trace.Call(t.Context(), at, simulate.Call{To: &counter}, nil, nil,
			trace.Config{Tracer: "muxTracer", TracerConfig: json.RawMessage(config)})
	}
	for _, none := range []string{"", "{}", "null"} {
		raw, err := call(none)
		require.NoError(t, err, none)
		require.JSONEq(t, "{}", string(raw), none)
	}
	_, err := call(`[1]`)
	require.ErrorContains(t, err, "it is of the wrong kind (array)")
	_, err = call(`{"muxTracer":{}}`)
	require.ErrorContains(t, err, "a muxTracer cannot run a muxTracer")
	for count, want := range map[int]string{64: "nobody0", 65: "the limit is 64"} {
		parts := make(map[string]any)
		for i := range count {
			parts["nobody"+strconv.Itoa(i)] = nil
		}
		config, err := json.Marshal(parts)
		require.NoError(t, err)
		_, err = call(string(config))
		require.ErrorContains(t, err, want)
	}
	_, err = call(`{"callTracer":{"onlyTopCall":3}}`)
	require.ErrorContains(t, err, "onlyTopCall")
}

// builtIn are the tracers in Go, with a configuration that records as much as they can.
var builtIn = []trace.Config{
	{EnableMemory: true, EnableReturnData: true},
	{Tracer: "callTracer", TracerConfig: json.RawMessage(`{"withLog":true}`)},
	{Tracer: "flatCallTracer", TracerConfig: json.RawMessage(`{"convertParityErrors":true,"includePrecompiles":true}`)},
	{Tracer: "prestateTracer"},
	{Tracer: "prestateTracer", TracerConfig: json.RawMessage(`{"diffMode":true}`)},
	{Tracer: "4byteTracer"},
	{Tracer: "erc7562Tracer", TracerConfig: json.RawMessage(`{"withLog":true}`)},
	{Tracer: "keccak256PreimageTracer"},
	{Tracer: "noopTracer"},
	{Tracer: "muxTracer", TracerConfig: json.RawMessage(`{"callTracer":{},"erc7562Tracer":{}}`)},
}

// Ensure a tracer that panics ends with an error that names it, and leaves nothing behind for the next call.
func TestTracerPanics(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	code := func(code ...byte) simulate.StateOverrides { return simulate.StateOverrides{counter: {Code: &code}} }
	run := func(so simulate.StateOverrides, cfg trace.Config) error {
		_, err := trace.Call(t.Context(), at, simulate.Call{To: &counter}, so, nil, cfg)
		return err
	}
	require.EqualError(t, run(code(byte(vm.CALL)), trace.Config{Tracer: "erc7562Tracer"}), "tracer erc7562Tracer panicked: runtime error: index out of range [-2]")
	require.ErrorContains(t, run(code(byte(vm.CALL)), trace.Config{Tracer: "muxTracer", TracerConfig: json.RawMessage(`{"erc7562Tracer":{}}`)}),
		"tracer muxTracer panicked")
	require.NoError(t, run(nil, trace.Config{Tracer: "erc7562Tracer"}))
	require.NoError(t, run(code(byte(vm.CALL)), trace.Config{}))
}

// Ensure no tracer in Go takes the node down, whatever code it sees.
func TestTracersOfRandomCode(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	random := rand.New(rand.NewPCG(7, 8562))
	for range laboratory.Budget(t, 60, 300) {
		code, input := randomCode(random), make([]byte, random.IntN(40))
		gas := uint64(100_000)
		call := simulate.Call{To: &counter, Data: input, Gas: &gas}
		if random.IntN(4) == 0 {
			call.To, call.Data = nil, code
		}
		for _, cfg := range builtIn {
			cfg.Timeout = time.Hour
			result, err := trace.Call(t.Context(), at, call, simulate.StateOverrides{counter: {Code: &code}}, nil, cfg)
			if err == nil {
				require.True(t, json.Valid(result), "%s: %x", cfg.Tracer, code)
				continue
			}
			require.ErrorContains(t, err, " panicked: ", "%s: %x", cfg.Tracer, code)
			require.Contains(t, []string{"erc7562Tracer", "muxTracer"}, cfg.Tracer, "%x: %s", code, err)
		}
	}
}

// randomCode returns code in which half of the bytes are pushes of small numbers, so that some of it runs for a while.
func randomCode(random *rand.Rand) []byte {
	code := make([]byte, 0, 64)
	for range 1 + random.IntN(40) {
		if random.IntN(2) == 0 {
			code = append(code, byte(vm.PUSH1), byte(random.IntN(64)))
			continue
		}
		code = append(code, byte(random.IntN(256)))
	}
	return code
}
