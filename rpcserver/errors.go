package rpcserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// The error codes of the API. JSON-RPC 2.0 owns -32768..-32000, execution-apis the rest.
const (
	codeParse           = -32700 // not JSON
	codeInvalidRequest  = -32600 // JSON, but no request; or a batch that is empty or too large
	codeMethodNotFound  = -32601 // unknown, switched off, or not available on this transport
	codeInvalidParams   = -32602 // missing, surplus or malformed parameter
	codeInternal        = -32603 // our fault: the only errors that are logged
	codeServer          = -32000 // execution reverted (contract section 7) and whatever has no code of its own
	codeNotFound        = -32001 // unknown block
	codeUnavailable     = -32002 // took too long
	codeVMError         = -32015 // a simulated call failed other than by revert
	codeReverted        = 3      // execution reverted, under the geth profile
	codeSyncTimeout     = 4      // eth_sendRawTransactionSync: no receipt in time (EIP-7966)
	codeNonceTooLow     = -38010 // eth_simulateV1, from here on
	codeNonceTooHigh    = -38011
	codeFeeTooLow       = -38012 // maximum fee under the block's base fee
	codeIntrinsicGas    = -38013 // gas under what the transaction costs before it runs
	codeFunds           = -38014 // balance under gas * price + value
	codeBlockGasLimit   = -38015
	codeBlockOrder      = -38020 // block numbers must rise
	codeTimestampOrder  = -38021 // timestamps must rise
	codePrecompileSelf  = -38022 // precompile moved onto itself
	codePrecompileTwice = -38023 // two precompiles moved to one address
	codeSenderNotEOA    = -38024
	codeInitCodeSize    = -38025
	codeClientLimit     = -38026 // more blocks or gas than a request may ask for
)

// Error is an error as it goes over the wire. It satisfies go-ethereum's rpc.Error and rpc.DataError.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	// Data is anything encoding/json can encode; nil leaves the member out. For a revert it is the
	// returned bytes in hex (contract section 7).
	Data any `json:"data,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// ErrorCode returns the JSON-RPC error code.
func (e *Error) ErrorCode() int { return e.Code }

// ErrorData returns the data member, nil for none.
func (e *Error) ErrorData() any { return e.Data }

// errorf returns an Error with a formatted message.
func errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// invalidParams returns the error (-32602) that says what is wrong with a parameter: out of range, contradictory, too many.
func invalidParams(format string, args ...any) *Error {
	return errorf(codeInvalidParams, format, args...)
}

func methodNotFound(method string) *Error {
	return errorf(codeMethodNotFound, "the method %s does not exist/is not available", excerpt(method))
}

var (
	errInternal           = &Error{Code: codeInternal, Message: "internal error"}
	errNeedsSubscriptions = &Error{Code: codeMethodNotFound, Message: "notifications not supported: subscriptions need a WebSocket connection"}
)

// toWire turns any error into one a client may see. An error it does not know is our fault: its text
// stays in the log, the client gets -32603.
func toWire(err error) *Error {
	var wire *Error
	switch {
	case errors.As(err, &wire):
		return wire
	case errors.Is(err, context.Canceled):
		return errorf(codeServer, "request cancelled: the client went away or the node is closing")
	case errors.Is(err, context.DeadlineExceeded):
		return errorf(codeUnavailable, "request timed out")
	}
	return errInternal
}

// excerpt shortens what a client sent so that an error message can quote it.
func excerpt[T ~string | ~[]byte](given T) string {
	const most = 80
	if len(given) <= most {
		return string(given)
	}
	return strings.ToValidUTF8(string(given[:most]), "") + fmt.Sprintf("… (%d bytes)", len(given))
}
