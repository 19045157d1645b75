package rpcserver

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/page"
)

// What the wire knows of a call; see package jsonrpc.
type (
	// Error is an error as it goes over the wire.
	Error = jsonrpc.Error
	// Fault spoils calls of a method on purpose.
	Fault = jsonrpc.Fault
	// Call is an entry of the journal: a call that a client made, and what came of it.
	Call = jsonrpc.Call
)

// Forever as Fault.Times strikes until the faults are cleared.
const Forever = jsonrpc.Forever

// NetworkName names one of a Server's networks.
type NetworkName string

// The networks.
const (
	Main    NetworkName = "main"    // at /
	Testnet NetworkName = "testnet" // at /testnet
)

// TestnetPath is where the test network answers, over HTTP and WebSocket.
const TestnetPath = "/testnet"

// Config configures a Server. Main must be set. A Server does not change it.
type Config struct {
	// Main is the network at /.
	Main *Network
	// Testnet is the network at /testnet. Nil means that /testnet is not found.
	Testnet *Network
	// ClientVersion answers web3_clientVersion. Empty means name, platform and Go version.
	ClientVersion string

	// Limits bound what clients may ask for. They must be valid (Limits.Validate).
	Limits Limits

	// Provider is whose limits to imitate. Empty: nobody's.
	Provider Provider

	// AllowHosts are accepted as Host header, besides loopback names and IP addresses. "*" accepts any.
	AllowHosts []string
	// AllowOrigins are accepted as a browser's Origin, such as "https://app.example", besides loopback
	// and extensions. "*" accepts any.
	AllowOrigins []string
	// Disabled reports whether a method is switched off: it then answers as an unknown one does. Nil leaves all on. It is
	// asked by New only.
	Disabled func(method string) bool

	// Log gets internal errors and panics, with the request; at info the faults, at debug each call. Nil means internal
	// errors and panics alone, to slog.Default().
	Log *slog.Logger
	// Profiling serves net/http/pprof at /debug/pprof/.
	Profiling bool
}

// Server serves the API. It is an http.Handler, and has a port of its own after Listen. It is safe for
// concurrent use. Without a port and without requests it has no goroutine.
type Server struct {
	wire    *jsonrpc.Server
	metrics *metrics
	pprof   http.Handler // nil without
	main    *served
	testnet *served // nil without one
	hubs    sync.WaitGroup
}

// served is a network as it is served, with what methods need beside it.
type served struct {
	network       *Network
	endpoint      *jsonrpc.Endpoint
	streams       *streamHub
	methods       map[string]jsonrpc.Method[*request] // those that are on
	limits        Limits
	provider      *habits // nil: the node's own
	clientVersion string
	log           *slog.Logger // of what is commanded
}

// New returns a Server for config. It opens no port.
func New(config Config) *Server { return newServer(config, methods) }

// newServer is New with another method table.
func newServer(config Config, methods map[string]method) *Server {
	s := &Server{metrics: newMetrics()}
	if config.Profiling {
		s.pprof = profiles()
	}
	s.wire = jsonrpc.New(jsonrpc.Config{
		Route:        s.route,
		Limits:       config.Provider.limited(config.Limits).transport(),
		AllowHosts:   config.AllowHosts,
		AllowOrigins: config.AllowOrigins,
		Log:          config.Log,
	})
	on := make(map[string]jsonrpc.Method[*request], len(methods))
	for name, method := range methods {
		if config.Disabled == nil || !config.Disabled(name) {
			on[name] = method.serve
		}
	}
	config.Limits = config.Provider.limited(config.Limits).filled()
	config.ClientVersion = cmp.Or(config.ClientVersion, clientVersion)
	s.metrics.registry.MustRegister(collector{s})
	s.main = s.serve(Main, config.Main, on, &config)
	if config.Testnet != nil {
		s.testnet = s.serve(Testnet, config.Testnet, on, &config)
	}
	return s
}

// serve makes an endpoint for the network.
func (s *Server) serve(name NetworkName, network *Network, on map[string]jsonrpc.Method[*request], config *Config) *served {
	n := &served{
		network:       network,
		streams:       &streamHub{timeline: network.Timeline, running: &s.hubs},
		methods:       on,
		limits:        config.Limits,
		clientVersion: config.ClientVersion,
		log:           slog.New(slog.DiscardHandler),
	}
	if config.Log != nil {
		n.log = config.Log
	}
	n.provider = providers[config.Provider]
	now := func() time.Time { return network.Timeline.Moment().Now() }
	n.endpoint = jsonrpc.NewEndpoint(s.wire, jsonrpc.API[*request]{
		Methods:     on,
		Bind:        n.bind,
		ToWire:      func(err error) *Error { return toWire(network.Profile, err) },
		AppendValue: appendValue,
		TypeNames:   typeNames,
		Lenient:     network.Profile == Geth,
		Now:         now,
		Announce:    n.streams.catchUp,

		Admit: n.provider.rate(now),
		Done:  s.metrics.calls(name),
		Page:  http.HandlerFunc(open),
	})
	return n
}

