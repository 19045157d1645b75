package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/examples/indexer/index"
	"github.com/fakenode/fakenode/tokencontract"
)

// Exit codes.
const (
	exitOK    = 0
	exitError = 1 // the chain, the database or the port failed
	exitUsage = 2 // a flag is wrong
)

// run is the program: it indexes and serves until ctx ends, and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	config, listen, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err != nil {
		fmt.Fprintf(stderr, "indexer: %v\n", err)
		return exitUsage
	}
	config.Logger = slog.New(slog.NewTextHandler(stderr, nil))
	if err := serve(ctx, config, listen, stdout); err != nil {
		fmt.Fprintf(stderr, "indexer: %v\n", err)
		return exitError
	}
	return exitOK
}

func parse(args []string, stderr io.Writer) (index.Config, string, error) {
	var config index.Config
	flags := flag.NewFlagSet("indexer", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&config.URL, "rpc", "http://127.0.0.1:8545", "the chain's JSON-RPC endpoint")
	flags.StringVar(&config.WebSocketURL, "ws", "", "the same over WebSocket (default the endpoint, as ws)")
	flags.StringVar(&config.Database, "db", "indexer.db", "SQLite file")
	flags.Uint64Var(&config.Start, "start", 0, "index from the block after this one; a new file only")
	flags.DurationVar(&config.Timeout, "timeout", 5*time.Second, "of one call to the chain")
	flags.DurationVar(&config.Poll, "poll", 2*time.Second, "how often to look at the chain without an event")
	token := flags.String("token", tokencontract.MainnetAddress.Hex(), "the token's address")
	listen := flags.String("listen", "127.0.0.1:8080", "address to serve on; port 0: a free one")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(stderr, "indexer keeps the transfers and balances of a token.")
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return config, "", err
	}
	if flags.NArg() > 0 {
		return config, "", fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if !common.IsHexAddress(*token) {
		return config, "", fmt.Errorf("token %q is not an address", *token)
	}
	config.Token = common.HexToAddress(*token)
	return config, *listen, nil
}

// serve indexes and answers until ctx ends or either fails. Requests that wait for a change are then answered.
func serve(ctx context.Context, config index.Config, listen string, stdout io.Writer) (err error) {
	ix, err := index.Open(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ix.Close()) }()
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ran := make(chan error, 1)
	go func() {
		err := ix.Run(ctx)
		cancel(err)
		ran <- err
	}()

	waits, endWaits := context.WithCancel(context.WithoutCancel(ctx))
	defer endWaits()
	server := &http.Server{
		Handler:     ix.Handler(),
		ReadTimeout: 5 * time.Second, // less than the grace at the end
		BaseContext: func(net.Listener) context.Context { return waits },
	}
	server.RegisterOnShutdown(endWaits)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	fmt.Fprintf(stdout, "Listening on %s\n", listener.Addr())

	select {
	case err = <-served: // it never ends by itself but in failure
	case <-ctx.Done():
		grace, end := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer end()
		err = server.Shutdown(grace)
	}
	cancel(nil)
	return errors.Join(err, <-ran)
}
