package post

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"
)

// connection is a connection over which only POSTs have come.
type connection struct {
	listener *Listener
	conn     *net.TCPConn
	in       *bufio.Reader // of conn
	head     []byte        // of the request last parsed: a client's next one often differs only in its body
	parsed   *http.Request // of head
	body     body          // of the request being answered
	out      bytes.Buffer  // the beginning of the answer
	deadline bool          // reads have one
	ctx      context.Context
	cancel   context.CancelFunc

	mu        sync.Mutex
	answering bool          // a request whose body has been read
	late      *time.Timer   // of the request being answered; nil before the first
	ahead     chan struct{} // closed when the goroutine that reads ahead ends; nil without one
}

// body is the unread part of a request's body.
type body struct {
	io.LimitedReader
	connection *connection
}

// Read implements io.Reader. At the end of the body the watch of the client may begin.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.LimitedReader.Read(p)
	switch {
	case n > 0 && b.N == 0:
		b.connection.beginWatch()
	case err == io.EOF && b.N > 0: // the client ended it early
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (*body) Close() error { return nil }

// serve answers one request after another, until the connection ends or goes over to net/http.
func (c *connection) serve() {
	defer c.listener.forget(c)
	defer c.cancel()
	awake := context.AfterFunc(c.listener.ctx, func() { _ = c.conn.SetReadDeadline(time.Unix(1, 0)) })
	server := c.listener.server
	if wait := cmp.Or(server.ReadHeaderTimeout, server.ReadTimeout); wait > 0 {
		c.setReadDeadline(time.Now().Add(wait))
	}
	req, err := c.next()
	for err == nil && req != nil && c.answer(req) {
		req, err = c.next()
	}
	if isOpen := awake(); err == nil && req == nil && isOpen {
		c.listener.handOver(&readConn{c.conn, c.in})
		return
	}
	_ = c.conn.Close()
}

func (c *connection) setReadDeadline(at time.Time) {
	_ = c.conn.SetReadDeadline(at)
	c.deadline = !at.IsZero()
}

// next waits for a request and reads it up to its body. It returns nil, and leaves the request unread, if net/http has
// to answer it or its head has not come whole.
func (c *connection) next() (*http.Request, error) {
	if err := c.listener.ctx.Err(); err != nil { // after a deadline was set or reset, which may have replaced the end's deadline
		return nil, err
	}
	if err := c.waitForHead(); err != nil {
		return nil, err
	}
	if c.deadline { // of the wait
		c.setReadDeadline(time.Time{})
	}
	buffered, _ := c.in.Peek(c.in.Buffered())
	size := bytes.Index(buffered, endOfHead) + len(endOfHead)
	if size < len(endOfHead) {
		return nil, nil
	}
	if head := buffered[:size]; !bytes.Equal(head, c.head) {
		req := parse(head)
		if req == nil || !c.listener.mine(req) {
			return nil, nil
		}
		req.RemoteAddr, req.Body = c.conn.RemoteAddr().String(), &c.body
		c.head, c.parsed = append(c.head[:0], head...), req.WithContext(c.ctx)
	}
	_, _ = c.in.Discard(size)
	c.body.LimitedReader = io.LimitedReader{R: c.in, N: c.parsed.ContentLength}
	return c.parsed, nil
}

// waitForHead waits for the beginning of a head as net/http does: behind a request it wants four bytes, and skips those
// that end lines, which some clients send behind a body.
func (c *connection) waitForHead() error {
	if c.parsed == nil {
		_, err := c.in.Peek(1)
		return err
	}
	begun, err := c.in.Peek(4)
	if err == nil {
		_, _ = c.in.Discard(len(begun) - len(bytes.TrimLeft(begun, "\r\n")))
	}
	return err
}

// answer answers a request and reports whether there may be another.
func (c *connection) answer(req *http.Request) (more bool) {
	defer func() {
		if crash := recover(); crash != nil && crash != http.ErrAbortHandler {
			logf := log.Printf
			if own := c.listener.server.ErrorLog; own != nil {
				logf = own.Printf
			}
			logf("http: panic serving %v: %v\n%s", req.RemoteAddr, crash, debug.Stack()) // as in net/http
		}
	}()
	a := &answer{connection: c, header: make(http.Header, 4)}
	func() {
		defer c.endWatch()
		c.listener.server.Handler.ServeHTTP(a, req)
	}()
	more = a.end()
	if idle := cmp.Or(c.listener.server.IdleTimeout, c.listener.server.ReadTimeout); more && idle > 0 {
		c.setReadDeadline(time.Now().Add(idle))
	} else if more && c.deadline {
		c.setReadDeadline(time.Time{})
	}
	return more
}

// readConn is a connection, part of which was read into in.
type readConn struct {
	*net.TCPConn
	in *bufio.Reader
}

func (c *readConn) Read(p []byte) (int, error) {
	if c.in.Buffered() > 0 {
		return c.in.Read(p)
	}
	return c.TCPConn.Read(p)
}

// patience is the time after which an answer takes long.
const patience = 50 * time.Millisecond

// beginWatch watches a client whose request has been read, until endWatch.
func (c *connection) beginWatch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answering = true
	if c.late == nil {
		c.late = time.AfterFunc(patience, c.look)
	} else {
		c.late.Reset(patience)
	}
}

// look reads ahead if the answer takes long. It may come for the request before, and then looks too soon.
func (c *connection) look() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answering && c.ahead == nil {
		c.ahead = make(chan struct{})
		go c.readAhead(c.ahead)
	}
}

