// Command fakenode runs a local chain node with pre-confirmations, a payment token, and reorgs, time and failures on
// command. It only reads flags, prints a banner and handles signals; package fakenode is the node.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"syscall"
	"time"

	_ "github.com/fakenode/fakenode/tracers" // for debug_trace methods
)

func main() {
	if os.Getenv("GOGC") == "" {
		tuneCollector()
	}
	// Nobody may read the output any more, such as the process that started a detached node: the line is then lost, and
	// the node goes on.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A later signal ends the process at once. One that comes with the first does not: timeout(1) sends it to its child
	// and then to the group.
	context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, stop) })
	code := run(ctx, named(os.Args[0], os.Args[1:]), os.Environ(), os.Stdout, os.Stderr)
	os.Exit(code)
}

const (
	// youngPercent is the growth of a small heap before the garbage collector runs, in percent of the bytes in use. A
	// young node uses so little memory that with Go's default of 100 the collector would run many times a second.
	youngPercent = 300
	// oldPercent is the same for a heap of any size.
	oldPercent = 25
	// mayGrow is the growth of a heap between the two, in bytes.
	mayGrow = 128 << 20
)

// tuneCollector sets, now and after each collection, how much the heap may grow, which depends on how much of it is in
// use.
func tuneCollector() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}} // that were in use after the last collection
	metrics.Read(live)
	debug.SetGCPercent(percentFor(live[0].Value.Uint64()))
	collected := new(*int) // lives until the next collection; of a pointer type, so that it is not put beside other values
	runtime.AddCleanup(collected, func(struct{}) { tuneCollector() }, struct{}{})
}

// percentFor returns the growth of a heap before the garbage collector runs, in percent of the bytes in use.
func percentFor(inUse uint64) int {
	return int(min(max(mayGrow*100/max(inUse, 1), oldPercent), youngPercent))
}
