// Command merchant is a small back end that sells for a deferred, signed token payment: it drafts orders, stores signed
// authorizations, and captures, voids and cancels them. Package checkout is the back end; README.md shows a session.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
