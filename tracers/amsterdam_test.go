package tracers_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure every tracer that reports gas under amsterdam reports both kinds together, as the receipt does.
func TestTracesOfTwoKindsOfGas(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Hardfork: "amsterdam", Mode: fakenode.Instant})
	alice, stranger := node.Account(0), common.HexToAddress("0x5712a9e5")
	// Init code that writes two new slots, clears one again, and sends 1 wei to an account that does not exist.
	writer := common.FromHex("0x6101236000556101236001556000600055" + "6000600060006000600163a1b2c3d45af150" + "602a60005260206000f3")
	for name, tx := range map[string]fakenode.Tx{
		"ether to a new account": {To: &stranger, Value: uint256.NewInt(5)},
		"a creation":             {Data: writer, Value: uint256.NewInt(1)},
		"one that runs out":      {Data: writer, Value: uint256.NewInt(1), Gas: 300_000},
		"one that reverts":       {Data: common.FromHex("0x600160005560006000fd"), Gas: 500_000},
	} {
		hash, _ := node.Transact(alice, tx) // the error is that of a failure
		receipt, err := node.Client().TransactionReceipt(t.Context(), hash)
		require.NoError(t, err, name)
		trace := func(config map[string]any) json.RawMessage {
			var result json.RawMessage
			require.NoError(t, node.Client().Client().CallContext(t.Context(), &result, "debug_traceTransaction", receipt.TxHash, config))
			return result
		}
		var frame struct{ GasUsed hexutil.Uint64 }
		for _, tracer := range []string{"callTracer", "erc7562Tracer"} {
			require.NoError(t, json.Unmarshal(trace(map[string]any{"tracer": tracer}), &frame))
			require.EqualValues(t, receipt.GasUsed, frame.GasUsed, "%s by %s", name, tracer)
		}
		var steps struct {
			Gas    uint64
			Failed bool
		}
		require.NoError(t, json.Unmarshal(trace(nil), &steps))
		require.Equal(t, receipt.GasUsed, steps.Gas, name)
		require.Equal(t, receipt.Status == 0, steps.Failed, name)
		diff := string(trace(map[string]any{"tracer": "prestateTracer", "tracerConfig": map[string]any{"diffMode": true}}))
		require.Contains(t, diff, `"nonce"`, name)
	}
}
