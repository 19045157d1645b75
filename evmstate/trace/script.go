package trace

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"
)

const (
	// interruptGrace is how long a tracer in JavaScript may take to end once it has been interrupted.
	interruptGrace = 100 * time.Millisecond
	// maxAbandoned is how many tracers in JavaScript may go on after nobody waits for them any more.
	maxAbandoned = 2
)

// ErrScripts is returned if too many tracers in JavaScript that ran out of time cannot be stopped and still run.
var ErrScripts = errors.New("tracers in JavaScript that could not be stopped are still running: no further one is started")

// abandoned counts the tracers in JavaScript that still run though nobody waits for them.
var abandoned atomic.Int32

func (c *Config) isScript() bool {
	if c.Tracer == muxTracer {
		parts, _ := c.parts() // making the tracer returns the error
		for name, config := range parts {
			if c.part(name, config).isScript() {
				return true
			}
		}
		return false
	}
	return c.Tracer != "" && directory != nil && directory.IsScript(c.Tracer)
}

// outcome holds the results of a supervised function.
type outcome[T any] struct {
	value T
	err   error
}

// supervise calls f, which runs the tracer, and waits for one in JavaScript at most until ctx ends and a little longer.
// A tracer that is within one long call of the engine, such as matching a regular expression, is abandoned. The error
// is f's, that of a panic, ErrScripts, ErrMemory, or the cause of the end of ctx.
func supervise[T any](ctx context.Context, c *Config, f func(ctx context.Context) (T, error)) (T, error) {
	if !c.isScript() {
		return guard(c, func() (T, error) { return f(ctx) })
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go watchMemory(ctx, cancel, memoryNow(), maxGrowth)
	var none T
	if abandoned.Load() >= maxAbandoned {
		return none, ErrScripts
	}
	done := make(chan outcome[T], 1)
	left := new(atomic.Bool)
	go func() {
		var o outcome[T]
		o.value, o.err = guard(c, func() (T, error) { return f(ctx) })
		done <- o
		if !left.CompareAndSwap(false, true) {
			abandoned.Add(-1)
		}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
	}
	grace := time.NewTimer(interruptGrace)
	defer grace.Stop()
	select {
	case o := <-done:
		return o.value, o.err
	case <-grace.C:
	}
	abandoned.Add(1)
	if !left.CompareAndSwap(false, true) { // it has ended just now
		abandoned.Add(-1)
	}
	return none, context.Cause(ctx)
}

// maxSource is the size in bytes of a tracer in JavaScript. The engine reads nested code by recursion, and a stack that
// overflows ends the process.
const maxSource = 64 << 10

// sandbox is the JavaScript that bounds what one instruction of a tracer can do. It is a function of the source.
//
//go:embed sandbox.js
var sandbox string

// isSource reports whether the name of a tracer is its source in JavaScript. A single word is the name of one that
// go-ethereum has or knows nothing of.
func isSource(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// exposed lists the functions of the object that the source evaluates to.
type exposed struct {
	Result, Fault, Step, Enter, Exit bool
}

// check returns the error of go-ethereum for a missing function.
func (e *exposed) check() error {
	switch {
	case !e.Result:
		return errors.New("trace object must expose a function result()")
	case !e.Fault:
		return errors.New("trace object must expose a function fault()")
	case e.Enter != e.Exit:
		return errors.New("trace object must expose either both or none of enter() and exit()")
	default:
		return nil
	}
}

// newScript returns the tracer of a source in JavaScript. The end of ctx interrupts it, also while the source is
// evaluated and during its setup: go-ethereum cannot interrupt a tracer that it still builds, so it builds the sandbox,
// whose first result runs both.
func newScript(ctx context.Context, source string, about *About, config json.RawMessage, chain *params.ChainConfig) (*Tracer, error) {
	if len(source) > maxSource {
		return nil, fmt.Errorf("the tracer is too long: it has %d bytes, the limit is %d", len(source), maxSource)
	}
	quoted, err := json.Marshal(source)
	if err != nil {
		return nil, err
	}
	t, err := directory.New(sandbox+"("+string(quoted)+")", about, config, chain)
	if err != nil {
		return nil, err
	}
	// A tracer may be busy while the EVM waits for it, and again while it computes its result.
	context.AfterFunc(ctx, func() { t.Stop(context.Cause(ctx)) })
	raw, err := t.GetResult()
	if err != nil {
		return nil, errors.New(strings.TrimSuffix(err.Error(), "    in server-side tracer function 'result'"))
	}
	var has exposed
	if err := json.Unmarshal(raw, &has); err != nil {
		return nil, err
	}
	if err := has.check(); err != nil {
		return nil, err
	}
	hooks := *t.Hooks
	if !has.Step {
		hooks.OnOpcode = nil
	}
	if !has.Enter { // the tracer learns only of the first call
		enter, exit := hooks.OnEnter, hooks.OnExit
		hooks.OnEnter = func(depth int, typ byte, from, to common.Address, input []byte, gas uint64, value *big.Int) {
			if depth == 0 {
				enter(depth, typ, from, to, input, gas, value)
			}
		}
		hooks.OnExit = func(depth int, output []byte, gasUsed uint64, err error, reverted bool) {
			if depth == 0 {
				exit(depth, output, gasUsed, err, reverted)
			}
		}
	}
	return &Tracer{Hooks: &hooks, GetResult: t.GetResult, Stop: t.Stop}, nil
}

// ErrMemory is returned for a tracer in JavaScript during which the memory of the process grows too much.
var ErrMemory = errors.New("the tracer needs too much memory: the process has 256 MiB more of it, or stacks of 64 MiB more")

// memoryPause is the time between two looks at the memory. The engine needs longer for a quarter of a GiB.
const memoryPause = 2 * time.Millisecond

// maxGrowth is the most by which the process may grow while a tracer in JavaScript runs. A stack of 512 MiB that grows
// ends the process.
var maxGrowth = memory{heap: 256 << 20, stack: 64 << 20}

type memory struct{ heap, stack uint64 }

// memoryNow returns the memory of the process, garbage included.
func memoryNow() memory {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(sample)
	return memory{heap: sample[0].Value.Uint64(), stack: sample[1].Value.Uint64()}
}

// watchMemory cancels with ErrMemory if the memory of the process grows by more than most, from what it was when it
// began, before ctx ends. The engine can neither bound nor count what a script allocates.
func watchMemory(ctx context.Context, cancel context.CancelCauseFunc, began, most memory) {
	allowed := began.heap + most.heap
	ticks := time.NewTicker(memoryPause)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		now := memoryNow()
		if now.stack > began.stack+most.stack {
			cancel(ErrMemory)
			return
		}
		if now.heap <= allowed {
			continue
		}
		runtime.GC()
		if now = memoryNow(); now.heap > began.heap+most.heap {
			cancel(ErrMemory)
			return
		}
		allowed = now.heap + most.heap // the garbage was collected
	}
}

// guard calls f, and returns an error if the tracer that f runs panics. Some of go-ethereum's tracers do for invalid
// code: they read the arguments of a call before the EVM has checked that they are on the stack.
func guard[T any](c *Config, f func() (T, error)) (value T, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("tracer %.100s panicked: %v", cmp.Or(c.Tracer, "structLogger"), cause)
		}
	}()
	return f()
}
