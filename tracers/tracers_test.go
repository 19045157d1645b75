package tracers_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
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
