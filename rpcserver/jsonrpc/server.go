package jsonrpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/fakenode/fakenode/internal/post"
)

// Config configures a Server.
type Config struct {
	// Route returns the handler for a request's path: an *Endpoint, any other handler, or nil for 404. It is called for
	// every request, so that endpoints can come and go, and must be safe for concurrent use.
	Route func(*http.Request) http.Handler
	// Limits bound the requests of clients. They must be valid (Limits.Validate).
	Limits Limits
	// AllowHosts are accepted as Host header, besides loopback names and IP addresses. "*" accepts any.
	AllowHosts []string
	// AllowOrigins are accepted as a browser's Origin, such as "https://app.example", besides loopback
	// and extensions. "*" accepts any.
	AllowOrigins []string
	// Log gets internal errors and panics, with the request; at info the faults, at debug each call. Nil means internal
	// errors and panics alone, to slog.Default().
	Log *slog.Logger
}

const (
	// closeGrace is the time that closing waits for answers being written to clients that do not read them.
	closeGrace = time.Second
	// closeLimit is the longest time that closing waits, for calls that ignore the end of their context.
	closeLimit = 5 * time.Second
)

// Server owns a port and the requests on it. It is also an http.Handler for a server of the caller's. It is safe for
// concurrent use. Without a port and without requests it has no goroutine.
type Server struct {
	route   func(*http.Request) http.Handler
	limits  Limits
	origins originRules
	log     *slog.Logger // internal errors and panics
	events  *slog.Logger // faults and calls

	ctx     context.Context // ends at Close
	cancel  context.CancelFunc
	running sync.WaitGroup // requests and the goroutines of connections; entered under mu

	encoding  chan struct{} // holds a token for each long answer that is being encoded
	backlog   backlog
	relieving sync.Mutex // taken before mu

	mu        sync.Mutex
	closed    bool
	entered   bool         // a request came: there may be something to wait for
	http      *http.Server // nil before Listen
	posts     *post.Listener
	served    chan struct{}
	address   *net.TCPAddr
	endpoints map[*Endpoint]struct{}
	answers   map[*unreadAnswer]struct{}
}

// New returns a Server. It opens no port.
func New(config Config) *Server {
	s := &Server{
		route:     config.Route,
		limits:    config.Limits.Filled(),
		origins:   originRules{hosts: config.AllowHosts, origins: config.AllowOrigins},
		log:       config.Log,
		events:    config.Log,
		endpoints: make(map[*Endpoint]struct{}),
		encoding:  make(chan struct{}, max(runtime.GOMAXPROCS(0)-1, 1)), // one processor is left for short answers
	}
	if s.log == nil {
		s.log, s.events = slog.Default(), slog.New(slog.DiscardHandler)
	}
	s.backlog.limit = s.limits.SubscribersMemory
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
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
	s.posts = post.Listen(listener, s.http, s.isPost)
	go func() {
		defer close(s.served)
		_ = s.http.Serve(s.posts) // ends with ErrServerClosed
	}()
	return nil
}

// URL returns the URL of the path "/" under scheme, "http" or "ws", without the slash. It is empty before Listen.
func (s *Server) URL(scheme string) string {
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

// Close ends the server: it cancels requests, closes WebSocket connections with 1001, waits for all of them, but at
// most 5 s, and closes the port. The error reports that requests were still running by then. Further calls do nothing.
// It must not be called from within a request.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	endpoints := s.endpoints
	s.endpoints = nil
	server, posts, entered := s.http, s.posts, s.entered
	s.mu.Unlock()
	for e := range endpoints {
		e.shut("the node is closing")
	}
	s.cancel()
	if server == nil && !entered {
		return nil
	}
	idle := make(chan struct{})
	go func() {
		defer close(idle)
		s.running.Wait()
		if posts != nil {
			posts.Drain()
		}
	}()
	limit := time.NewTimer(closeLimit)
	defer limit.Stop()
	if server != nil {
		select {
		case <-idle:
		case <-time.After(closeGrace): // cuts off clients that send or read slowly
		}
		_ = server.Close()
		<-s.served
	}
	select {
	case <-idle:
		return nil
	case <-limit.C:
		return fmt.Errorf("closing the server: requests are still running after %s", closeLimit)
	}
}

// enter counts a request and reports whether the server is still open. If it is, the caller calls s.running.Done when
// the request is over.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.running.Add(1)
	s.entered = true
	return true
}
