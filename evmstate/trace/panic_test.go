package trace_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

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
	var panicked *trace.PanicError
	require.ErrorAs(t, run(code(byte(vm.CALL)), trace.Config{Tracer: "erc7562Tracer"}), &panicked)
	require.EqualError(t, panicked, "tracer erc7562Tracer panicked: runtime error: index out of range [-2]")
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
			var panicked *trace.PanicError
			require.ErrorAs(t, err, &panicked, "%s: %x", cfg.Tracer, code)
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
