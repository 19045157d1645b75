package post

import (
	"bufio"
	"bytes"
	"net/http"
)

// endOfHead ends the head of a request.
var endOfHead = []byte("\r\n\r\n")

// parse returns the request of a whole head, or nil if net/http has to answer it. It accepts only a plain POST over
// HTTP/1.1 with a body of known size that keeps the connection open.
func parse(head []byte) *http.Request {
	req, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(head)))
	if err != nil || !isPlain(head) || req.Method != http.MethodPost || req.ProtoMajor != 1 || req.ProtoMinor != 1 ||
		req.Close || req.Host == "" || req.ContentLength <= 0 || req.Header.Get("Expect") != "" {
		return nil
	}
	return req
}

// isPlain reports whether a head has only printable ASCII: net/http's server rejects some other bytes.
func isPlain(head []byte) bool {
	return !bytes.ContainsFunc(head, func(r rune) bool { return (r < ' ' || r > '~') && r != '\r' && r != '\n' })
}