// route returns what serves a URL path, or nil if nothing does.
func (s *Server) route(path string) http.Handler {
	switch {
	case strings.HasPrefix(path, page.Prefix):
		return http.HandlerFunc(page.Serve)
	case s.pprof != nil && strings.HasPrefix(path, pprofPrefix):
		return s.pprof
	}
	switch path {
	case "/", "":
		return s.main.endpoint
	case TestnetPath, TestnetPath + "/":
		if s.testnet != nil {
			return s.testnet.endpoint
		}
	case "/health":
		return http.HandlerFunc(health)
	case "/metrics":
		return s.metrics.handler
	}
	return nil
}

const helpText = `This is fakenode, a chain node for tests.
POST JSON-RPC 2.0 here with Content-Type: application/json, or open a WebSocket. GET /health says whether it serves.
`

// open answers those who open a network's URL: a browser gets the page, anything else a hint.
func open(w http.ResponseWriter, req *http.Request) {
	if page.Wanted(req) {
		page.Serve(w, req)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Vary", "Accept")
	_, _ = io.WriteString(w, helpText)
}

// health answers that the server serves.
func health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"status":"ok"}`+"\n")
}

// ServeHTTP serves JSON-RPC at / and /testnet by POST and as WebSocket, and /health.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) { s.wire.ServeHTTP(w, req) }

// Listen opens a TCP port, such as "127.0.0.1:8545" or "127.0.0.1:0" for any free one, and serves on it
// until Close. A Server listens once.
func (s *Server) Listen(address string) error { return s.wire.Listen(address) }

// URL returns the HTTP URL of the main network. It is empty before Listen. The test network is at
// URL() + TestnetPath.
func (s *Server) URL() string { return s.wire.URL("http") }

// WebSocketURL returns the WebSocket URL of the main network. It is empty before Listen.
func (s *Server) WebSocketURL() string { return s.wire.URL("ws") }

// Close ends the server: it cancels requests, closes WebSocket connections with 1001, waits for all of
// them and closes the port. Further calls do nothing. It must not be called from within a request.
func (s *Server) Close() error {
	err := s.wire.Close()
	s.hubs.Wait()
	return err
}

// Call answers body, a message or a batch, as if it had been sent to the network's URL, without a socket.
// The answer is nil when there is none (notifications), and after Close. Subscriptions need a WebSocket connection.
func (s *Server) Call(ctx context.Context, network NetworkName, body []byte) []byte {
	if n := s.served(network); n != nil {
		return n.endpoint.Call(ctx, body)
	}
	return nil
}

// Fail sets a fault on calls to the network. Faults of one method add up: each call is struck by the
// first that is due. The fakenode_ methods never fail this way.
func (s *Server) Fail(network NetworkName, fault Fault) error {
	n := s.served(network)
	if n == nil {
		return fmt.Errorf("no network %q", network)
	}
	return n.endpoint.Fail(fault)
}

// ClearFaults removes all faults of the network.
func (s *Server) ClearFaults(network NetworkName) {
	if n := s.served(network); n != nil {
		n.endpoint.ClearFaults()
	}
}

// Calls returns what clients called on the network, oldest first: the last Limits.JournalSize calls. A method other
// than "" returns its calls only. Calls of fakenode_ methods are not among them.
func (s *Server) Calls(network NetworkName, method string) []Call {
	if n := s.served(network); n != nil {
		return n.endpoint.Calls(method)
	}
	return nil
}

// WaitForCalls waits until the journal of the network holds n calls of method ("" means any) and returns them, oldest
// first. The error is ctx.Err(), or says why so many can never be there.
func (s *Server) WaitForCalls(ctx context.Context, network NetworkName, method string, n int) ([]Call, error) {
	if served := s.served(network); served != nil {
		return served.endpoint.WaitForCalls(ctx, method, n)
	}
	return nil, fmt.Errorf("no network %q", network)
}

// served returns the network, or nil if it is not served.
func (s *Server) served(network NetworkName) *served {
	switch network {
	case Main:
		return s.main
	case Testnet:
		return s.testnet
	}
	return nil
}
