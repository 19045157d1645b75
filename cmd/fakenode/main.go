// Command fakenode runs a local chain node with pre-confirmations, a payment token, and reorgs, time and failures on
// command. It only reads flags, prints a banner and handles signals; package fakenode is the node.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"
)

// gcPercent is how much the heap may grow, in percent of what is in use, before the garbage collector runs. A young node
// uses so little memory that with Go's default of 100 the collector would run many times a second.
const gcPercent = 300

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A later signal ends the process at once. One that comes with the first does not: timeout(1) sends it to its child
	// and then to the group.
	context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, stop) })
	code := run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr)
	os.Exit(code)
}
