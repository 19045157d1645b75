// Command fakenode runs a local chain node with pre-confirmations, a payment token, and reorgs, time and failures on
// command. It only reads flags, prints a banner and handles signals; package fakenode is the node.
package main

import (
	"context"
	"os"
	"os/signal"
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
	code := run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr)
	os.Exit(code)
}
