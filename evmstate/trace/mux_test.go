package trace_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
)

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
	require.ErrorContains(t, err, "cannot unmarshal array")
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
