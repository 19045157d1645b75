package jsonrpc

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"time"
)

// bodyStep is the memory, in bytes, that a declared Content-Length gets before its bytes arrive. Longer bodies get more
// as they arrive.
const bodyStep = 64 << 10

// readBody appends the whole body to buf. The error is *http.MaxBytesError beyond the limit of bytes, and
// os.ErrDeadlineExceeded beyond the limit of time.
func (l Limits) readBody(buf []byte, w http.ResponseWriter, req *http.Request) (body []byte, err error) {
	if req.ContentLength > l.MaxBody {
		return buf, &http.MaxBytesError{Limit: l.MaxBody}
	}
	// A server that cannot set deadlines has limits of its own.
	connection := http.NewResponseController(w)
	if connection.SetReadDeadline(time.Now().Add(l.BodyTimeout)) == nil {
		defer func() {
			if err == nil { // else net/http would wait for the rest of the body
				_ = connection.SetReadDeadline(time.Time{})
			}
		}()
	}
	buf = slices.Grow(buf, int(min(max(req.ContentLength, 0), bodyStep)))
	if size := req.ContentLength; size >= 0 && size <= int64(cap(buf)) {
		buf = buf[:size]
		n, err := io.ReadFull(req.Body, buf)
		return buf[:n], err
	}
	buf, err = readMost(buf, req.Body, l.MaxBody+1)
	switch {
	case err == nil && int64(len(buf)) > l.MaxBody:
		err = &http.MaxBytesError{Limit: l.MaxBody}
	case err == nil && int64(len(buf)) < req.ContentLength:
		err = io.ErrUnexpectedEOF
	}
	return buf, err
}

// rejectBody answers a request whose body could not be read.
func rejectBody(w http.ResponseWriter, err error) {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		w.Header().Set("Connection", "close") // the rest of the body is not read
		http.Error(w, fmt.Sprintf("body too large: the limit is %d bytes", tooLarge.Limit), http.StatusRequestEntityTooLarge)
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		http.Error(w, "body too slow", http.StatusRequestTimeout)
	default:
		http.Error(w, "reading the body: "+err.Error(), http.StatusBadRequest)
	}
}

// readMost appends bytes of in to buf until the end or until so many have come.
func readMost(buf []byte, in io.Reader, most int64) ([]byte, error) {
	for most > 0 {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		room := buf[len(buf):cap(buf)]
		n, err := in.Read(room[:min(int64(len(room)), most)])
		buf = buf[:len(buf)+n]
		most -= int64(n)
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
	}
	return buf, nil
}
