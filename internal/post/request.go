package post

import (
	"bufio"
	"bytes"
	"net/http"
)

// endOfHead ends the head of a request.
var endOfHead = []byte("\r\n\r\n")

// parse returns the request of a whole head, or nil for one that net/http has to answer: any but a POST over HTTP/1.1
// with a body of a known size and nothing special about it, behind which another request may come.
func parse(head []byte) *http.Request {
	req, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(head)))
	if err != nil || !isPlain(head) || req.Method != http.MethodPost || req.ProtoMajor != 1 || req.ProtoMinor != 1 ||
		req.Close || req.Host == "" || req.ContentLength <= 0 || req.Header.Get("Expect") != "" {
		return nil
	}
	return req
}

// isPlain reports whether a head has nothing but printable ASCII: of other bytes net/http's server refuses some.
func isPlain(head []byte) bool {
	return !bytes.ContainsFunc(head, func(r rune) bool { return (r < ' ' || r > '~') && r != '\r' && r != '\n' })
}
