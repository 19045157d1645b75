// Command fakenode runs a local chain node with pre-confirmations, a payment token, and reorgs, time and
// failures on command. It only reads flags, prints a banner and handles signals; package fakenode is the
// node.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr)
	os.Exit(code)
}
