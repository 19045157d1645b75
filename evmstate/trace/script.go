package trace

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
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

// isScript reports whether the tracer runs JavaScript.
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
	return c.Tracer != "" && directory.IsScript(c.Tracer)
}

// outcome holds the results of a supervised function.
type outcome[T any] struct {
	value T
	err   error
}

// supervise calls f, which runs the tracer, and waits for one in JavaScript at most until ctx ends and a little longer.
// A tracer that is within one long call of the engine, such as matching a regular expression, is abandoned. The error
// is f's, a *PanicError, ErrScripts, ErrMemory, or the cause of the end of ctx.
func supervise[T any](ctx context.Context, c *Config, f func(ctx context.Context) (T, error)) (T, error) {
	if !c.isScript() {
		return guard(c, func() (T, error) { return f(ctx) })
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go watchMemory(ctx, cancel, maxGrowth)
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
