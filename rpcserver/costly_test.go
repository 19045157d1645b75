package rpcserver_test

import (
	"encoding/json"
	"runtime"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

// maxCost is the memory, in bytes, that a request may allocate, the garbage included.
const maxCost = 512 << 20

// Ensure no method that shows what a transaction did needs more than its limit, whatever the transaction did: this one
// calls itself as deep as its gas allows, again and again. The test counts all memory that is allocated, so it does not
// run in parallel with others.
func TestCostlyMethods(t *testing.T) {
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	self := common.HexToAddress("0x5e1f")
	code := common.FromHex("0x5b5f5f5f5f5f305af1505f56")
	require.NoError(t, n.Timeline.EditState(func(s *evmstate.State) *evmstate.State { return s.WithCode(self, code) }))
	gas := laboratory.Budget(t, 200_000, 10_000_000)
	hash := servertest.Fetch[common.Hash](n, "eth_sendTransaction", map[string]any{"from": fixtures.Dev(0).Address, "to": self, "gas": hexutil.Uint64(gas)})
	n.Seal(1)
	call := map[string]any{"to": self, "gas": hexutil.Uint64(gas)}
	kinds := []any{"trace", "stateDiff"}
	type request struct {
		method string
		params []any
	}
	requests := []request{
		{"trace_block", []any{"latest"}},
		{"trace_transaction", []any{hash}},
		{"trace_get", []any{hash, []any{"0x0"}}},
		{"trace_filter", []any{map[string]any{}}},
		{"trace_call", []any{call, kinds}},
		{"trace_callMany", []any{[]any{[]any{call, kinds}, []any{call, kinds}}}},
		{"trace_replayTransaction", []any{hash, kinds}},
		{"trace_replayBlockTransactions", []any{"latest", kinds}},
		{"ots_getInternalOperations", []any{hash}},
		{"ots_getTransactionError", []any{hash}},
		{"ots_traceTransaction", []any{hash}},
		{"ots_searchTransactionsBefore", []any{self, 0, 10}},
		{"ots_searchTransactionsAfter", []any{common.Address{1}, 0, 10}},
		{"fakenode_profile", []any{hash}},
		{"fakenode_compareForks", []any{map[string]any{}}},
	}
	for _, tracer := range []map[string]any{
		{}, {"tracer": "callTracer"}, {"tracer": "callTracer", "tracerConfig": map[string]any{"withLog": true}},
		{"tracer": "flatCallTracer"}, {"tracer": "erc7562Tracer"}, {"tracer": "prestateTracer"}, {"tracer": "4byteTracer"},
		{"tracer": "keccak256PreimageTracer"}, {"tracer": "noopTracer"},
		{"tracer": "muxTracer", "tracerConfig": map[string]any{"callTracer": nil, "flatCallTracer": nil}},
	} {
		tracer["timeout"] = "1m"
		requests = append(requests,
			request{"debug_traceTransaction", []any{hash, tracer}},
			request{"debug_traceCall", []any{call, "latest", tracer}},
			request{"debug_traceBlockByNumber", []any{"latest", tracer}},
		)
	}
	for _, r := range requests {
		before, began := allocated(), time.Now()
		result, failure := n.Try(r.method, r.params...)
		cost := allocated() - before
		t.Logf("%-32s %9d bytes for %9d in %s", r.method, cost, len(result), time.Since(began).Round(time.Millisecond))
		require.Less(t, cost, uint64(maxCost), "%s%v", r.method, r.params)
		if failure != nil {
			require.Contains(t, failure.Message, "the limit is 67108864 bytes", "%s%v", r.method, r.params)
		}
	}
	require.NotEmpty(t, servertest.Fetch[json.RawMessage](n, "debug_traceTransaction", hash, map[string]any{"tracer": "callTracer"}), "calls are encoded once")
}

// Ensure the same of calls and simulations, which keep logs, transfers or accessed slots as they run: this code makes
// logs, reads new slots and sends a wei until little of its gas is left.
func TestCostlyCalls(t *testing.T) {
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	self, from := common.HexToAddress("0x5e1f"), fixtures.Dev(0).Address
	// Again: LOG0 of 64 bytes, SLOAD of a new slot, CALL of address 0 with 1 wei.
	code := common.FromHex("0x5b60405fa05a54505f5f5f5f60015f5af1505a61ffff105f57")
	require.NoError(t, n.Timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithCode(self, code).WithBalance(self, uint256.NewInt(1e18))
	}))
	call := map[string]any{"from": from, "to": self, "value": "0x1", "gas": "0xf42400"}
	blocks := map[string]any{"traceTransfers": true, "returnFullTransactions": true, "blockStateCalls": []any{
		map[string]any{"calls": []any{call}},
	}}
	for _, r := range []struct {
		method string
		params []any
	}{
		{"eth_call", []any{call, "latest"}},
		{"eth_estimateGas", []any{call}},
		{"eth_createAccessList", []any{call}},
		{"eth_fillTransaction", []any{call}},
		{"eth_simulateV1", []any{blocks, "latest"}},
		{"debug_traceCall", []any{call, "latest", map[string]any{"tracer": "callTracer", "tracerConfig": map[string]any{"withLog": true}}}},
		{"trace_call", []any{call, []any{"trace", "stateDiff"}}},
		{"eth_sendTransaction", []any{call}},
	} {
		before, began := allocated(), time.Now()
		result, failure := n.Try(r.method, r.params...)
		cost := allocated() - before
		t.Logf("%-24s %9d bytes for %9d in %s: %v", r.method, cost, len(result), time.Since(began).Round(time.Millisecond), failure)
		require.Less(t, cost, uint64(maxCost), r.method)
		if r.method == "eth_createAccessList" {
			require.Equal(t, "the access list still grows after 32 executions: what the call touches depends on the gas it has left", failure.Message)
		}
	}
}

// allocated returns how many bytes the process has allocated so far.
func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}
