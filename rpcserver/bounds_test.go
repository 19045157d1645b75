package rpcserver_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persona"
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
	for profile, code := range map[api.Behaviour]int{api.Behaviour{}: api.CodeUnavailable, persona.Geth.Wire: api.CodeServer} {
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