// readAhead reads the client's bytes, as far as there is room, and ends the context of the calls when it has left.
func (c *connection) readAhead(done chan<- struct{}) {
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

// endWatch is called once a request is answered. No goroutine reads ahead any more when it returns.
func (c *connection) endWatch() {
	c.mu.Lock()
	c.answering = false
	if c.late != nil {
		c.late.Stop()
	}
	ahead := c.ahead
	c.ahead = nil
	c.mu.Unlock()
	if ahead != nil {
		c.setReadDeadline(time.Unix(1, 0))
		<-ahead
	}
}

var endOfHead = []byte("\r\n\r\n")

// The grammar of the heads that a Listener answers:
//
//	head   = "POST " target " HTTP/1.1" CRLF *( field CRLF ) CRLF
//	target = "/" *( visible ASCII )
//	field  = token ":" *( printable ASCII )
//
// There is one Host and one Content-Length. No other field frames the body, changes the protocol or ends the
// connection.
var (
	grammar = regexp.MustCompile("^POST /[!-~]* HTTP/1\\.1\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ -~]*\r\n)*\r\n$")
	host    = regexp.MustCompile(`^[0-9A-Za-z._-]+(?::[0-9]+)?$|^\[[0-9A-Fa-f:.]+\](?::[0-9]+)?$`)
	length  = regexp.MustCompile(`^[1-9][0-9]{0,17}$`)
)

// parse returns the request of a whole head, or nil if net/http has to answer it: if the head is not of the grammar.
func parse(head []byte) *http.Request {
	if !grammar.Match(head) || !isPlain(string(head)) {
		return nil
	}
	req, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(head)))
	if err != nil {
		return nil
	}
	return req
}

// isPlain reports whether the fields describe a body of known size, for one host, and nothing else that matters.
func isPlain(head string) bool {
	hosts, lengths := 0, 0
	for field := range strings.SplitSeq(head, "\r\n") {
		name, value, _ := strings.Cut(field, ":")
		value = strings.Trim(value, " ")
		switch strings.ToLower(name) {
		case "host":
			hosts++
			if !host.MatchString(value) {
				return false
			}
		case "content-length":
			lengths++
			if !length.MatchString(value) {
				return false
			}
		case "connection":
			if !strings.EqualFold(value, "keep-alive") {
				return false
			}
		case "transfer-encoding", "expect", "trailer", "upgrade":
			return false
		}
	}
	return hosts == 1 && lengths == 1
}

const (
	// shortPart is the size, in bytes, up to which the beginning of a body is sent together with the head.
	shortPart = 4 << 10
	// partingTime is the time that a client whose request was not read to its end may take to read the answer.
	partingTime = 500 * time.Millisecond
)

// answer is the http.ResponseWriter of a connection. It keeps a body without a Content-Length until the end.
type answer struct {
	connection *connection
	header     http.Header
	status     int // 0 before WriteHeader
	begun      bool
	body       []byte // unsent
	err        error  // of sending
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *answer) Write(part []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.header["Content-Length"] == nil {
		a.body = append(a.body, part...)
	} else if a.send(part); a.err != nil {
		return 0, a.err
	}
	return len(part), nil
}

// SetReadDeadline serves http.ResponseController. A body that has come whole needs no deadline.
func (a *answer) SetReadDeadline(at time.Time) error {
	c := a.connection
	if !c.deadline && (at.IsZero() || c.body.N <= int64(c.in.Buffered())) {
		return nil
	}
	c.setReadDeadline(at)
	return nil
}

// SetWriteDeadline serves http.ResponseController.
func (a *answer) SetWriteDeadline(at time.Time) error {
	return a.connection.conn.SetWriteDeadline(at)
}

// send sends a part of the body, the first one after the head.
func (a *answer) send(part []byte) {
	conn := a.connection.conn
	switch {
	case a.err != nil:
	case a.begun:
		_, a.err = conn.Write(part)
	default:
		a.begun = true
		out := &a.connection.out
		out.Reset()
		a.writeHead(out)
		if len(part) <= shortPart {
			out.Write(part)
			part = nil
		}
		if _, a.err = conn.Write(out.Bytes()); a.err == nil && part != nil {
			_, a.err = conn.Write(part)
		}
	}
}

func (a *answer) writeHead(out *bytes.Buffer) {
	line := append(out.AvailableBuffer(), "HTTP/1.1 "...)
	line = strconv.AppendInt(line, int64(a.status), 10)
	line = append(line, ' ')
	line = append(line, http.StatusText(a.status)...)
	line = append(line, "\r\nDate: "...)
	line = time.Now().UTC().AppendFormat(line, http.TimeFormat)
	out.Write(append(line, "\r\n"...))
	_ = a.header.Write(out) // a Buffer accepts everything
	out.WriteString("\r\n")
}

// end sends the unsent rest and reports whether the client may send another request.
func (a *answer) end() (more bool) {
	c := a.connection
	a.WriteHeader(http.StatusOK)
	if c.body.N <= int64(c.in.Buffered()) { // the answer did not need the rest of the body
		_, _ = c.in.Discard(int(c.body.N))
		c.body.N = 0
	}
	if c.body.N > 0 {
		a.header.Set("Connection", "close")
	}
	if !a.begun {
		if a.status != http.StatusNoContent {
			a.header.Set("Content-Length", strconv.Itoa(len(a.body)))
		}
		a.send(a.body)
	}
	if a.err == nil && c.body.N > 0 {
		// Closing a socket with unread input resets it, and the client would lose the answer.
		_ = c.conn.CloseWrite()
		_ = c.conn.SetReadDeadline(time.Now().Add(partingTime))
		_, _ = io.Copy(io.Discard, c.conn)
	}
	return a.err == nil && c.body.N == 0 && a.header.Get("Connection") != "close"
}
