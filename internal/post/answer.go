package post

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	// shortPart is the size, in bytes, up to which the beginning of a body is sent together with the head.
	shortPart = 4 << 10
	// partingTime is the time that a client whose request was not read to its end may take to read the answer.
	partingTime = 500 * time.Millisecond
)

// answer is the http.ResponseWriter of a connection. It keeps the body of an answer without a Content-Length until the
// end.
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
