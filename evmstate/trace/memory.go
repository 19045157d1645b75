package trace

import (
	"context"
	"errors"
	"runtime"
	"runtime/metrics"
	"time"
)

// ErrMemory is returned for a tracer in JavaScript during which the memory of the process grows too much.
var ErrMemory = errors.New("the tracer needs too much memory: the process has 256 MiB more of it, or stacks of 64 MiB more")

// memoryPause is the time between two looks at the memory. The engine needs longer for a quarter of a GiB.
const memoryPause = 2 * time.Millisecond

// maxGrowth is the most by which the process may grow while a tracer in JavaScript runs. A stack of 512 MiB that grows
// ends the process.
var maxGrowth = memory{heap: 256 << 20, stack: 64 << 20}

// memory is the memory of the process in bytes.
type memory struct{ heap, stack uint64 }

// memoryNow returns the memory of the process, garbage included.
func memoryNow() memory {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(sample)
	return memory{heap: sample[0].Value.Uint64(), stack: sample[1].Value.Uint64()}
}

// watchMemory cancels with ErrMemory if the memory of the process grows by more than most before ctx ends. The engine
// can neither bound nor count what a script allocates.
func watchMemory(ctx context.Context, cancel context.CancelCauseFunc, most memory) {
	began := memoryNow()
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
