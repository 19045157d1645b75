// Package rpcserver speaks JSON-RPC 2.0 over HTTP and WebSocket for the chain behind it: envelope and
// batches, the method table, parameter decoding, error codes, subscriptions, limits, injected faults and
// the journal of calls. It does not know how a transaction executes.
//
//	server := rpcserver.New(rpcserver.Config{})
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

// Network names one of the chains a Server serves.
type Network string

// The networks.
const (
	Main    Network = "main"    // at /
	Testnet Network = "testnet" // at /testnet
)

// TestnetPath is where the test network answers, over HTTP and WebSocket.
const TestnetPath = "/testnet"

// Config says what a Server serves and within which limits. The zero value works. A Server does not
// change it.
type Config struct {
	// Main is the network at /. Nil: an empty Chain.
	Main *Chain
	// Testnet is the network at /testnet. Nil: /testnet is not found.
	Testnet *Chain
	// ClientVersion answers web3_clientVersion. Empty: name, platform and Go version.
	ClientVersion string

	// MaxBody limits an HTTP body, in bytes; beyond it the answer is 413. Zero: 32 MiB.
	MaxBody int64
	// MaxMessage limits a WebSocket message, in bytes; beyond it the connection is closed with 1009.
	// Zero: 32 MiB.
	MaxMessage int64
	// MaxBatch limits the calls of a batch; beyond it the batch is refused with -32600. Zero: 1,000.
	MaxBatch int
	// SubscriberBuffer limits what may wait for a WebSocket client to read it, in bytes. A notification
	// beyond it closes the connection with 1013. Zero: 64 MiB.
	SubscriberBuffer int
	// JournalSize is how many calls the journal of a network keeps. Zero: 10,000; negative: none.
	JournalSize int

	// AllowHosts are accepted as Host header, besides loopback names and IP addresses. "*": any.
	AllowHosts []string
	// AllowOrigins are accepted as a browser's Origin, such as "https://app.example", besides loopback
	// and extensions. "*": any.
	AllowOrigins []string
	// Disabled switches methods off: they answer as unknown ones do. Nil: all are on.
	Disabled func(method string) bool

	// NextID makes the ids of subscriptions and filters. It must be safe for concurrent use.
	// Nil: 0x1, 0x2, …
	NextID func() string
	// Log gets internal errors and panics, with the request. Nil: slog.Default().
	Log *slog.Logger
}

const (
	defaultMaxBody          = 32 << 20
	defaultMaxMessage       = 32 << 20
	defaultMaxBatch         = 1000
	defaultSubscriberBuffer = 64 << 20
	defaultJournalSize      = 10_000
)

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

// endpoint is one network as it is served: the chain, its faults and its journal.
type endpoint struct {
	chain   *Chain
	faults  faultPlan
	journal journal
}

// New returns a Server for config. It opens no port.
func New(config Config) *Server { return newServer(config, methods) }

// newServer is New with another method table.
func newServer(config Config, methods map[string]handler) *Server {
	config.MaxBody = orDefault(config.MaxBody, defaultMaxBody)
	config.MaxMessage = orDefault(config.MaxMessage, defaultMaxMessage)
	config.MaxBatch = orDefault(config.MaxBatch, defaultMaxBatch)
	config.SubscriberBuffer = orDefault(config.SubscriberBuffer, defaultSubscriberBuffer)
	config.JournalSize = orDefault(config.JournalSize, defaultJournalSize)
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
	if config.Main == nil {
		config.Main = &Chain{}
	}
	s.main = newEndpoint(config.Main, config.JournalSize)
	if config.Testnet != nil {
		s.testnet = newEndpoint(config.Testnet, config.JournalSize)
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

func newEndpoint(chain *Chain, journalSize int) *endpoint {
	return &endpoint{chain: chain, journal: journal{limit: journalSize}}
}

func orDefault[T comparable](value, fallback T) T {
	var zero T
	if value == zero {
		return fallback
	}
	return value
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
func (s *Server) endpoint(network Network) *endpoint {
	switch network {
	case Main:
		return s.main
	case Testnet:
		return s.testnet
	}
	return nil
}

func (s *Server) nextID() string {
	if s.config.NextID != nil {
		return s.config.NextID()
	}
	return "0x" + strconv.FormatUint(s.lastID.Add(1), 16)
}
