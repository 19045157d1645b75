// Package rpcserver speaks JSON-RPC 2.0 over HTTP and WebSocket for the chain behind it: envelope and
// batches, the method table, parameter decoding, error codes, subscriptions, limits, injected faults and
// the journal of calls. It does not know how a transaction executes.
//
//	server := rpcserver.New(rpcserver.Config{Main: &rpcserver.Network{Timeline: timeline}})
//	err := server.Listen("127.0.0.1:0")
//	fmt.Println(server.URL()) // POST here, or open a WebSocket
//	defer server.Close()
package rpcserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// NetworkName says which of a Server's networks is meant.
type NetworkName string

// The networks.
const (
	Main    NetworkName = "main"    // at /
	Testnet NetworkName = "testnet" // at /testnet
)

// TestnetPath is where the test network answers, over HTTP and WebSocket.
const TestnetPath = "/testnet"

// Config says what a Server serves and within which limits. Main must be set. A Server does not change it.
type Config struct {
	// Main is the network at /.
	Main *Network
	// Testnet is the network at /testnet. Nil: /testnet is not found.
	Testnet *Network
	// ClientVersion answers web3_clientVersion. Empty: name, platform and Go version.
	ClientVersion string

	// Limits bound what clients may ask for. They must be valid (Limits.Validate).
	Limits Limits

	// AllowHosts are accepted as Host header, besides loopback names and IP addresses. "*": any.
	AllowHosts []string
	// AllowOrigins are accepted as a browser's Origin, such as "https://app.example", besides loopback
	// and extensions. "*": any.
	AllowOrigins []string
	// Disabled switches methods off: they answer as unknown ones do. Nil: all are on.
	Disabled func(method string) bool

	// Log gets internal errors and panics, with the request. Nil: slog.Default().
	Log *slog.Logger
}

// closeGrace is how long Close waits for answers being written to clients that do not read them.
const closeGrace = time.Second

// Server serves the API. It is an http.Handler, and has a port of its own after Listen. Safe for
// concurrent use. Without a port and without requests it has no goroutine.
type Server struct {
	config  Config
	methods map[string]handler
	main    *endpoint
	testnet *endpoint // nil without one
	origins originRules
	log     *slog.Logger

	ctx     context.Context // ends at Close
	cancel  context.CancelFunc
	running sync.WaitGroup // requests and connections; entered under mu
	lastID  atomic.Uint64

	mu          sync.Mutex
	closed      bool
	http        *http.Server // nil before Listen
	served      chan struct{}
	address     *net.TCPAddr
	connections map[*connection]struct{} // nil before the first
}

// endpoint is one network as it is served, with its faults and its journal.
type endpoint struct {
	network *Network
	faults  faultPlan
	journal journal
}

// New returns a Server for config. It opens no port.
func New(config Config) *Server { return newServer(config, methods) }

// newServer is New with another method table.
func newServer(config Config, methods map[string]handler) *Server {
	config.Limits = config.Limits.filled()
	config.ClientVersion = orDefault(config.ClientVersion, clientVersion)
	s := &Server{
		config:  config,
		methods: methods,
		origins: originRules{hosts: config.AllowHosts, origins: config.AllowOrigins},
		log:     config.Log,
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	s.main = newEndpoint(config.Main, config.Limits.JournalSize)
	if config.Testnet != nil {
		s.testnet = newEndpoint(config.Testnet, config.Limits.JournalSize)
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

func newEndpoint(network *Network, journalSize int) *endpoint {
	return &endpoint{network: network, journal: journal{limit: journalSize}}
}

// Listen opens a TCP port, such as "127.0.0.1:8545" or "127.0.0.1:0" for any free one, and serves on it
// until Close. A Server listens once.
func (s *Server) Listen(address string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return errors.New("listen: the server is closed")
	case s.http != nil:
		return fmt.Errorf("listen on %s: already listening on %s", address, s.address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	s.address = listener.Addr().(*net.TCPAddr)
	s.served = make(chan struct{})
	s.http = &http.Server{
		Handler:           s,
		BaseContext:       func(net.Listener) context.Context { return context.WithValue(s.ctx, ownPort{}, s) },
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(listener) // ends with ErrServerClosed
	}()
	return nil
}

// URL returns the HTTP URL of the main network, empty before Listen. The test network is at
// URL() + TestnetPath.
func (s *Server) URL() string { return s.url("http") }

// WebSocketURL returns the WebSocket URL of the main network, empty before Listen.
func (s *Server) WebSocketURL() string { return s.url("ws") }

func (s *Server) url(scheme string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.address == nil {
		return ""
	}
	host := s.address.IP.String()
	if s.address.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, strconv.Itoa(s.address.Port))
}

// Close ends the server: it cancels requests, closes WebSocket connections with 1001, waits for all of
// them and closes the port. Further calls do nothing. It must not be called from within a request.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	for c := range s.connections {
		c.shut(closeGoingAway, "the node is closing", closeGrace)
	}
	server := s.http
	s.mu.Unlock()
	s.cancel()
	if server == nil {
		s.running.Wait()
		return nil
	}

	idle := make(chan struct{})
	go func() {
		defer close(idle)
		s.running.Wait()
	}()
	select {
	case <-idle:
	case <-time.After(closeGrace): // a client that sends or reads slowly: cut it off
	}
	_ = server.Close()
	<-s.served
	<-idle
	return nil
}

// enter counts a request in; false after Close. The caller calls s.running.Done when it is over.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.running.Add(1)
	return true
}

// endpoint returns the network, nil if it is not served.
func (s *Server) endpoint(network NetworkName) *endpoint {
	switch network {
	case Main:
		return s.main
	case Testnet:
		return s.testnet
	}
	return nil
}

// nextID makes the id of a subscription: 0x1, 0x2, …
func (s *Server) nextID() string {
	return "0x" + strconv.FormatUint(s.lastID.Add(1), 16)
}
