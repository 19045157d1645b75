package trace_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/test/laboratory"
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
		require.ErrorIs(t, within(50*time.Millisecond, source), trace.ErrTimeout, name)
		trace.WaitForScripts()
	}
	config, err := json.Marshal(map[string]any{"(function() { while (true); })()": nil})
	require.NoError(t, err)
	mux := trace.Config{Tracer: "muxTracer", TracerConfig: config, Timeout: 50 * time.Millisecond}
	_, err = trace.Call(t.Context(), at, simulate.Call{To: &counter}, nil, nil, mux)
	require.ErrorIs(t, err, trace.ErrTimeout)
	trace.WaitForScripts()

	// A regular expression that would go back and forth for centuries; the lookahead keeps it from Go's own engine.
	backtracking := object("/^(a+)+(?=b)$/.test('" + strings.Repeat("a", 64) + "')")
	defer func(usual time.Duration) { regexp2.DefaultMatchTimeout = usual }(regexp2.DefaultMatchTimeout)
	regexp2.DefaultMatchTimeout = 2 * time.Second
	require.ErrorIs(t, within(500*time.Millisecond, backtracking), trace.ErrTimeout)
	trace.WaitForScripts()

	end := trace.Abandon()
	require.ErrorIs(t, within(time.Hour, object("1")), trace.ErrScripts)
	require.NoError(t, within(time.Hour, "callTracer"), "tracers in Go are not concerned")
	end()
	require.NoError(t, within(time.Hour, object("1")), "they have given up")
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

// selfCalling calls itself as deep as its gas allows, again and again.
var selfCalling = common.FromHex("0x5b5f5f5f5f5f305af1505f56")

// Ensure the tracers in Go end by their size long before code that calls itself does, as a part of a muxTracer, too.
func TestTracersEndBySize(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	gas := uint64(50_000_000)
	hashes := program.New().Push(1).Push0().Op(vm.MLOAD, vm.ADD, vm.DUP1).Push0().Op(vm.MSTORE).Push(4096).Push0().Op(vm.KECCAK256, vm.POP)
	loop := append(append([]byte{byte(vm.JUMPDEST)}, hashes.Bytes()...), byte(vm.PUSH0), byte(vm.JUMP))
	call := func(code []byte, config trace.Config) error {
		config.Timeout, config.MaxResult = time.Hour, 1<<20
		_, err := trace.Call(t.Context(), at, simulate.Call{To: &counter, Gas: &gas}, simulate.StateOverrides{counter: {Code: &code}}, nil, config)
		return err
	}
	var tooLarge *trace.SizeError
	for tracer, code := range map[string][]byte{
		"callTracer": selfCalling, "flatCallTracer": selfCalling, "erc7562Tracer": selfCalling, "keccak256PreimageTracer": loop,
	} {
		require.ErrorAs(t, call(code, trace.Config{Tracer: tracer}), &tooLarge, tracer)
		require.Equal(t, 1<<20, tooLarge.Limit, tracer)
		mux := json.RawMessage(`{"noopTracer":null,"` + tracer + `":null}`)
		require.ErrorAs(t, call(code, trace.Config{Tracer: "muxTracer", TracerConfig: mux}), &tooLarge, tracer)
	}
}

// Ensure prestateTracer counts the code of each account once.
func TestPrestateEndsBySize(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	code, large := program.New(), make([]byte, 20_000)
	overrides := simulate.StateOverrides{}
	for i := range 8 {
		account := common.BigToAddress(big.NewInt(int64(0xcccc00 + i)))
		overrides[account] = simulate.AccountOverride{Code: &large}
		for range 4 {
			code.Push(account).Op(vm.EXTCODESIZE, vm.POP)
		}
	}
	look := code.Bytes()
	overrides[counter] = simulate.AccountOverride{Code: &look}
	call := func(limit int, config string) error {
		traced := trace.Config{Tracer: "prestateTracer", TracerConfig: json.RawMessage(config), MaxResult: limit}
		_, err := trace.Call(t.Context(), at, simulate.Call{To: &counter}, overrides, nil, traced)
		return err
	}
	require.NoError(t, call(340_000, "{}"))
	require.ErrorAs(t, call(310_000, "{}"), new(*trace.SizeError))
	require.ErrorAs(t, call(310_000, `{"diffMode":true}`), new(*trace.SizeError), "held until the end, though not in the result")
	for _, underflows := range [][]byte{{byte(vm.EXTCODESIZE)}, {byte(vm.PUSH0), byte(vm.STATICCALL)}} {
		overrides[counter] = simulate.AccountOverride{Code: &underflows}
		require.NoError(t, call(310_000, "{}"))
	}
}

