package jsonrpc

// POSTs of JSON
//
// Most of what comes is a small POST of JSON. net/http reads on while any request is answered, in another goroutine, to
// notice a client that leaves, which takes longer than a small answer. So a connection is a postConnection first, which
// reads on only while an answer takes longer than patience. It parses requests with net/http and hands them to
// Server.ServeHTTP. With the first request of any other kind the connection goes over to net/http, for good.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"time"
)

// postListener makes each connection a postConnection. Only its errors reach net/http, which knows what to do then.
type postListener struct {
	net.Listener
	server *Server
}

// Accept implements net.Listener.
func (l postListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		l.server.servePosts(conn.(*net.TCPConn))
	}
}

// postConnection is a connection over which nothing but POSTs of JSON has come.
type postConnection struct {
	server   *Server
	conn     *net.TCPConn
	in       *bufio.Reader // of conn
	head     []byte        // of the request last parsed: a client's next one is often the same but for its body
	parsed   *http.Request // of head
	body     postBody      // of the request being answered
	out      bytes.Buffer  // the beginning of the answer
	deadline bool          // reads have one
	ctx      context.Context
	cancel   context.CancelFunc

	mu    sync.Mutex
	watch watch[postAnswer]
	ahead chan struct{} // closed once nobody reads ahead any more; nil while nobody does
}

// postBody is the body of a request, as far as it is unread.
type postBody struct {
	io.LimitedReader
	answer *postAnswer
}

// Read implements io.Reader. Behind the end of the body the client may be watched.
func (b *postBody) Read(p []byte) (int, error) {
	n, err := b.LimitedReader.Read(p)
	if n > 0 && b.N == 0 {
		b.answer.connection.beginWatch(b.answer)
	}
	return n, err
}

// Close implements io.Closer.
func (*postBody) Close() error { return nil }

// servePosts serves a new connection, in a goroutine of its own.
func (s *Server) servePosts(conn *net.TCPConn) {
	c := &postConnection{server: s, conn: conn, in: bufio.NewReader(conn)}
	c.watch.look = c.look
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = conn.Close()
		return
	}
	c.ctx, c.cancel = context.WithCancel(context.WithValue(s.ctx, ownPort{}, s))
	s.posts[c] = struct{}{}
	s.running.Go(c.serve)
}

// serve answers one request after another, until the connection ends or goes over to net/http.
func (c *postConnection) serve() {
	defer c.forget()
	defer c.cancel()
	awake := context.AfterFunc(c.server.ctx, func() { _ = c.conn.SetReadDeadline(time.Unix(1, 0)) })
	for {
		req, err := c.next()
		if err == nil && req == nil && awake() {
			c.handOver()
			return
		}
		if err != nil || req == nil || !c.answer(req) {
			break
		}
	}
	awake()
	_ = c.conn.Close()
}

// next waits for a request and reads all but its body. It returns nil, and leaves the request unread, if that is not
// for a postConnection, or if its head has not come whole.
func (c *postConnection) next() (*http.Request, error) {
	if c.deadline {
		_ = c.conn.SetReadDeadline(time.Time{})
		c.deadline = false
	}
	if err := c.server.ctx.Err(); err != nil { // after the deadline was reset, which may have been that of the end
		return nil, err
	}
	if _, err := c.in.Peek(1); err != nil {
		return nil, err
	}
	buffered, _ := c.in.Peek(c.in.Buffered())
	const end = "\r\n\r\n"
	size := bytes.Index(buffered, []byte(end)) + len(end)
	if size < len(end) {
		return nil, nil
	}
	if head := buffered[:size]; !bytes.Equal(head, c.head) {
		req, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(head)))
		if err != nil || !isPlain(head) || !c.server.isPost(req) {
			return nil, nil // net/http answers what is wrong with it
		}
		req.RemoteAddr, req.Body = c.conn.RemoteAddr().String(), &c.body
		c.head, c.parsed = append(c.head[:0], head...), req.WithContext(c.ctx)
	}
	_, _ = c.in.Discard(size)
	c.body.LimitedReader = io.LimitedReader{R: c.in, N: c.parsed.ContentLength}
	return c.parsed, nil
}

