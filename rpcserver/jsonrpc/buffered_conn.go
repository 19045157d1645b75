package jsonrpc

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// bufferedConn is the socket under gorilla's connection. It collects frames, so that many small ones take one system
// call. Safe for concurrent use.
type bufferedConn struct {
	net.Conn
	mu   sync.Mutex
	held []byte // what was written since hold; nil if writes go through
}

// writeBuffers holds the memory of bufferedConn between holds: an idle connection has none.
var writeBuffers = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// hold keeps what is written until flush, or until it fills the buffer.
func (b *bufferedConn) hold() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held = writeBuffers.Get().(*[64 << 10]byte)[:0]
}

// flush writes what is held, and lets further writes through.
func (b *bufferedConn) flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.writeHeld()
	writeBuffers.Put((*[64 << 10]byte)(b.held[:cap(b.held)]))
	b.held = nil
	return err
}

// writeHeld writes what is held; the caller holds mu.
func (b *bufferedConn) writeHeld() error {
	if len(b.held) == 0 {
		return nil
	}
	_, err := b.Conn.Write(b.held)
	b.held = b.held[:0]
	return err
}

// Write implements net.Conn.
func (b *bufferedConn) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held == nil {
		return b.Conn.Write(p)
	}
	if len(b.held)+len(p) > cap(b.held) {
		if err := b.writeHeld(); err != nil {
			return 0, err
		}
	}
	if len(p) > cap(b.held) {
		return b.Conn.Write(p)
	}
	b.held = append(b.held, p...)
	return len(p), nil
}

// SetWriteDeadline implements net.Conn. gorilla clears the deadline before each message, which costs as much as the
// message; there is none to clear, as a deadline is only set for the last frame of a connection.
func (b *bufferedConn) SetWriteDeadline(t time.Time) error {
	if t.IsZero() {
		return nil
	}
	return b.Conn.SetWriteDeadline(t)
}

// CloseWrite notifies the client that nothing more comes.
func (b *bufferedConn) CloseWrite() error {
	if half, ok := b.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// hijacker gives gorilla the socket of a request as a bufferedConn.
type hijacker struct {
	http.ResponseWriter
	conn *bufferedConn
}

// Hijack implements http.Hijacker.
func (h *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.conn = &bufferedConn{Conn: conn}
	h.conn.hold() // the answer to the handshake: connection.run sends it
	return h.conn, rw, nil
}
