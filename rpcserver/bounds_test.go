package rpcserver_test

import (
	"context"
	"encoding/json"
	"math/big"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// looping overrides the code of counter with an endless loop.
func looping() map[string]any {
	loop, start := program.New().Jumpdest()
	return map[string]any{servertest.Counter.Hex(): map[string]any{"code": hexutil.Bytes(loop.Jump(start).Bytes())}}
}

// returning overrides the code of counter with code that returns so many bytes.
func returning(size int) map[string]any {
	code := program.New().Push(size).Push0().Op(vm.RETURN).Bytes()
	return map[string]any{servertest.Counter.Hex(): map[string]any{"code": hexutil.Bytes(code)}}
}

// reverting is returning for a revert.
func reverting(size int) map[string]any {
	code := program.New().Push(size).Push0().Op(vm.REVERT).Bytes()
	return map[string]any{servertest.Counter.Hex(): map[string]any{"code": hexutil.Bytes(code)}}
}

// Ensure one limit holds for all methods with short parameters and long answers: traces, simulations, batches.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	const limit = 100_000
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{MaxAnswer: limit}})
	to := map[string]any{"to": servertest.Counter}
	names := []string{"100000 bytes"}
	n.Refuses(api.CodeServer, names, "eth_call", to, "latest", returning(60_000))
	n.Refuses(api.CodeServer, names, "eth_call", to, "latest", reverting(60_000))
	n.Refuses(api.CodeServer, names, "debug_traceCall", to, "latest", map[string]any{"tracer": "callTracer", "stateOverrides": returning(60_000)})
	simulated := map[string]any{"blockStateCalls": []any{map[string]any{
		"stateOverrides": returning(20_000), "calls": []any{to, to, to, to},
	}}}
	n.Refuses(api.CodeServer, names, "eth_simulateV1", simulated, "latest")
	n.Do("eth_call", to, "latest", returning(20_000))

	n.Logs(0, "0xa", "0xb", 100)
	n.Seal(1)
	n.Do("eth_getLogs", map[string]any{"blockHash": n.Timeline.Moment().Latest().Hash()})
	n.Logs(0, "0xa", "0xb", 300) // an answer has at least 438 bytes for each
	n.Seal(1)
	n.Refuses(api.CodeServer, names, "eth_getLogs", map[string]any{"blockHash": n.Timeline.Moment().Latest().Hash()})

	steps := servertest.Fetch[json.RawMessage](n, "debug_traceCall", to, "latest", map[string]any{"stateOverrides": looping(), "disableStorage": true, "limit": 50_000, "timeout": "1m"})
	require.Greater(t, len(steps), 40_000)
	require.Less(t, len(steps), limit)

	call := `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"` + servertest.Counter.Hex() + `"},"latest",` + asJSON(t, returning(20_000)) + `]}`
	answer := string(n.Server.Call(t.Context(), world.Main, []byte("["+strings.Repeat(call+",", 9)+call+"]")))
	require.Less(t, len(answer), limit+10*200)
	require.Equal(t, 2, strings.Count(answer, `"result"`))
	require.Equal(t, 8, strings.Count(answer, "the limit is 100000 bytes"))
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// Ensure calls and traces that run too long are answered with the code the contract has for it.
func TestTimeoutCode(t *testing.T) {
	t.Parallel()
	for profile, code := range map[api.Behaviour]int{{}: api.CodeUnavailable, persona.Geth.Wire: api.CodeServer} {
		n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: profile}, Limits: api.Limits{CallTimeout: time.Millisecond, GasCap: 1 << 40}})
		to := map[string]any{"to": servertest.Counter, "gas": hexutil.Uint64(1 << 40)}
		for _, method := range []string{"eth_call", "eth_createAccessList"} {
			n.Refuses(code, []string{"1ms"}, method, to, "latest", looping())
		}
		n.Refuses(code, []string{"1ms"}, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{
			"stateOverrides": looping(), "blockOverrides": map[string]any{"gasLimit": hexutil.Uint64(1 << 40)}, "calls": []any{to},
		}}}, "latest")
		n.Fails(code, "debug_traceCall", to, "latest", map[string]any{"tracer": "callTracer", "timeout": "1ms", "stateOverrides": looping()})
		n.Fails(code, "debug_traceCall", to, "latest", map[string]any{
			"tracer": "{step: function() { while (true); }, result: function() {}, fault: function() {}}", "timeout": "1ms",
		})
	}
}

