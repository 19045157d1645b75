// Command facilitator sells two answers over HTTP by x402, and settles the payments itself: a report at a fixed price
// (`exact`), and words at a price each up to a ceiling (`upto`). Package paywall is the lesson; README.md shows a
// session.
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
