package trace_test

import (
	"context"
	"encoding/json"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/eth/tracers"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure scripts that would keep the engine busy within one of its own functions, take all memory or overflow the stack
// are stopped by the limit. Without it most of these end the process. It runs alone: what other tests allocate would be
// taken for a script's.
func TestScriptLimits(t *testing.T) {
	laboratory.OneGoroutine(t)
	at := headView(t, newChain(t, chain.Options{}))
	for _, expression := range []string{
		"'x'.repeat(2e9)", "'x'.padStart(2e9)", "'x'.padEnd(2e9)", "'x'.repeat(1e6).replace(/x/g, 'x'.repeat(1e6))",
		"'x'.repeat(1e6).replace(/x/g, '$`')", "'x'.repeat(1e6).replace(/x/g, function() { return 'x'.repeat(1e6) })",
		"'x'.concat('x'.repeat(6e7), 'x'.repeat(6e7))", "'x'.repeat(5e6).split('')", "String.raw({raw: {length: 1e9}})",
		"new Array(4e9).fill(0)", "new Array(4e9).join()", "new Array(4e9).sort()", "new Array(4e9).reverse()",
		"new Array(4e9).indexOf(1)", "[].concat(new Array(4e9))", "Array.from({length: 4e9})", "[...new Array(4e9)]",
		"new Array(4e9).flat()", "new Array(4e6).fill('x'.repeat(1e6)).join('')", "new Array(4e9).toLocaleString()",
		"Math.max.apply(null, {length: 1e9})", "Reflect.apply(Math.max, null, {length: 1e9})",
		"new ArrayBuffer(1e12)", "new Uint8Array(1e12)", "new (toWord('0x1').constructor)(1e12)", "Uint8Array.from({length: 1e12})",
		"toHex(new Array(4e9))", "db.getBalance(new Array(4e9))",
		"JSON.parse('['.repeat(4e6))", "eval('('.repeat(4e6))", "Function('('.repeat(4e6))", "new RegExp('('.repeat(4e6))",
		"(function() { var a = {}; a.a = a; return JSON.stringify(a) })()", "(function() { var a = {}; a.a = a; return a })()",
		"(function f() { return [1].map(f) })()",
	} {
		_, err := trace.Call(t.Context(), at, simulate.Call{To: &caller}, nil, nil, trace.Config{Tracer: object(expression), Timeout: time.Hour})
		require.ErrorContains(t, err, "the limit of a tracer is", expression)
	}
	_, err := trace.Call(t.Context(), at, simulate.Call{To: &caller}, nil, nil, trace.Config{Tracer: strings.Repeat("(", 5_000_000)})
	require.ErrorContains(t, err, "it has 5000000 bytes, the limit is 65536")
}

// Ensure a tracer within the limits has the result that it has in go-ethereum.
func TestScriptsAsInGoEthereum(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	for _, expression := range []string{
		"[3, 1, [2, [4]]].flat()", "[3, 1, [2, [4]]].flat(Infinity)", "[[1], , [2]].flat().length", "[10, 9, undefined, 'b', 1].sort()",
		"[10, 9, 1].sort(function(a, b) { return a - b })", "[1, null, undefined, [2, 3], 'x'].join('-')", "[1, 2].join()",
		"String([1, [2, [3]]])", "[1].concat([2], 3, [[4]])", "[1, 2, 3].map(function(v) { return v * 2 }).reverse()",
		"'a1b2'.replace(/\\d/g, '<$&>')", "'a1b2'.replace(/\\d/, function(d) { return d + d })",
		"'a,b,,c'.split(',')", "'a1b2'.split(/\\d/)", "'abc'.match(/b/).index", "'aba'.match(/a/g)", "'ab'.repeat(3).padStart(9, '.')",
		"String.raw`a${1}b`", "'a'.concat('b', 1)", "[...'ab', ...[1, 2]]", "Array.from('abc')", "Math.max.apply(null, [1, 3, 2])",
		"toHex([1, 2]) + toHex(new Uint8Array([3]))", "toHex(toWord('0x1'))", "toHex(toAddress('0x1').slice(18))",
		"toHex(slice(toWord('0x1'), 30, 32))", "db.getBalance(toAddress('0xc1')).toString(16)", "isPrecompiled(toAddress('0x1'))",
		"new Uint8Array(2)", "new Uint8Array(2) instanceof Uint8Array", "Array.from(new Uint8Array([1, 2])).join()",
		"new Function('a', 'return a + 1')(1)", "eval('1 + 1')", "new RegExp('b').test('abc')", "/b/ instanceof RegExp",
		"JSON.parse('{\"a\": [1]}')", "JSON.stringify({a: [1, {b: null}]})", "{length: 5e9}", "bigInt('12345678901234567890').times(3)",
		"undefined", "null", "'\\u2028\\ud800'", "context.type", "Object.keys({a: 1, b: 2})", "[].push.length + [].push.name",
		"x.y", "(function() { throw new Error('no') })()", "toHex(1)", "slice(toWord('0x1'), 3, 99)",
	} {
		source := object(expression)
		plain, err := tracers.DefaultDirectory.New(source, nil, nil, params.TestChainConfig)
		require.NoError(t, err)
		want, wantErr := runIn(t, plain, at)
		have, err := trace.Call(t.Context(), at, simulate.Call{To: &caller}, nil, nil, trace.Config{Tracer: source, Timeout: time.Hour})
		if wantErr != nil {
			message, _, _ := strings.Cut(wantErr.Error(), " at ") // the place may be one of ours
			require.ErrorContains(t, err, message, expression)
			continue
		}
		require.NoError(t, err, expression)
		require.Equal(t, string(want), string(have), expression)
	}
	for _, source := range []string{"3", "x.y", "unknown_name", "{result: function() {}}", "{fault: function() {}}",
		"{result: function() {}, fault: function() {}, enter: function() {}}",
		"{setup: function() { throw new Error('no') }, result: function() {}, fault: function() {}}"} {
		_, want := tracers.DefaultDirectory.New(source, nil, nil, params.TestChainConfig)
		_, have := trace.Call(t.Context(), at, simulate.Call{To: &caller}, nil, nil, trace.Config{Tracer: source, Timeout: time.Hour})
		require.EqualError(t, have, want.Error(), source)
	}
}

// Ensure the functions of a tracer are called as often as go-ethereum calls them.
func TestScriptCalls(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	count := func(name string) string {
		return name + ": function() { this.n." + name + " = (this.n." + name + " || 0) + 1 },"
	}
	for _, functions := range []string{"", count("step"), count("enter") + count("exit"), count("step") + count("enter") + count("exit")} {
		source := "{n: {}," + functions + count("fault") + "setup: function(config) { this.n.config = config }, result: function() { return this.n }}"
		plain, err := tracers.DefaultDirectory.New(source, nil, json.RawMessage(`{"a":1}`), params.TestChainConfig)
		require.NoError(t, err)
		want, err := runIn(t, plain, at)
		require.NoError(t, err)
		have, err := trace.Call(t.Context(), at, simulate.Call{To: &caller}, nil, nil, trace.Config{
			Tracer: source, TracerConfig: json.RawMessage(`{"a":1}`), Timeout: time.Hour,
		})
		require.NoError(t, err)
		require.JSONEq(t, string(want), string(have), source)
	}
}

// runIn executes a call of caller under go-ethereum's own tracer.
func runIn(t *testing.T, tracer *tracers.Tracer, at chain.View) (json.RawMessage, error) {
	t.Helper()
	return trace.CallUnder(t.Context(), at, simulate.Call{To: &caller}, tracer)
}

// Ensure memory that is in use is noticed, and that no more is done once the tracer has ended.
func TestWatchMemory(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	runtime.GC() // garbage of before does not hide what is kept
	watched, watch := make(chan struct{}), trace.WatchMemory(ctx, cancel, 64<<20)
	go func() { watch(); close(watched) }()
	var kept [][]byte
	for len(kept) < 1000 && ctx.Err() == nil {
		kept = append(kept, make([]byte, 1<<20))
	}
	<-watched
	require.ErrorIs(t, context.Cause(ctx), trace.ErrMemory)
	require.NotEmpty(t, kept)

	ctx, cancel = context.WithCancelCause(t.Context())
	cancel(nil)
	trace.WatchMemory(ctx, cancel, 1<<40)()
	require.ErrorIs(t, context.Cause(ctx), context.Canceled)
}

// Ensure memory that is in use is noticed after garbage was collected.
func TestWatchGarbage(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // only the watch collects
	ctx, cancel := context.WithCancelCause(t.Context())
	runtime.GC()
	collections := func() uint32 {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.NumGC
	}
	before, watch := collections(), trace.WatchMemory(ctx, cancel, 64<<20)
	watched := make(chan struct{})
	go func() { watch(); close(watched) }()
	var kept [][]byte
	for i := 0; i < 1000 && collections() == before; i++ {
		kept = append(kept[:0], make([]byte, 1<<20))
	}
	for len(kept) < 1000 && ctx.Err() == nil {
		kept = append(kept, make([]byte, 1<<20))
	}
	<-watched
	require.ErrorIs(t, context.Cause(ctx), trace.ErrMemory)
	require.NotEmpty(t, kept)
}

// Ensure stacks that grow too much are noticed.
func TestWatchStack(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	watched, watch := make(chan struct{}), trace.WatchStack(ctx, cancel, 16<<20)
	go func() { watch(); close(watched) }()
	var deep func(left int) byte
	deep = func(left int) byte {
		var frame [1 << 10]byte
		if left > 0 && ctx.Err() == nil {
			frame[left%len(frame)] = deep(left - 1)
		}
		return frame[0]
	}
	for ctx.Err() == nil {
		deep(100_000)
	}
	<-watched
	require.ErrorIs(t, context.Cause(ctx), trace.ErrMemory)
}

// Ensure the result of a tracer in JavaScript may be as large as the limit, and no larger.
func TestScriptResultSize(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	call := func(limit int) (json.RawMessage, error) {
		return trace.Call(t.Context(), at, simulate.Call{To: &counter}, nil, nil, trace.Config{Tracer: object("'abcd'"), MaxResult: limit})
	}
	raw, err := call(6)
	require.NoError(t, err)
	require.Equal(t, `"abcd"`, string(raw))
	_, err = call(5)
	require.Equal(t, &trace.SizeError{Limit: 5}, err)
	raw, err = call(0)
	require.NoError(t, err, "no limit")
	require.Equal(t, `"abcd"`, string(raw))
}

// Ensure a source may have 64 KiB, and no byte more.
func TestScriptSourceSize(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	call := func(size int) error {
		source := object("1")
		_, err := trace.Call(t.Context(), at, simulate.Call{To: &counter}, nil, nil, trace.Config{Tracer: source + strings.Repeat(" ", size-len(source))})
		return err
	}
	require.NoError(t, call(64<<10))
	require.EqualError(t, call(64<<10+1), "the tracer is too long: it has 65537 bytes, the limit is 65536")
}
