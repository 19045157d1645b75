package rpcserver

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/vm"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// The error codes of the API. JSON-RPC 2.0 owns -32768..-32000, execution-apis the rest.
const (
	codeParse           = jsonrpc.CodeParse          // not JSON
	codeInvalidRequest  = jsonrpc.CodeInvalidRequest // JSON, but no request; or a batch that is empty or too large
	codeMethodNotFound  = jsonrpc.CodeMethodNotFound // unknown, switched off, or not available on this transport
	codeInvalidParams   = jsonrpc.CodeInvalidParams  // missing, surplus or malformed parameter
	codeInternal        = jsonrpc.CodeInternal       // a bug of the node; the only errors that are logged
	codeServer          = jsonrpc.CodeServer         // execution reverted (contract 7-revert) and whatever has no code of its own
	codeNotFound        = -32001                     // unknown block
	codeUnavailable     = jsonrpc.CodeUnavailable    // took too long
	codeVMError         = -32015                     // a simulated call failed other than by revert
	codeReverted        = 3                          // execution reverted, under the geth profile
	codeSyncTimeout     = 4                          // eth_sendRawTransactionSync: no receipt in time (EIP-7966)
	codeNonceTooLow     = -38010                     // eth_simulateV1, from here on
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

// errorf returns an error of the wire with a formatted message.
func errorf(code int, format string, args ...any) *Error {
	return jsonrpc.Errorf(code, format, args...)
}

// invalidParams returns the error (-32602) that describes what is wrong with a parameter: out of range, contradictory,
// too many.
func invalidParams(format string, args ...any) *Error {
	return errorf(codeInvalidParams, format, args...)
}

// excerpt shortens what a client sent so that an error message can quote it.
func excerpt[T ~string | ~[]byte](given T) string { return jsonrpc.Excerpt(given) }

// rejection is an error of the packages below of which the method knows what it means for the client.
type rejection struct {
	meaning meaning
	err     error
}

// meaning is what a rejection means.
type meaning int

const (
	// badValue is an error in the values of the request's parameters: -32602.
	badValue meaning = iota
	// notAccepted is what the engine or the pool did not accept: -32000 with the reason, as there is nothing else it could
	// be than the request's fault.
	notAccepted
	// undecodable is an error in bytes that are not what they should encode: -32602, under the geth profile -32000.
	undecodable
	// badSimulation is an error of a simulation that was rejected as a whole: -38010 and below, else as notAccepted.
	badSimulation
)

func (r *rejection) Error() string { return r.err.Error() }

// Unwrap returns the error of the package below.
func (r *rejection) Unwrap() error { return r.err }

// badInput marks an error of the timeline as one about the values of the request's parameters. Nil stays nil.
func (r *request) badInput(err error) error {
	if err == nil {
		return nil
	}
	return &rejection{badValue, fmt.Errorf("%s: %w", r.method, err)}
}

// refused marks an error as what the engine or the pool did not accept. Nil stays nil.
func refused(err error) error {
	if err == nil {
		return nil
	}
	return &rejection{notAccepted, err}
}

// undecodablef returns the error about bytes that are not what they should encode.
func undecodablef(format string, args ...any) error {
	return &rejection{undecodable, fmt.Errorf(format, args...)}
}

// toWire is the one translator of errors: it returns what a client sees of an error of a method or of the packages
// below, in the form the profile asks for. It returns nil for an error it does not know, which is a bug of the node.
func toWire(profile Profile, err error) *Error {
	var (
		wire     *Error
		rejected *rejection
		revert   *evmstate.RevertError
		span     *preconf.RangeError
		pruned   *chain.PrunedError
		missing  *remote.Error
	)
	means := meaning(-1)
	if errors.As(err, &rejected) {
		means = rejected.meaning
	}
	switch {
	case errors.As(err, &wire):
		return wire
	case errors.As(err, &missing):
		return errorf(codeServer, "%s", missing)
	case errors.Is(err, context.Canceled):
		return nil // the wire's own
	case means == badValue && !errors.Is(err, preconf.ErrUnknownBlock):
		return invalidParams("%s", err)
	case errors.As(err, &revert):
		return revertError(profile, revert)
	case means == undecodable && profile == Geth:
		return errorf(codeServer, "%s", err)
	case means == undecodable, errors.As(err, &span):
		return invalidParams("%s", err)
	case errors.As(err, &pruned), errors.Is(err, chain.ErrNoProof):
		return errorf(codeServer, "%s", err)
	}
	switch {
	case timedOut(err) && profile == Spec:
		return errorf(codeUnavailable, "%s", err) // geth: -32000
	case means == badSimulation:
		return errorf(simulationCode(profile, err), "%s", err)
	case means == notAccepted:
		return errorf(codeServer, "%s", err)
	case errors.Is(err, preconf.ErrUnknownBlock) && profile == Geth:
		return errorf(codeServer, "%s", err)
	case errors.Is(err, preconf.ErrUnknownBlock):
		return errorf(codeNotFound, "%s", err)
	}
	return nil
}

// timedOut reports whether a call or a trace ran longer than it may.
func timedOut(err error) bool {
	var call *simulate.TimeoutError
	return errors.As(err, &call) || errors.Is(err, trace.ErrTimeout)
}

// revertError returns the error of a call that reverted (contract 7-revert).
func revertError(profile Profile, revert *evmstate.RevertError) *Error {
	// Clients take an error without data for one that is no revert: data is there even if it is empty.
	if profile == Geth {
		return &Error{Code: codeReverted, Message: revert.Error(), Data: hexutil.Bytes(revert.Data)}
	}
	return &Error{Code: codeServer, Message: "execution reverted", Data: hexutil.Bytes(revert.Data)}
}

// simulationCode returns the code for a simulation that was rejected as a whole.
func simulationCode(profile Profile, err error) int {
	var invalid *simulate.InvalidCallError
	if errors.As(err, &invalid) {
		return invalidCallCode(invalid)
	}
	for _, known := range simulationCodes {
		switch {
		case !errors.Is(err, known.err):
		case profile == Geth:
			return known.geth
		default:
			return known.spec
		}
	}
	return codeServer
}

// simulationCodes are the codes of what is wrong with a simulation as a whole (execution-apis).
var simulationCodes = []struct {
	err        error
	spec, geth int
}{
	{simulate.ErrEmptyPayload, codeInvalidParams, codeInvalidParams},
	{simulate.ErrTooManyBlocks, codeClientLimit, codeClientLimit},
	{simulate.ErrTooManyCalls, codeClientLimit, codeClientLimit},
	{simulate.ErrBlockNumberOrder, codeBlockOrder, codeBlockOrder},
	{simulate.ErrBlockTimeOrder, codeTimestampOrder, codeTimestampOrder},
	{simulate.ErrBlockGasLimit, codeBlockGasLimit, codeBlockGasLimit},
	{simulate.ErrMoveToSelf, codePrecompileSelf, codeServer},
	{simulate.ErrMoveTarget, codePrecompileTwice, codeServer},
	{simulate.ErrStateAndDiff, codeInvalidParams, codeServer},
}

// invalidCallCode is the code for a call that no block could include; -32603 is what geth answers where
// execution-apis names no code.
func invalidCallCode(invalid *simulate.InvalidCallError) int {
	for _, known := range invalidCallCodes {
		if errors.Is(invalid, known.err) {
			return known.code
		}
	}
	return codeInternal
}

var invalidCallCodes = []struct {
	err  error
	code int
}{
	{core.ErrNonceTooLow, codeNonceTooLow},
	{core.ErrNonceTooHigh, codeNonceTooHigh},
	{core.ErrFeeCapTooLow, codeFeeTooLow},
	{core.ErrIntrinsicGas, codeIntrinsicGas},
	{core.ErrFloorDataGas, codeIntrinsicGas},
	{core.ErrInsufficientFunds, codeFunds},
	{core.ErrInsufficientFundsForTransfer, codeFunds},
	{core.ErrSenderNoEOA, codeSenderNotEOA},
	{vm.ErrMaxInitCodeSizeExceeded, codeInitCodeSize},
	{core.ErrFeeCapVeryHigh, codeInvalidParams},
	{core.ErrTipVeryHigh, codeInvalidParams},
	{core.ErrTipAboveFeeCap, codeInvalidParams},
}
