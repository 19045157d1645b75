package trace_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
)

// headView returns the head with its state.
func headView(t testing.TB, c *chain.Chain) chain.View {
	t.Helper()
	state, err := c.StateAt(c.Head())
	require.NoError(t, err)
	return chain.View{Chain: c, Header: c.Head().Header(), State: state}
}

// object returns the source of a tracer whose result is an expression.
func object(expression string) string {
	return "{result: function(context, db) { return " + expression + " }, fault: function() {}}"
}

// Ensure a tracer in JavaScript that takes too long is interrupted wherever it is busy, also as a part of a muxTracer,
// and that Call does not wait for one that cannot be interrupted. This test does not run in parallel with others of the
// package: while such tracers go on, no further one is started.
func TestEndlessScripts(t *testing.T) {
	c := newChain(t, chain.Options{})
	at := headView(t, c)
	within := func(timeout time.Duration, source string) error {
		_, err := trace.Call(t.Context(), at, simulate.Call{To: &counter}, nil, nil, trace.Config{Tracer: source, Timeout: timeout})
		return err
	}
	call := func(source string) error { return within(50*time.Millisecond, source) }
	inTime := func(source string) error { return within(time.Hour, source) }
	for name, source := range map[string]string{
		"source":  "(function() { while (true); })()",
		"setup":   "{setup: function() { while (true); }, result: function() {}, fault: function() {}}",
		"step":    "{step: function() { while (true); }, result: function() {}, fault: function() {}}",
		"result":  object("(function() { while (true); })()"),
		"finally": object("(function() { try { while (true); } finally { while (true); } })()"),
		"promise": object("(function f() { Promise.resolve().then(f) })()"),
		"values":  object("(function() { var a = []; for (var i = 0; i < 60; i++) a = [a, a]; return a })()"),
		"texts":   object("(function() { var a = []; for (var i = 0; i < 60; i++) a = [a, a]; return String(a) })()"),
	} {
		require.ErrorIs(t, call(source), trace.ErrTimeout, name)
		trace.WaitForScripts()
	}
	config, err := json.Marshal(map[string]any{"(function() { while (true); })()": nil})
	require.NoError(t, err)
	mux := trace.Config{Tracer: "muxTracer", TracerConfig: config, Timeout: 50 * time.Millisecond}
	_, err = trace.Call(t.Context(), at, simulate.Call{To: &counter}, nil, nil, mux)
	require.ErrorIs(t, err, trace.ErrTimeout)
	trace.WaitForScripts()

	// Regular expressions that would go back and forth for centuries; the lookahead keeps them from Go's own engine.
	backtracking := object("/^(a+)+(?=b)$/.test('" + strings.Repeat("a", 64) + "')")
	require.ErrorIs(t, within(time.Second, backtracking), trace.ErrTimeout)
	require.ErrorIs(t, within(time.Second, backtracking), trace.ErrTimeout)
	require.ErrorIs(t, call(object("1")), trace.ErrScripts)
	require.NoError(t, inTime("callTracer"), "tracers in Go are not concerned")
	trace.WaitForScripts()
	require.NoError(t, inTime(object("1")), "they have given up")
}

// Ensure a trace larger than the limit is rejected, and the struct logger stops by itself.
func TestTraceSize(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &caller, &caller)
	at := headView(t, c)
	var tooLarge *trace.SizeError
	input := make([]byte, 1000)
	_, err := trace.Call(t.Context(), at, simulate.Call{To: &counter, Data: input}, nil, nil, trace.Config{Tracer: "callTracer", MaxResult: 2000})
	require.ErrorAs(t, err, &tooLarge)
	require.Equal(t, 2000, tooLarge.Limit)
	result, err := trace.Call(t.Context(), at, simulate.Call{To: &counter, Data: input}, nil, nil, trace.Config{Tracer: "callTracer", MaxResult: 4000})
	require.NoError(t, err)
	require.Contains(t, string(result), hexutil.Encode(input))

	one, err := trace.Transaction(t.Context(), c, c.Head(), 0, trace.Config{Tracer: "callTracer"})
	require.NoError(t, err)
	_, err = trace.Block(t.Context(), c, c.Head(), trace.Config{Tracer: "callTracer", MaxResult: 3 * len(one) / 2})
	require.ErrorAs(t, err, &tooLarge)
	require.Equal(t, 3*len(one)/2, tooLarge.Limit)

}

// Ensure a trace without a limit of its own ends with the default one, and is whole JSON.
func TestStructLogsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: a trace of 64 MiB for one client")
	}
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}, &caller, &caller))
	gas := uint64(40_000_000)
	result, err := trace.Call(t.Context(), at, simulate.Call{To: &endless, Gas: &gas}, nil, nil, trace.Config{Timeout: time.Hour})
	require.NoError(t, err)
	require.Less(t, len(result), trace.DefaultStructLogs+1<<20)
	require.True(t, json.Valid(result))
}
