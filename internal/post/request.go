package post

import (
	"bufio"
	"bytes"
	"net/http"
	"regexp"
	"strings"
)

// endOfHead ends the head of a request.
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

// isPlain reports whether the fields of a head describe a body of known size, for one host, and nothing else that
// matters to the connection.
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
