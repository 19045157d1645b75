package rpcserver

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

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// looping overrides the code of counter with an endless loop.
func looping() map[string]any {
	loop, start := program.New().Jumpdest()
	return map[string]any{counter.Hex(): map[string]any{"code": hexutil.Bytes(loop.Jump(start).Bytes())}}
}

// returning overrides the code of counter such that it returns so many bytes.
func returning(size int) map[string]any {
	code := program.New().Push(size).Push0().Op(vm.RETURN).Bytes()
	return map[string]any{counter.Hex(): map[string]any{"code": hexutil.Bytes(code)}}
}

// reverting is returning for a revert.
func reverting(size int) map[string]any {
	code := program.New().Push(size).Push0().Op(vm.REVERT).Bytes()
	return map[string]any{counter.Hex(): map[string]any{"code": hexutil.Bytes(code)}}
}

// Ensure one limit holds for the answers of all methods that make much of little: traces, simulations, batches.
func TestAnswersAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: megabytes are made for one client")
	}
	t.Parallel()
	const limit = 100_000
	n := newNetwork(t, preconf.Config{}, Config{Limits: api.Limits{MaxAnswer: limit}})
	to := map[string]any{"to": counter}
	names := []string{"100000 bytes"}
	n.refuses(api.CodeServer, names, "eth_call", to, "latest", returning(60_000))
	n.refuses(api.CodeServer, names, "eth_call", to, "latest", reverting(60_000))
	n.refuses(api.CodeServer, names, "debug_traceCall", to, "latest", map[string]any{"tracer": "callTracer", "stateOverrides": returning(60_000)})
	simulated := map[string]any{"blockStateCalls": []any{map[string]any{
		"stateOverrides": returning(20_000), "calls": []any{to, to, to, to},
	}}}
	n.refuses(api.CodeServer, names, "eth_simulateV1", simulated, "latest")
	n.do("eth_call", to, "latest", returning(20_000))

	n.log(0, "0xa", "0xb", 100)
	n.seal(1)
	n.do("eth_getLogs", map[string]any{"blockHash": n.timeline.Moment().Latest().Hash()})
	n.log(0, "0xa", "0xb", 300) // an answer has at least 438 bytes for each
	n.seal(1)
	n.refuses(api.CodeServer, names, "eth_getLogs", map[string]any{"blockHash": n.timeline.Moment().Latest().Hash()})

	steps := fetch[json.RawMessage](n, "debug_traceCall", to, "latest", map[string]any{"stateOverrides": looping(), "disableStorage": true, "limit": 50_000, "timeout": "1m"})
	require.Greater(t, len(steps), 40_000)
	require.Less(t, len(steps), limit)

	call := `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"` + counter.Hex() + `"},"latest",` + asJSON(t, returning(20_000)) + `]}`
	answer := string(n.server.Call(t.Context(), world.Main, []byte("["+strings.Repeat(call+",", 9)+call+"]")))
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
	for profile, code := range map[shape.Profile]int{shape.Spec: api.CodeUnavailable, shape.Geth: api.CodeServer} {
		n := newNetwork(t, preconf.Config{}, Config{Main: &Network{Profile: profile}, Limits: api.Limits{CallTimeout: time.Millisecond, GasCap: 1 << 40}})
		to := map[string]any{"to": counter, "gas": hexutil.Uint64(1 << 40)}
		n.refuses(code, []string{"1ms"}, "eth_call", to, "latest", looping())
		n.fails(code, "debug_traceCall", to, "latest", map[string]any{"tracer": "callTracer", "timeout": "1ms", "stateOverrides": looping()})
		n.fails(code, "debug_traceCall", to, "latest", map[string]any{
			"tracer": "{step: function() { while (true); }, result: function() {}, fault: function() {}}", "timeout": "1ms",
		})
	}
}

// Ensure calls wait for their turn while others run, a waiting one ends when its client leaves, and cheap methods wait
// for none of them.
func TestCallsTakeTurns(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	turns := n.server.offer.Turns
	for range cap(turns) {
		turns <- struct{}{}
	}
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"` + counter.Hex() + `"}]}`)
	left, leave := context.WithCancel(t.Context())
	leave()
	require.Contains(t, string(n.server.Call(left, world.Main, body)), "request cancelled")

	answered := make(chan []byte)
	go func() { answered <- n.server.Call(t.Context(), world.Main, body) }()
	n.do("eth_blockNumber")
	n.seal(1)
	select {
	case answer := <-answered:
		require.Fail(t, "a call has run out of turn", "%s", answer)
	default:
	}
	<-turns
	require.Contains(t, string(<-answered), "result")
}
