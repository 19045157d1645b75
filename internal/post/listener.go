package post

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"sync"
)

// Listener accepts connections for an http.Server and answers POSTs on them itself. Accept returns connections over
// which another request came, for net/http. It is safe for concurrent use.
type Listener struct {
	net.Listener
	server *http.Server
	mine   func(*http.Request) bool
	ctx    context.Context // of requests

	over    chan net.Conn // for Accept
	failed  chan error    // of the Listener below, for Accept
	closed  chan struct{}
	running sync.WaitGroup // goroutines of connections; entered under mu

	mu          sync.Mutex
	draining    bool
	connections map[*connection]struct{} // nil once the Listener is closed
}

// Listen returns a Listener for server.Serve. It answers the POSTs over connections of listener that mine accepts, by
// server.Handler; mine sees only the head. It applies the server's BaseContext, whose end also ends connections,
// ReadHeaderTimeout, ReadTimeout, IdleTimeout and ErrorLog.
func Listen(listener net.Listener, server *http.Server, mine func(*http.Request) bool) *Listener {
	l := &Listener{
		Listener: listener, server: server, mine: mine, ctx: context.Background(),
		over: make(chan net.Conn), failed: make(chan error), closed: make(chan struct{}),
		connections: make(map[*connection]struct{}),
	}
	if server.BaseContext != nil {
		l.ctx = server.BaseContext(listener)
	}
	go l.acceptAll()
	return l
}

// acceptAll serves each new connection. It passes errors to net/http, which decides how long to wait after each, and
// accepts nothing until then.
func (l *Listener) acceptAll() {
	for {
		conn, err := l.Listener.Accept()
		if err == nil {
			l.serve(conn.(*net.TCPConn))
			continue
		}
		select {
		case l.failed <- err:
		case <-l.closed:
			return
		}
	}
}

// serve serves a connection, in a goroutine of its own.
func (l *Listener) serve(conn *net.TCPConn) {
	c := &connection{listener: l, conn: conn, in: bufio.NewReader(conn)}
	c.body.connection = c
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.draining || l.connections == nil {
		_ = conn.Close()
		return
	}
	c.ctx, c.cancel = context.WithCancel(l.ctx)
	l.connections[c] = struct{}{}
	l.running.Go(c.serve)
}

func (l *Listener) forget(c *connection) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.connections, c)
}

// handOver returns once Accept has taken a connection, or closes it if the Listener is closed.
func (l *Listener) handOver(conn net.Conn) {
	select {
	case l.over <- conn:
	case <-l.closed:
		_ = conn.Close()
	}
}

func (l *Listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.over:
		return conn, nil
	case err := <-l.failed:
		return nil, err
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close closes the Listener and its connections.
func (l *Listener) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.connections == nil {
		return nil
	}
	for c := range l.connections {
		_ = c.conn.Close()
	}
	l.connections = nil
	close(l.closed)
	return l.Listener.Close()
}

// Drain closes new connections, and waits for the others, which the end of the base context ends once answered.
func (l *Listener) Drain() {
	l.mu.Lock()
	l.draining = true
	l.mu.Unlock()
	l.running.Wait()
}