// Ensure calls wait for their turn while others run, a waiting one ends when its client leaves, and cheap methods do
// not wait.
func TestCallsTakeTurns(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	turns := n.Server.Turns()
	for range cap(turns) {
		turns <- struct{}{}
	}
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"` + servertest.Counter.Hex() + `"}]}`)
	left, leave := context.WithCancel(t.Context())
	leave()
	require.Contains(t, string(n.Server.Call(left, world.Main, body)), "request cancelled")
	dump := []byte(`{"jsonrpc":"2.0","id":1,"method":"anvil_dumpState"}`)
	require.Contains(t, string(n.Server.Call(left, world.Main, dump)), "request cancelled")

	answered := make(chan []byte)
	go func() { answered <- n.Server.Call(t.Context(), world.Main, body) }()
	go func() { answered <- n.Server.Call(t.Context(), world.Main, dump) }()
	n.Do("eth_blockNumber")
	n.Seal(1)
	select {
	case answer := <-answered:
		require.Fail(t, "a call has run out of turn", "%s", answer)
	default:
	}
	<-turns
	require.Contains(t, string(<-answered), "result")
	require.Contains(t, string(<-answered), "result")
}

// Ensure a call that takes long does not delay the next request on its WebSocket, and ends when the client leaves.
func TestLongCallsLetOthersPass(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{
		Limits: api.Limits{GasCap: 1 << 50, CallTimeout: time.Hour},
		Log:    errorsFail(t),
	})
	spin := map[string]any{"to": servertest.Spinner}
	endless := map[string]any{"blockOverrides": map[string]any{"gasLimit": hexutil.Uint64(1 << 50)}, "calls": []any{spin}}
	// A tracer that runs at each step makes the trace of a transaction last for minutes.
	slow := map[string]any{
		"timeout": "5m",
		"tracer":  "{step: function() {for (var i = 0; i < 1e6; i++) {}}, fault: function() {}, result: function() {return 0}}",
	}
	tx := n.Transact(0, &servertest.Spinner, new(big.Int), []byte{1})
	n.Seal(1)
	raw := servertest.Fetch[string](n, "debug_getRawBlock", "latest")
	// Not eth_estimateGas: Osaka bounds the gas of a transaction, so it soon ends.
	for method, params := range map[string][]any{
		"eth_call":                 {spin, "latest"},
		"eth_createAccessList":     {spin, "latest"},
		"eth_simulateV1":           {map[string]any{"blockStateCalls": []any{endless}}, "latest"},
		"debug_traceCall":          {spin, "latest", slow},
		"debug_traceTransaction":   {tx.Hash(), slow},
		"debug_traceBlock":         {raw, slow},
		"debug_traceBlockByNumber": {"latest", slow},
		"debug_traceBlockByHash":   {n.Timeline.Moment().Latest().Hash(), slow},
		"trace_call":               {spin, []any{"trace"}, "latest"},
	} {
		s := n.Socket()
		s.Last++
		require.NoError(t, s.Conn.WriteJSON(map[string]any{"jsonrpc": "2.0", "id": s.Last, "method": method, "params": params}))
		answer, before := s.Ask("eth_blockNumber")
		require.Nil(t, answer.Error, method)
		require.Empty(t, before, "%s ended before the request behind it", method)
		require.NoError(t, s.Conn.Close())
		calls, err := n.Server.Network(world.Main).Endpoint.WaitForCalls(t.Context(), 0, method, 1)
		require.NoError(t, err)
		require.Contains(t, calls[0].Message, "request cancelled", method)
	}
}

// maxCost is the memory, in bytes, that a request may allocate, the garbage included.
const maxCost = 512 << 20

// Ensure no method that shows what a transaction did needs more than its limit, whatever the transaction did: this one
// calls itself as deep as its gas allows, again and again. The test counts all memory that is allocated, so it does not
// run in parallel with others.
func TestCostlyMethods(t *testing.T) {
	laboratory.OneGoroutine(t)
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