// isPlain reports whether a head has nothing but printable ASCII: of other bytes net/http's server refuses some.
func isPlain(head []byte) bool {
	return !bytes.ContainsFunc(head, func(r rune) bool { return (r < ' ' || r > '~') && r != '\r' && r != '\n' })
}

// isPost reports whether a request is for a postConnection: a POST of JSON whose size is known and within the limit,
// and after which another may come.
func (s *Server) isPost(req *http.Request) bool {
	return req.Method == http.MethodPost && req.ProtoMajor == 1 && req.ProtoMinor == 1 && !req.Close && req.Host != "" &&
		req.ContentLength > 0 && req.ContentLength <= s.limits.MaxBody &&
		req.Header.Get("Expect") == "" && isJSON(req.Header.Get("Content-Type"))
}

// answer answers a request and reports whether there may be another.
func (c *postConnection) answer(req *http.Request) (more bool) {
	defer func() {
		if crash := recover(); crash != nil && crash != http.ErrAbortHandler {
			c.server.log.Error("request panicked", "path", req.URL.Path, "panic", crash, "stack", string(debug.Stack()))
		}
	}()
	a := &postAnswer{connection: c, header: make(http.Header, 4)}
	c.body.answer = a
	func() {
		defer c.endWatch()
		c.server.ServeHTTP(a, req)
	}()
	return a.end()
}

// forget takes the connection off those that the server's Close ends.
func (c *postConnection) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watch.stop()
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	delete(c.server.posts, c)
}

// handOver lets net/http serve what comes from now on.
func (c *postConnection) handOver() {
	l := &handedOver{conn: &readConn{c.conn, c.in}}
	_ = c.server.http.Serve(l) // returns at once
	if l.conn != nil {         // the server was closed
		_ = c.conn.Close()
	}
}

// handedOver is a listener that accepts one connection.
type handedOver struct{ conn net.Conn }

// Accept implements net.Listener.
func (l *handedOver) Accept() (conn net.Conn, err error) {
	if l.conn == nil {
		return nil, io.EOF
	}
	conn, l.conn = l.conn, nil
	return conn, nil
}

// Close implements net.Listener.
func (*handedOver) Close() error { return nil }

// Addr implements net.Listener.
func (l *handedOver) Addr() net.Addr { return &net.TCPAddr{} }

// readConn is a connection of which a part was read into in.
type readConn struct {
	*net.TCPConn
	in *bufio.Reader
}

// Read implements net.Conn.
func (c *readConn) Read(p []byte) (int, error) {
	if c.in.Buffered() > 0 {
		return c.in.Read(p)
	}
	return c.TCPConn.Read(p)
}

// beginWatch watches a client whose request has been read, until endWatch.
func (c *postConnection) beginWatch(answer *postAnswer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watch.begin(answer)
}

// look reads ahead while the same request is answered as when it last looked.
func (c *postConnection) look() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.watch.isLate() {
		c.ahead = make(chan struct{})
		go c.readAhead(c.ahead)
	}
}

// readAhead reads what the client sends ahead of its answer, as far as there is room, and ends the context of the calls
// when it has left.
func (c *postConnection) readAhead(done chan<- struct{}) {
	defer close(done)
	for {
		_, err := c.in.Peek(c.in.Buffered() + 1)
		switch {
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, bufio.ErrBufferFull):
			return
		default:
			c.cancel()
			return
		}
	}
}

// endWatch is called once a request is answered. Nobody reads ahead any more when it returns.
func (c *postConnection) endWatch() {
	c.mu.Lock()
	c.watch.own = nil
	ahead := c.ahead
	c.ahead = nil
	c.mu.Unlock()
	if ahead != nil {
		_ = c.conn.SetReadDeadline(time.Unix(1, 0))
		c.deadline = true
		<-ahead
	}
}
