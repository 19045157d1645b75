package jsonrpc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fakenode/fakenode/internal/post"
)

// Allow lists who is served besides programs on loopback. It keeps foreign web pages out (contract 5-auth): a page
// whose own name resolves to this machine (DNS rebinding) shows in Host, a page that calls across origins shows in
// Origin.
type Allow struct {
	// Hosts are accepted as Host header besides loopback names and IP addresses. "*": any.
	Hosts []string
	// Origins are accepted as a browser's Origin, such as "https://app.example", besides loopback and extensions. "*":
	// any.
	Origins []string
}

// Config configures a Server.
type Config struct {
	// Route returns the handler for a request's path: an *Endpoint, any other handler, or nil for 404. It is called for
	// every request, so that endpoints can come and go, and must be safe for concurrent use.
	Route func(*http.Request) http.Handler
	// Limits bound the requests of clients. They must be valid (Limits.Validate).
	Limits Limits
	// Allow lists who is served besides programs on loopback.
	Allow Allow
	// Log gets internal errors and panics, with the request; at info the faults, at debug each call. Nil means internal
	// errors and panics alone, to slog.Default().
	Log *slog.Logger
}

const (
	// closeGrace is the time that closing waits for answers being written to clients that do not read them.
	closeGrace = time.Second
	// closeLimit is the longest time that closing waits, for calls that ignore the end of their context.
	closeLimit = 1500 * time.Millisecond
)

// Server owns a port and the requests on it. It is also an http.Handler for a server of the caller's. It is safe for
// concurrent use. Without a port and without requests it has no goroutine.
type Server struct {
	route  func(*http.Request) http.Handler
	limits Limits
	allow  Allow
	log    *slog.Logger // internal errors and panics
	events *slog.Logger // faults and calls

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
		allow:     config.Allow,
		log:       config.Log,
		events:    config.Log,
		endpoints: make(map[*Endpoint]struct{}),
		answers:   make(map[*unreadAnswer]struct{}),
		encoding:  make(chan struct{}, max(runtime.GOMAXPROCS(0)-1, 1)), // one processor is left for short answers
	}
	if s.log == nil {
		s.log, s.events = slog.Default(), slog.New(slog.DiscardHandler)
	}
	s.backlog.limit = s.limits.SubscribersMemory
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Listen opens a TCP port, such as "127.0.0.1:0" for any free one, and serves on it until Close. It works once.
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
	s.posts = post.Listen(listener, s.http, func(req *http.Request) bool {
		return req.ContentLength <= s.limits.MaxBody && isJSON(req.Header.Get("Content-Type"))
	})
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
// most 1.5 s, and closes the port. The error reports that requests were still running by then. Further calls do
// nothing. It must not be called from within a request.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
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

// enter counts a request and reports whether the server is open. If so, the caller calls s.running.Done at its end.
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

// join returns a context that ends with ctx and with other, whose cause it then has. leave must be called at the end.
func join(ctx, other context.Context) (joined context.Context, leave func()) {
	joined, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(other, func() { cancel(context.Cause(other)) })
	return joined, func() {
		stop()
		cancel(nil)
	}
}

// Limits bound the bytes that a client may send and leave unread. The zero value works; no limit may be negative
// (JournalSize excepted). The fields of the same names in package api say what happens beyond each, and the defaults.
type Limits struct {
	MaxBody           int64         // bytes
	BodyTimeout       time.Duration // wall time
	MaxMessage        int64         // bytes
	MaxBatch          int           // calls
	MaxAnswer         int           // bytes; after 8 calls whose results are too large a batch runs no further ones
	SubscriberBuffer  int           // bytes
	SubscribersMemory int           // bytes
	SocketIdle        time.Duration // wall time
	JournalSize       int           // calls
}

// Validate returns an error that names a negative limit, or nil if there is none.
func (l Limits) Validate() error {
	for _, limit := range []struct {
		name  string
		value int64
	}{
		{"HTTP body", l.MaxBody},
		{"WebSocket message", l.MaxMessage},
		{"batch", int64(l.MaxBatch)},
		{"answer", int64(l.MaxAnswer)},
		{"subscriber buffer", int64(l.SubscriberBuffer)},
		{"memory of all subscribers", int64(l.SubscribersMemory)},
	} {
		if limit.value < 0 {
			return fmt.Errorf("limit of the %s is %d, want 1 or more, or 0 for the default", limit.name, limit.value)
		}
	}
	if l.SocketIdle < 0 {
		return fmt.Errorf("time limit of a silent WebSocket connection is %s, want more than 0, or 0 for none", l.SocketIdle)
	}
	if l.BodyTimeout < 0 {
		return fmt.Errorf("time limit of an HTTP body is %s, want more than 0, or 0 for the default", l.BodyTimeout)
	}
	return nil
}

