package api

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/vm"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// The error codes of the API. JSON-RPC 2.0 owns -32768..-32000, execution-apis the rest.
const (
	CodeMethodNotFound  = jsonrpc.CodeMethodNotFound // unknown, switched off, or not available on this transport
	CodeInvalidParams   = jsonrpc.CodeInvalidParams  // missing, surplus or malformed parameter
	CodeInternal        = jsonrpc.CodeInternal       // a bug of the node; the only errors that are logged
	CodeServer          = jsonrpc.CodeServer         // execution reverted (contract 7-revert) and all errors without a code of their own
	CodeNotFound        = -32001                     // unknown block
	CodeUnavailable     = jsonrpc.CodeUnavailable    // took too long
	CodeVMError         = -32015                     // a simulated call failed other than by revert
	CodeReverted        = 3                          // execution reverted, under the geth profile
	CodeSyncTimeout     = 4                          // eth_sendRawTransactionSync: no receipt in time (EIP-7966)
	CodeNotReady        = 5                          // eth_sendRawTransactionSync: it waits for more than time (EIP-7966)
	CodeNonceGap        = 6                          // eth_sendRawTransactionSync: an earlier nonce is missing (EIP-7966)
	codeNonceTooLow     = -38010                     // eth_simulateV1, from here on
	codeNonceTooHigh    = -38011
	codeFeeTooLow       = -38012 // maximum fee under the block's base fee
	CodeIntrinsicGas    = -38013 // gas under the cost of the transaction before it runs
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

// TooLarge returns the error (-32000) for a result that does not fit into the answer.
func TooLarge(format string, args ...any) *jsonrpc.Error {
	err := Errorf(CodeServer, format, args...)
	err.TooLarge = true
	return err
}

// InvalidParams returns the error (-32602) for a parameter that is out of range or contradictory, or one too many.
func InvalidParams(format string, args ...any) *jsonrpc.Error {
	return Errorf(CodeInvalidParams, format, args...)
}

// Excerpt shortens a client's value so that an error message can quote it.
func Excerpt[T ~string | ~[]byte](given T) string { return jsonrpc.Excerpt(given) }

// rejection is an error of the packages below, with the meaning that the method gives it for the client.
type rejection struct {
	meaning meaning
	err     error
}

// meaning classifies a rejection, which decides its code.
type meaning int

const (
	_ meaning = iota // no rejection
	// badValue marks an error in the values of the request's parameters: -32602.
	badValue
	// notAccepted marks a rejection by the engine or the pool of what only the request can be at fault for: -32000.
	notAccepted
	// undecodable marks an error in bytes with a wrong encoding: -32602, under the geth profile -32000.
	undecodable
	// badSimulation marks a simulation that was rejected as a whole: -38010 and below, else as notAccepted.
	badSimulation
	// failed marks the failure of a call that was executed: as notAccepted.
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

// Refused marks an error as a rejection by the engine or the pool. Nil stays nil.
func Refused(err error) error { return mark(notAccepted, err) }

// Failed marks an error as the failure of a call or transaction that was executed. Nil stays nil.
func Failed(err error) error { return mark(failed, err) }

func mark(as meaning, err error) error {
	if err == nil {
		return nil
	}
	return &rejection{as, err}
}

// Failure returns the failure that Failed marked, an *evmstate.RevertError or one of package vm; nil if none.
func Failure(err error) error {
	if rejected, ok := errors.AsType[*rejection](err); ok && rejected.meaning == failed {
		return rejected.err
	}
	return nil
}

// RefusedSimulation marks an error of a simulation that was rejected as a whole.
func RefusedSimulation(err error) error { return &rejection{badSimulation, err} }

// Undecodable returns the error for bytes with a wrong encoding.
func Undecodable(format string, args ...any) error {
	return &rejection{undecodable, fmt.Errorf(format, args...)}
}

// IsUndecodable reports whether err is one of Undecodable.
func IsUndecodable(err error) bool {
	return meaningOf(err) == undecodable
}

// UnknownAccountError is the error of a method that needs the key of an account, and the node has none.
type UnknownAccountError struct{ Account common.Address }

func (e *UnknownAccountError) Error() string {
	return fmt.Sprintf("unknown account %s: the node has no key for it; anvil_impersonateAccount lets you send from it", e.Account)
}

// ToWire is the one translator of errors: it returns the error that a client sees for an error of a method or of the
// packages below, in the form that b asks for. It returns nil for an unknown error, which is a bug of the node.
func ToWire(b *Behaviour, err error) *jsonrpc.Error {
	var (
		wire    *jsonrpc.Error
		budget  *control.BudgetError
		missing *remote.Error
		revert  *evmstate.RevertError
	)
	unknownBlock := errors.As(err, new(*preconf.UnknownBlockError))
	switch {
	case errors.As(err, &wire):
		return wire
	case errors.As(err, &budget):
		return Errorf(CodeServer, "%s", budget)
	case errors.As(err, &missing):
		return Errorf(CodeServer, "%s", missing)
	case errors.Is(err, context.Canceled):
		return nil // a wire error already
	case meaningOf(err) == badValue && !unknownBlock:
		return InvalidParams("%s", err)
	case errors.As(err, &revert):
		return revertError(b, revert)
	}
	switch code := codeOf(b, err); {
	case code != 0:
		return Errorf(code, "%s", err)
	case unknownBlock && b.HeaderNotFound:
		return Errorf(CodeServer, "%s", gethMissing(err))
	case unknownBlock:
		return Errorf(CodeNotFound, "%s", err)
	}
	return nil
}

// codeOf returns the code of an error whose text a client gets as it is, or 0.
func codeOf(b *Behaviour, err error) int {
	switch means := meaningOf(err); {
	case means == undecodable && b.FewCodes, errors.As(err, new(*chain.PrunedError)), errors.Is(err, chain.ErrNoProof):
		return CodeServer
	case means == undecodable, errors.As(err, new(*filter.RangeError)):
		return CodeInvalidParams
	case TimedOut(err) && !b.FewCodes:
		return CodeUnavailable
	case means == badSimulation:
		return simulationCode(b, err)
	case means == notAccepted, means == failed:
		return CodeServer
	}
	return 0
}

// meaningOf returns the meaning that a method gave err, or 0.
func meaningOf(err error) meaning {
	if rejected, ok := errors.AsType[*rejection](err); ok {
		return rejected.meaning
	}
	return 0
}

// gethMissing returns geth's words for an unknown block, for which clients look.
func gethMissing(err error) string {
	if missing, ok := errors.AsType[*preconf.UnknownBlockError](err); ok && missing.Hash != nil {
		return "header for hash not found"
	}
	return "header not found"
}

// TimedOut reports whether a call or a trace exceeded its time limit.
func TimedOut(err error) bool {
	var call *simulate.TimeoutError
	return errors.As(err, &call) || errors.Is(err, trace.ErrTimeout)
}

// revertError returns the error of a call that reverted (contract 7-revert).
func revertError(b *Behaviour, revert *evmstate.RevertError) *jsonrpc.Error {
	// Clients do not recognise a revert without data: data is there even if it is empty.
	if b.RevertReason {
		return &jsonrpc.Error{Code: CodeReverted, Message: revert.Error(), Data: hexutil.Bytes(revert.Data)}
	}
	return &jsonrpc.Error{Code: CodeServer, Message: "execution reverted", Data: hexutil.Bytes(revert.Data)}
}

// simulationCode returns the code for a simulation that was rejected as a whole.
func simulationCode(b *Behaviour, err error) int {
	for _, known := range simulationCodes {
		switch {
		case !errors.Is(err, known.err):
		case b.FewCodes:
			return known.few
		default:
			return known.code
		}
	}
	if _, invalid := errors.AsType[*simulate.InvalidCallError](err); invalid {
		return CodeInternal // as in geth, where execution-apis names no code
	}
	return CodeServer
}

// simulationCodes are the codes for simulations that are rejected as a whole (execution-apis): by themselves, and for a
// call that no block could include.
var simulationCodes = []struct {
	err       error
	code, few int // few: with Behaviour.FewCodes
}{
	{simulate.ErrEmptyPayload, CodeInvalidParams, CodeInvalidParams},
	{simulate.ErrDifficulty, CodeInvalidParams, CodeInvalidParams},
	{simulate.ErrTooManyBlocks, CodeClientLimit, CodeClientLimit},
	{simulate.ErrTooManyCalls, CodeClientLimit, CodeClientLimit},
	{simulate.ErrBlockNumberOrder, CodeBlockOrder, CodeBlockOrder},
	{simulate.ErrBlockTimeOrder, CodeTimestampOrder, CodeTimestampOrder},
	{simulate.ErrBlockGasLimit, CodeBlockGasLimit, CodeBlockGasLimit},
	{simulate.ErrMoveToSelf, codePrecompileSelf, CodeServer},
	{simulate.ErrMoveTarget, codePrecompileTwice, CodeServer},
	{simulate.ErrStateAndDiff, CodeInvalidParams, CodeServer},

	{core.ErrNonceTooLow, codeNonceTooLow, codeNonceTooLow},
	{core.ErrNonceTooHigh, codeNonceTooHigh, codeNonceTooHigh},
	{core.ErrFeeCapTooLow, codeFeeTooLow, codeFeeTooLow},
	{core.ErrIntrinsicGas, CodeIntrinsicGas, CodeIntrinsicGas},
	{core.ErrFloorDataGas, CodeIntrinsicGas, CodeIntrinsicGas},
	{core.ErrInsufficientFunds, codeFunds, codeFunds},
	{core.ErrInsufficientFundsForTransfer, codeFunds, codeFunds},
	{vm.ErrMaxInitCodeSizeExceeded, codeInitCodeSize, codeInitCodeSize},
	{core.ErrFeeCapVeryHigh, CodeInvalidParams, CodeInvalidParams},
	{core.ErrTipVeryHigh, CodeInvalidParams, CodeInvalidParams},
	{core.ErrTipAboveFeeCap, CodeInvalidParams, CodeInvalidParams},
}

const (
	// noteOfCodeless is the name under which a timeline has the addresses of Codeless, one after another.
	noteOfCodeless = "codeless"
	// maxCodeless is how many addresses Codeless returns at most.
	maxCodeless = 1024
)

// Codeless returns the addresses without code that transactions with data went to, in ascending order.
func Codeless(m *preconf.Moment) []common.Address {
	var all []common.Address
	for address := range slices.Chunk(m.Control().Notes[noteOfCodeless], common.AddressLength) {
		all = append(all, common.Address(address))
	}
	return all
}

// AddCodeless adds an address to those of Codeless, and reports whether it was new and had room.
func AddCodeless(t *preconf.Timeline, address common.Address) (added bool) {
	err := t.Atomically(func(t *preconf.Timeline) error {
		all := Codeless(t.Moment())
		at, known := slices.BinarySearchFunc(all, address, common.Address.Cmp)
		if added = !known && len(all) < maxCodeless; added {
			var note []byte
			for _, a := range slices.Insert(all, at, address) {
				note = append(note, a[:]...)
			}
			return t.Set(preconf.Note(noteOfCodeless, note))
		}
		return nil
	})
	return added && err == nil
}
