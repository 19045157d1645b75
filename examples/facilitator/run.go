package main

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/examples/facilitator/channel"
	"github.com/fakenode/fakenode/examples/facilitator/paywall"
	"github.com/fakenode/fakenode/tokencontract"
)

// Exit codes.
const (
	exitOK    = 0
	exitError = 1 // the chain or the port failed
	exitUsage = 2 // a flag or the key is wrong
)

// keyVariable names the environment variable with the private key of the account that settles, in hex.
const keyVariable = "FACILITATOR_KEY"

// timeout ends a request whose settlement gets into no block.
const timeout = time.Minute

// run is the program: it sells until ctx ends, and returns the exit code.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("facilitator", flag.ContinueOnError)
	flags.SetOutput(stderr)
	endpoint := flags.String("rpc", "http://127.0.0.1:8545", "the chain's JSON-RPC endpoint")
	listen := flags.String("listen", "127.0.0.1:8402", "address to serve on; port 0: a free one")
	database := flags.String("db", "facilitator.db", "SQLite file: what payment channels owe")
	confirm := flags.Duration("confirm", paywall.Confirm, "how long a settlement may take until it is called pending")
	payTo := flags.String("pay-to", "", "the account that is paid (default the facilitator's)")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return exitOK
		}
		return exitUsage
	}
	key, err := crypto.HexToECDSA(strings.TrimPrefix(getenv(keyVariable), "0x"))
	if err != nil {
		fmt.Fprintf(stderr, "facilitator: %s is not a private key in hex\n", keyVariable)
		return exitUsage
	}
	if *payTo == "" {
		*payTo = crypto.PubkeyToAddress(key.PublicKey).Hex()
	}
	if !common.IsHexAddress(*payTo) {
		fmt.Fprintf(stderr, "facilitator: --pay-to %q is not an address\n", *payTo)
		return exitUsage
	}
	client, err := ethclient.DialContext(ctx, *endpoint)
	if err != nil {
		fmt.Fprintf(stderr, "facilitator: connect to the chain: %v\n", err)
		return exitError
	}
	defer client.Close()
	facilitator, err := paywall.NewFacilitator(ctx, client, key)
	if err != nil {
		fmt.Fprintf(stderr, "facilitator: %v\n", err)
		return exitError
	}
	if err := sell(ctx, facilitator, key, client, *database, *confirm, *listen, common.HexToAddress(*payTo), stdout); err != nil {
		fmt.Fprintf(stderr, "facilitator: %v\n", err)
		return exitError
	}
	return exitOK
}

// keepEvery is how often the channels are compared with the chain.
const keepEvery = time.Second

// sell opens the ledger of channels, and serves and keeps them until ctx ends.
func sell(ctx context.Context, f *paywall.Facilitator, key *ecdsa.PrivateKey, client *ethclient.Client, database string, confirm time.Duration, listen string, payTo common.Address, stdout io.Writer) error {
	genesis, err := client.HeaderByNumber(ctx, common.Big0)
	if err != nil {
		return fmt.Errorf("read genesis: %w", err)
	}
	ledger, err := channel.OpenLedger(ctx, database, f.ChainID(), genesis.Hash())
	if err != nil {
		return err
	}
	f.Remember(ledger, confirm)
	scheme := channel.NewScheme(f, key, smartwallet.FactoryAddress)
	f.Offer(channel.Name, scheme)
	till := channel.NewTill(scheme, ledger)
	ctx, stop := context.WithCancel(ctx)
	kept := make(chan struct{})
	go func() {
		channel.Keeper{Till: till, ClaimAt: uint256.NewInt(100 * quotePrice)}.Run(ctx, keepEvery)
		close(kept)
	}()
	err = serve(ctx, listen, shop(f, till, payTo), stdout)
	stop()
	<-kept
	return errors.Join(err, ledger.Close())
}

// shop returns the handler of the goods sold here, and of the facilitator for shops elsewhere.
func shop(f *paywall.Facilitator, till *channel.Till, payTo common.Address) http.Handler {
	mux := f.ServeMux()
	mux.Handle("GET /report", report(f, payTo, tokencontract.MainnetAddress))
	mux.Handle("GET /words", words(f, payTo, tokencontract.MainnetAddress))
	mux.Handle("GET /quote", quote(f, till, payTo, tokencontract.MainnetAddress))
	return mux
}

// serve answers until ctx ends.
func serve(ctx context.Context, listen string, handler http.Handler, stdout io.Writer) error {
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "selling on http://%s\n", listener.Addr())
	server := &http.Server{Handler: http.TimeoutHandler(handler, timeout, "the settlement is in no block yet"), ReadHeaderTimeout: timeout}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return server.Close()
	}
}
