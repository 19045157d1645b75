package tracers_test

import (
	"encoding/json"
	"testing"

	"github.com/dlclark/regexp2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/trace"
	_ "github.com/fakenode/fakenode/tracers"
)

// Ensure a node in a test has go-ethereum's tracers once the package is imported.
func TestTracersOfNode(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	call := map[string]any{"from": node.Account(0).Address, "to": common.Address{1}}
	for tracer, want := range map[string]string{
		"callTracer": `"type":"CALL"`,
		"{fault: function() {}, result: function() { return 6 * 7 }}": `42`,
	} {
		var result json.RawMessage
		require.NoError(t, node.Client().Client().CallContext(t.Context(), &result, "debug_traceCall", call, "latest", map[string]any{"tracer": tracer}))
		require.Contains(t, string(result), want)
	}
}

// Ensure a regular expression of a tracer in JavaScript, which nothing can interrupt, gives up as a trace does.
func TestRegularExpressionsGiveUp(t *testing.T) {
	t.Parallel()
	require.Equal(t, trace.DefaultTimeout, regexp2.DefaultMatchTimeout)
}

// Ensure each of go-ethereum's tracers, by itself and within muxTracer, answers for a call that hashes and ends, and
// gives up after its time with one that does not end.
func TestTracersEnd(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	hashes, endless := common.Address{19: 0x70}, common.Address{19: 0x71}
	node.SetCode(hashes, common.FromHex("0x60205f205000"))
	node.SetCode(endless, common.FromHex("0x5b5f56"))
	for tracer, want := range map[string]string{
		"keccak256PreimageTracer": `{"0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563":` +
			`"0x0000000000000000000000000000000000000000000000000000000000000000"}`,
		"4byteTracer": `{"0x01020304-0":1}`,
		"noopTracer":  `{}`,
	} {
		for _, mux := range []bool{false, true} {
			ask := func(to common.Address, timeout string) (answer json.RawMessage, err error) {
				config := map[string]any{"tracer": tracer, "timeout": timeout}
				if mux {
					config["tracer"], config["tracerConfig"] = "muxTracer", map[string]any{tracer: map[string]any{}}
				}
				call := map[string]any{"from": node.Account(0).Address, "to": to, "data": "0x01020304", "gas": "0x1c9c380"}
				return answer, node.Client().Client().CallContext(t.Context(), &answer, "debug_traceCall", call, "latest", config)
			}
			answer, err := ask(hashes, "1m")
			require.NoError(t, err, tracer)
			if mux {
				want := `{"` + tracer + `":` + want + `}`
				require.JSONEq(t, want, string(answer))
			} else {
				require.JSONEq(t, want, string(answer))
			}
			_, err = ask(endless, "1ns")
			require.ErrorContains(t, err, "execution timeout", tracer)
		}
	}
}