// Ensure frames and trees end by their size, those of several messages together.
func TestFramesEndBySize(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	loop := program.New().Op(vm.JUMPDEST).StaticCall(nil, common.Address{0xee}, 0, 32_768, 0, 0).Op(vm.POP, vm.PUSH0, vm.JUMP)
	at.State = at.State.WithCode(counter, selfCalling).WithCode(caller, loop.Bytes())
	gas := uint64(50_000_000)
	calls := []simulate.Call{{To: &counter, Gas: &gas}}
	var tooLarge *trace.SizeError
	_, err := trace.FlatCalls(t.Context(), at, calls, []trace.FlatConfig{{MaxResult: 1 << 20}})
	require.ErrorAs(t, err, &tooLarge)
	require.Equal(t, 1<<20, tooLarge.Limit)
	_, err = trace.TreeCall(t.Context(), at, simulate.Call{To: &caller, Gas: &gas}, nil, nil, gas)
	require.ErrorAs(t, err, &tooLarge)
	require.Equal(t, trace.MaxSize, tooLarge.Limit)

	plain, limit := simulate.Call{To: &sender, Data: make([]byte, 1000)}, trace.FlatConfig{MaxResult: 6000}
	_, err = trace.FlatCalls(t.Context(), at, []simulate.Call{plain, plain}, []trace.FlatConfig{limit, limit})
	require.NoError(t, err)
	_, err = trace.FlatCalls(t.Context(), at, []simulate.Call{plain, plain, plain}, []trace.FlatConfig{limit, limit, limit})
	require.ErrorAs(t, err, &tooLarge)
	require.Equal(t, 6000, tooLarge.Limit)
}

// Ensure each of go-ethereum's tracers ends by its time: one of them cannot be stopped, and does not end the process.
func TestTracersEndByTime(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	for _, tracer := range []string{"", "4byteTracer", "callTracer", "flatCallTracer", "erc7562Tracer", "keccak256PreimageTracer", "noopTracer", "prestateTracer"} {
		_, err := trace.Call(t.Context(), at, simulate.Call{To: &endless}, nil, nil, trace.Config{Tracer: tracer, Timeout: time.Millisecond, GasCap: 1 << 50})
		require.ErrorIs(t, err, trace.ErrTimeout, tracer)
	}
}

// Ensure a trace without a limit of its own ends with the default one, and is whole JSON.
func TestStructLogsEnd(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}, &caller, &caller))
	gas := uint64(40_000_000)
	result, err := trace.Call(t.Context(), at, simulate.Call{To: &endless, Gas: &gas}, nil, nil, trace.Config{Timeout: time.Hour})
	require.NoError(t, err)
	require.Less(t, len(result), trace.MaxStructLogs+1<<20)
	require.True(t, json.Valid(result))
}

// Ensure calls deep within one another, which erc7562Tracer would encode for longer than they took, are rejected while
// they run, and a few are traced.
func TestDeepCallsOfOperations(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	calls := hexutil.MustDecode("0x5b5f5f5f5f5f305af1505f56") // calls itself with all gas, again and again
	code := simulate.StateOverrides{counter: {Code: &calls}}
	within := func(gas uint64, input []byte) error {
		_, err := trace.Call(t.Context(), at, simulate.Call{To: &counter, Gas: &gas, Data: input}, code, nil, trace.Config{Tracer: "erc7562Tracer"})
		return err
	}
	var tooLarge *trace.SizeError
	require.ErrorAs(t, within(1_000_000, nil), &tooLarge)
	require.NoError(t, within(30_000, make([]byte, 100)))
}
