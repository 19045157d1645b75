package api

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
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// The error codes of the API. JSON-RPC 2.0 owns -32768..-32000, execution-apis the rest.
const (
	codeParse           = jsonrpc.CodeParse          // not JSON
	codeInvalidRequest  = jsonrpc.CodeInvalidRequest // JSON, but no request; or a batch that is empty or too large
	CodeMethodNotFound  = jsonrpc.CodeMethodNotFound // unknown, switched off, or not available on this transport
	CodeInvalidParams   = jsonrpc.CodeInvalidParams  // missing, surplus or malformed parameter
	CodeInternal        = jsonrpc.CodeInternal       // a bug of the node; the only errors that are logged
	CodeServer          = jsonrpc.CodeServer         // execution reverted (contract 7-revert) and whatever has no code of its own
	CodeNotFound        = -32001                     // unknown block
	CodeUnavailable     = jsonrpc.CodeUnavailable    // took too long
	CodeVMError         = -32015                     // a simulated call failed other than by revert
	CodeReverted        = 3                          // execution reverted, under the geth profile
	CodeSyncTimeout     = 4                          // eth_sendRawTransactionSync: no receipt in time (EIP-7966)
	codeNonceTooLow     = -38010                     // eth_simulateV1, from here on
	codeNonceTooHigh    = -38011
	codeFeeTooLow       = -38012 // maximum fee under the block's base fee
	CodeIntrinsicGas    = -38013 // gas under what the transaction costs before it runs
	codeFunds           = -38014 // balance under gas * price + value
	CodeBlockGasLimit   = -38015
	CodeBlockOrder      = -38020 // block numbers must rise
	CodeTimestampOrder  = -38021 // timestamps must rise
	codePrecompileSelf  = -38022 // precompile moved onto itself
	codePrecompileTwice = -38023 // two precompiles moved to one address
	codeInitCodeSize    = -38025
	CodeClientLimit     = -38026 // more blocks or gas than a request may ask for
)

// Errorf returns an error of the wire with a formatted message.
func Errorf(code int, format string, args ...any) *jsonrpc.Error {
	return jsonrpc.Errorf(code, format, args...)
}

// TooLarge returns the error (-32000) of a result that the answer has no room for.
func TooLarge(format string, args ...any) *jsonrpc.Error {
	err := Errorf(CodeServer, format, args...)
	err.TooLarge = true
	return err
}

// InvalidParams returns the error (-32602) that describes what is wrong with a parameter: out of range, contradictory,
// too many.
func InvalidParams(format string, args ...any) *jsonrpc.Error {
	return Errorf(CodeInvalidParams, format, args...)
}

// Excerpt shortens what a client sent so that an error message can quote it.
func Excerpt[T ~string | ~[]byte](given T) string { return jsonrpc.Excerpt(given) }

// rejection is an error of the packages below of which the method knows what it means for the client.
type rejection struct {
	meaning meaning
	err     error
}

// meaning classifies a rejection, which decides its code.
type meaning int

const (
	_ meaning = iota // no rejection
	// badValue is an error in the values of the request's parameters: -32602.
	badValue
	// notAccepted is a rejection by the engine or the pool: -32000 with the reason, as only the request can be at fault.
	notAccepted
	// undecodable is an error in bytes that are not what they should encode: -32602, under the geth profile -32000.
	undecodable
	// badSimulation is an error of a simulation that was rejected as a whole: -38010 and below, else as notAccepted.
	badSimulation
	// failed is the failure of a call that was executed: as notAccepted.
	failed
)

func (r *rejection) Error() string { return r.err.Error() }

// Unwrap returns the error of the package below.
func (r *rejection) Unwrap() error { return r.err }

// BadInput marks an error of the timeline as one about the values of the request's parameters. Nil stays nil.
func (r *Request) BadInput(err error) error {
	if err == nil {
		return nil
	}
	return &rejection{badValue, fmt.Errorf("%s: %w", r.Method, err)}
}

// Refused marks an error as what the engine or the pool did not accept. Nil stays nil.
func Refused(err error) error {
	if err == nil {
		return nil
	}
	return &rejection{notAccepted, err}
}

// Failed marks an error as the failure of a call or transaction that was executed. Nil stays nil.
func Failed(err error) error {
	if err == nil {
		return nil
	}
	return &rejection{failed, err}
}

// Failure returns the failure that Failed marked in err: an *evmstate.RevertError or an error of go-ethereum's vm
// package. Nil: err is none.
func Failure(err error) error {
	var rejected *rejection
	if errors.As(err, &rejected) && rejected.meaning == failed {
		return rejected.err
	}
	return nil
}

// RefusedSimulation marks an error of a simulation that was rejected as a whole.
func RefusedSimulation(err error) error { return &rejection{badSimulation, err} }

// Undecodable returns the error about bytes that are not what they should encode.
func Undecodable(format string, args ...any) error {
	return &rejection{undecodable, fmt.Errorf(format, args...)}
}

