// Command indexer keeps the transfers and balances of a token in SQLite and serves them over HTTP, through reorgs, lost
// pre-confirmations and restarts. Package index is the indexer; README.md shows a session.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
