package jsonrpc

import (
	"bufio"
	"encoding/binary"
	"errors"
	"math"
	"net"
	"net/http"
	"sync"
)

// socket is a client's connection. gorilla reads messages from it; frames are written by writeFrames, without gorilla,
// whose writer takes as long as the rest of a small answer. Safe for concurrent use.
type socket struct {
	net.Conn
	mu        sync.Mutex // held by the goroutine that writes
	handshake []byte     // the answer to it, until welcome
	welcomed  bool
	in        *bufio.Reader // of the HTTP server; gorilla reads from the socket with it
}

// Write implements net.Conn for gorilla, which answers the handshake with it, and a client that breaks the protocol.
func (s *socket) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.welcomed {
		s.handshake = append(s.handshake, p...)
		return len(p), nil
	}
	return s.Conn.Write(p)
}

// welcome sends the answer to the handshake.
func (s *socket) welcome() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.Conn.Write(s.handshake)
	s.handshake, s.welcomed = nil, true
	return err
}

// writeFrames sends the frames that f writes, many small ones at once.
func (s *socket) writeFrames(f func(*bufio.Writer)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := writers.Get().(*bufio.Writer)
	out.Reset(s.Conn)
	defer func() {
		out.Reset(nil)
		writers.Put(out)
	}()
	f(out)
	return out.Flush()
}

// CloseWrite notifies the client that nothing more comes.
func (s *socket) CloseWrite() error {
	if half, ok := s.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// writers holds the memory of writeFrames: an idle connection has none.
var writers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 64<<10) }}

// beginFrame writes the header of a message that is one frame of so many bytes (RFC 6455 section 5.2).
func beginFrame(out *bufio.Writer, kind, size int) {
	const final = 0x80
	header := append(out.AvailableBuffer(), final|byte(kind))
	switch {
	case size < 126:
		header = append(header, byte(size))
	case size <= math.MaxUint16:
		header = binary.BigEndian.AppendUint16(append(header, 126), uint16(size))
	default:
		header = binary.BigEndian.AppendUint64(append(header, 127), uint64(size))
	}
	_, _ = out.Write(header) // Flush returns the error
}

// hijacker gives gorilla the connection of a request as a socket.
type hijacker struct {
	http.ResponseWriter
	socket *socket
}

func (h *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.socket = &socket{Conn: conn, in: rw.Reader}
	return h.socket, rw, nil
}