// ToWire is the one translator of errors: it returns what a client sees of an error of a method or of the packages
// below, in the form the profile asks for. It returns nil for an error it does not know, which is a bug of the node.
func ToWire(profile shape.Profile, err error) *jsonrpc.Error {
	var (
		wire     *jsonrpc.Error
		rejected *rejection
		revert   *evmstate.RevertError
		span     *preconf.RangeError
		pruned   *chain.PrunedError
		missing  *remote.Error
	)
	var means meaning
	if errors.As(err, &rejected) {
		means = rejected.meaning
	}
	switch {
	case errors.As(err, &wire):
		return wire
	case errors.As(err, &missing):
		return Errorf(CodeServer, "%s", missing)
	case errors.Is(err, context.Canceled):
		return nil // the wire's own
	case means == badValue && !errors.Is(err, preconf.ErrUnknownBlock):
		return InvalidParams("%s", err)
	case errors.As(err, &revert):
		return revertError(profile, revert)
	case means == undecodable && profile == shape.Geth:
		return Errorf(CodeServer, "%s", err)
	case means == undecodable, errors.As(err, &span):
		return InvalidParams("%s", err)
	case errors.As(err, &pruned), errors.Is(err, chain.ErrNoProof):
		return Errorf(CodeServer, "%s", err)
	}
	switch {
	case timedOut(err) && profile == shape.Spec:
		return Errorf(CodeUnavailable, "%s", err) // geth: -32000
	case means == badSimulation:
		return Errorf(simulationCode(profile, err), "%s", err)
	case means == notAccepted, means == failed:
		return Errorf(CodeServer, "%s", err)
	case errors.Is(err, preconf.ErrUnknownBlock) && profile == shape.Geth:
		return Errorf(CodeServer, "%s", err)
	case errors.Is(err, preconf.ErrUnknownBlock):
		return Errorf(CodeNotFound, "%s", err)
	}
	return nil
}

// timedOut reports whether a call or a trace ran longer than it may.
func timedOut(err error) bool {
	var call *simulate.TimeoutError
	return errors.As(err, &call) || errors.Is(err, trace.ErrTimeout)
}

// revertError returns the error of a call that reverted (contract 7-revert).
func revertError(profile shape.Profile, revert *evmstate.RevertError) *jsonrpc.Error {
	// Clients take an error without data for one that is no revert: data is there even if it is empty.
	if profile == shape.Geth {
		return &jsonrpc.Error{Code: CodeReverted, Message: revert.Error(), Data: hexutil.Bytes(revert.Data)}
	}
	return &jsonrpc.Error{Code: CodeServer, Message: "execution reverted", Data: hexutil.Bytes(revert.Data)}
}

// simulationCode returns the code for a simulation that was rejected as a whole.
func simulationCode(profile shape.Profile, err error) int {
	var invalid *simulate.InvalidCallError
	if errors.As(err, &invalid) {
		return invalidCallCode(invalid)
	}
	for _, known := range simulationCodes {
		switch {
		case !errors.Is(err, known.err):
		case profile == shape.Geth:
			return known.geth
		default:
			return known.spec
		}
	}
	return CodeServer
}

// simulationCodes are the codes of what is wrong with a simulation as a whole (execution-apis).
var simulationCodes = []struct {
	err        error
	spec, geth int
}{
	{simulate.ErrEmptyPayload, CodeInvalidParams, CodeInvalidParams},
	{simulate.ErrTooManyBlocks, CodeClientLimit, CodeClientLimit},
	{simulate.ErrTooManyCalls, CodeClientLimit, CodeClientLimit},
	{simulate.ErrBlockNumberOrder, CodeBlockOrder, CodeBlockOrder},
	{simulate.ErrBlockTimeOrder, CodeTimestampOrder, CodeTimestampOrder},
	{simulate.ErrBlockGasLimit, CodeBlockGasLimit, CodeBlockGasLimit},
	{simulate.ErrMoveToSelf, codePrecompileSelf, CodeServer},
	{simulate.ErrMoveTarget, codePrecompileTwice, CodeServer},
	{simulate.ErrStateAndDiff, CodeInvalidParams, CodeServer},
}

// invalidCallCode is the code for a call that no block could include; -32603 is what geth answers where
// execution-apis names no code.
func invalidCallCode(invalid *simulate.InvalidCallError) int {
	for _, known := range invalidCallCodes {
		if errors.Is(invalid, known.err) {
			return known.code
		}
	}
	return CodeInternal
}

var invalidCallCodes = []struct {
	err  error
	code int
}{
	{core.ErrNonceTooLow, codeNonceTooLow},
	{core.ErrNonceTooHigh, codeNonceTooHigh},
	{core.ErrFeeCapTooLow, codeFeeTooLow},
	{core.ErrIntrinsicGas, CodeIntrinsicGas},
	{core.ErrFloorDataGas, CodeIntrinsicGas},
	{core.ErrInsufficientFunds, codeFunds},
	{core.ErrInsufficientFundsForTransfer, codeFunds},
	{vm.ErrMaxInitCodeSizeExceeded, codeInitCodeSize},
	{core.ErrFeeCapVeryHigh, CodeInvalidParams},
	{core.ErrTipVeryHigh, CodeInvalidParams},
	{core.ErrTipAboveFeeCap, CodeInvalidParams},
}
