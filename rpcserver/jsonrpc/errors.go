package jsonrpc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// The error codes of JSON-RPC 2.0, and the transport's own.
const (
	CodeParse          = -32700 // not JSON
	CodeInvalidRequest = -32600 // JSON, but no request; or a batch that is empty or too large
	CodeMethodNotFound = -32601 // unknown, switched off, or not available on this transport
	CodeInvalidParams  = -32602 // missing, surplus or malformed parameter
	CodeInternal       = -32603 // a bug of the server; the only errors that are logged
	CodeServer         = -32000 // errors without a code of their own
	CodeUnavailable    = -32002 // took too long
)

// Error is an error as it goes over the wire. It satisfies go-ethereum's rpc.Error and rpc.DataError.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	// Data is anything encoding/json can encode; nil leaves the member out.
	Data any `json:"data,omitempty"`
	// HTTPStatus is the status of an answer over HTTP all of whose calls failed with such an error. Zero: 200.
	HTTPStatus int `json:"-"`
	// RetryAfter is the header of that answer, in whole seconds. Zero: none.
	RetryAfter time.Duration `json:"-"`
	// TooLarge reports whether the result was dropped because it had no room in the answer; see Limits.MaxAnswer.
	TooLarge bool `json:"-"`
}

func (e *Error) Error() string { return e.Message }

// ErrorCode returns the JSON-RPC error code.
func (e *Error) ErrorCode() int { return e.Code }

// ErrorData returns the data member, or nil if there is none.
func (e *Error) ErrorData() any { return e.Data }

// Errorf returns an Error with a formatted message.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

var (
	errInternal           = &Error{Code: CodeInternal, Message: "internal error"}
	errNeedsSubscriptions = &Error{Code: CodeMethodNotFound, Message: "notifications not supported: subscriptions need a WebSocket connection"}
)

// tooLarge returns the error of a call whose result has no room, by a limit in bytes.
func tooLarge(format string, limit int) *Error {
	err := Errorf(CodeServer, format, limit)
	err.TooLarge = true
	return err
}

// answerTooLarge returns the error of a call whose result does not fit into the answer.
func (e *Endpoint) answerTooLarge() *Error {
	return tooLarge("answer too large: the limit is %d bytes for all results of a request", e.server.limits.MaxAnswer)
}

// toWire turns any error into one that the request's client may see, and reports whether it was known.
func (e *Endpoint) toWire(r *Request, err error) (wire *Error, known bool) {
	if wire := e.api.ToWire(r, err); wire != nil {
		return wire, true
	}
	switch {
	case errors.As(err, &wire):
		return wire, true
	case errors.Is(err, context.Canceled):
		return Errorf(CodeServer, "request cancelled: the client went away or the node is closing"), true
	case errors.Is(err, context.DeadlineExceeded):
		return Errorf(CodeUnavailable, "request timed out"), true
	}
	return errInternal, false
}

// Excerpt shortens a client's text so that an error message can quote it.
func Excerpt[T ~string | ~[]byte](given T) string {
	return beginning(given, 80)
}

// beginning returns the first bytes of a longer text, with its size, and a text of at most so many bytes unchanged.
func beginning[T ~string | ~[]byte](text T, most int) string {
	if len(text) <= most {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:most]), "") + fmt.Sprintf("… (%d bytes)", len(text))
}
