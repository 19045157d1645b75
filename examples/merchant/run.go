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
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/examples/merchant/checkout"
	"github.com/fakenode/fakenode/tokencontract"
)

// Exit codes.
const (
	exitOK    = 0
	exitError = 1 // the chain, the database or the port failed
	exitUsage = 2 // a flag or a variable is wrong
)

// keyVariable names the environment variable with the merchant's private key, in hex: arguments are seen by other
// users.
const keyVariable = "MERCHANT_KEY"

// maxRead is how long a request may take to arrive: less than grace, so that no slow one delays the end.
const (
	maxRead = 5 * time.Second
	grace   = 10 * time.Second
)

// run is the program: it serves until ctx ends, and returns the exit code.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	config, listen, err := parse(args, getenv, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err != nil {
		fmt.Fprintf(stderr, "merchant: %v\n", err)
		return exitUsage
	}
	config.Logger = slog.New(slog.NewTextHandler(stderr, nil))
	if err := serve(ctx, config, listen, stdout); err != nil {
		fmt.Fprintf(stderr, "merchant: %v\n", err)
		return exitError
	}
	return exitOK
}

// parse reads flags and the key.
func parse(args []string, getenv func(string) string, stderr io.Writer) (checkout.Config, string, error) {
	var config checkout.Config
	flags := flag.NewFlagSet("merchant", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&config.URL, "rpc", "http://127.0.0.1:8545", "the chain's JSON-RPC endpoint")
	flags.StringVar(&config.WebSocketURL, "ws", "", "the same over WebSocket (default the endpoint, as ws)")
	flags.StringVar(&config.Database, "db", "merchant.db", "SQLite file")
	flags.DurationVar(&config.Timeout, "timeout", 5*time.Second, "of one call to the chain")
	flags.DurationVar(&config.Poll, "poll", 15*time.Second, "how often to look at the chain without an event")
	token := flags.String("token", tokencontract.MainnetAddress.Hex(), "the payment token's address")
	listen := flags.String("listen", "127.0.0.1:8080", "address to serve on; port 0: a free one")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(stderr, "merchant sells for signed token payments. The variable %s holds its private key.\n", keyVariable)
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
	key, err := crypto.HexToECDSA(strings.TrimPrefix(getenv(keyVariable), "0x"))
	if err != nil {
		return config, "", fmt.Errorf("%s is not a private key of 32 bytes in hex", keyVariable)
	}
	config.Key = key
	return config, *listen, nil
}

// serve runs the shop until ctx ends. Requests that wait for a change are then answered.
func serve(ctx context.Context, config checkout.Config, listen string, stdout io.Writer) (err error) {
	shop, err := checkout.Open(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shop.Close()) }()
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ran := make(chan error, 1)
	go func() {
		ran <- shop.Run(ctx)
		cancel() // before its time only when another chain took the place of the shop's
	}()

	waits, endWaits := context.WithCancel(context.WithoutCancel(ctx))
	defer endWaits()
	server := &http.Server{
		Handler:     shop.Handler(),
		ReadTimeout: maxRead,
		BaseContext: func(net.Listener) context.Context { return waits },
	}
	server.RegisterOnShutdown(endWaits)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	fmt.Fprintf(stdout, "Listening on %s\nmerchant %s\n", listener.Addr(), shop.Merchant())

	select {
	case err = <-served: // it never ends by itself but in failure
	case <-ctx.Done():
		graceful, end := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer end()
		err = server.Shutdown(graceful)
	}
	cancel()
	return errors.Join(err, <-ran)
}