// Filled returns the limits with the defaults in place of zeros.
func (l Limits) Filled() Limits {
	return Limits{
		MaxBody:           cmp.Or(l.MaxBody, 32<<20),
		BodyTimeout:       cmp.Or(l.BodyTimeout, 30*time.Second),
		MaxMessage:        cmp.Or(l.MaxMessage, 32<<20),
		MaxBatch:          cmp.Or(l.MaxBatch, 1000),
		MaxAnswer:         cmp.Or(l.MaxAnswer, 256<<20),
		SubscriberBuffer:  cmp.Or(l.SubscriberBuffer, 64<<20),
		SubscribersMemory: cmp.Or(l.SubscribersMemory, 512<<20),
		SocketIdle:        l.SocketIdle,
		JournalSize:       cmp.Or(l.JournalSize, 10_000),
	}
}

// check returns an error if the Host or Origin of a request is not accepted.
func (o Allow) check(req *http.Request) error {
	if !o.acceptHost(req.Host) {
		return fmt.Errorf("host %s is not allowed: want localhost, an IP address or an allowed host (--allow-host)", Excerpt(req.Host))
	}
	// A page of this very server may call it: Host is checked, so no foreign name leads here.
	origin := req.Header.Get("Origin")
	own := origin == "" || origin == "http://"+req.Host || origin == "https://"+req.Host
	if !own && !o.acceptOrigin(origin) {
		return fmt.Errorf("origin %s is not allowed: want a page of this machine or an allowed origin (--allow-origin)", Excerpt(origin))
	}
	return nil
}

func (o Allow) acceptHost(hostport string) bool {
	if hostport == "" { // no Host at all: HTTP/1.0, not a browser
		return true
	}
	if slices.ContainsFunc(o.Hosts, func(allowed string) bool {
		return allowed == "*" || strings.EqualFold(allowed, hostport)
	}) {
		return true
	}
	host, ok := hostOf(hostport)
	if !ok {
		return false
	}
	if _, err := netip.ParseAddr(host); err == nil || isLocalhost(host) {
		return true
	}
	return slices.ContainsFunc(o.Hosts, func(allowed string) bool { return strings.EqualFold(allowed, host) })
}

// hostOf returns the host of a Host header without port and brackets, and reports whether the header is well-formed:
// NAME, ADDRESS or [IPv6 ADDRESS], alone or with a port number.
func hostOf(hostport string) (host string, ok bool) {
	host = hostport
	if name, port, err := net.SplitHostPort(hostport); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return "", false
		}
		host = name
	}
	if inner, bracketed := strings.CutPrefix(hostport, "["); bracketed {
		address, _, _ := strings.Cut(inner, "]")
		parsed, err := netip.ParseAddr(address)
		return address, err == nil && parsed.Is6() && (host == address || host == "["+address+"]")
	}
	return host, host != "" && !strings.ContainsAny(host, "[]")
}

func (o Allow) acceptOrigin(origin string) bool {
	if slices.ContainsFunc(o.Origins, func(allowed string) bool {
		return allowed == "*" || strings.EqualFold(strings.TrimSuffix(allowed, "/"), origin)
	}) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	switch u.Scheme {
	case "http", "https":
		address, err := netip.ParseAddr(u.Hostname())
		return isLocalhost(u.Hostname()) || err == nil && address.IsLoopback()
	case "chrome-extension", "moz-extension", "safari-web-extension":
		return u.Host != ""
	}
	return false // "null" too: sandboxed pages and files
}

func isLocalhost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

func answerPreflight(w http.ResponseWriter, req *http.Request) {
	header := w.Header()
	header.Set("Allow", "POST, GET, HEAD, OPTIONS")
	if req.Header.Get("Access-Control-Request-Method") != "" {
		header.Set("Access-Control-Allow-Methods", "POST, GET, OPTIONS")
		if wanted := req.Header.Get("Access-Control-Request-Headers"); wanted != "" {
			header.Set("Access-Control-Allow-Headers", wanted)
		}
		if req.Header.Get("Access-Control-Request-Private-Network") == "true" {
			header.Set("Access-Control-Allow-Private-Network", "true")
		}
		header.Set("Access-Control-Max-Age", "600")
	}
	w.WriteHeader(http.StatusNoContent)
}
