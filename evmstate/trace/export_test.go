package trace

import (
	"context"
	"encoding/json"
	"runtime"

	"github.com/ethereum/go-ethereum/eth/tracers"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// WaitForScripts returns when no tracer runs any more that nobody waits for.
func WaitForScripts() {
	for abandoned.Load() > 0 {
		runtime.Gosched()
	}
}

// Abandon counts as many tracers as abandoned as keep further ones from starting, until the returned function is
// called.
func Abandon() (end func()) {
	abandoned.Add(maxAbandoned)
	return func() { abandoned.Add(-maxAbandoned) }
}

// CallUnder executes a call under a tracer of go-ethereum, unchanged.
func CallUnder(ctx context.Context, v chain.View, call simulate.Call, tracer *tracers.Tracer) (json.RawMessage, error) {
	x, err := callExecution(ctx, v, call, nil, nil, 0)
	if err != nil {
		return nil, err
	}
	m := x.machine(tracer.Hooks)
	defer m.Release()
	tracer.OnTxStart(m.EVM().GetVMContext(), x.tx, x.msg.From)
	result, logs, err := x.apply(ctx, m)
	tracer.OnTxEnd(x.receipt(result, logs), err)
	return tracer.GetResult()
}

// WatchMemory returns watchMemory for a heap that may grow by so many bytes from now on.
func WatchMemory(ctx context.Context, cancel context.CancelCauseFunc, heap uint64) func() {
	began := memoryNow()
	return func() { watchMemory(ctx, cancel, began, memory{heap: heap, stack: 1 << 30}) }
}

// WatchStack returns watchMemory for stacks that may grow by so many bytes from now on.
func WatchStack(ctx context.Context, cancel context.CancelCauseFunc, stack uint64) func() {
	began := memoryNow()
	return func() { watchMemory(ctx, cancel, began, memory{heap: 1 << 40, stack: stack}) }
}
