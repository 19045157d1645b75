package rpcserver

import (
	"context"
	"errors"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/vm"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
)

// wireError gives errors of the packages below that any method can meet the form the profile asks for;
// others come back as they are.
func (n *Network) wireError(err error) error {
	var (
		revert *evmstate.RevertError
		pruned *chain.PrunedError
		span   *preconf.RangeError
	)
	switch {
	case errors.As(err, &revert):
		return n.revertError(revert)
	case errors.Is(err, preconf.ErrUnknownBlock):
		return errorf(n.unknownBlockCode(), "%s", err)
	case errors.As(err, &span):
		return invalidParams("%s", err)
	case errors.As(err, &pruned):
		return errorf(codeServer, "%s", err)
	}
	return err
}

// revertError is the error of a call that reverted.
func (n *Network) revertError(revert *evmstate.RevertError) *Error {
	if n.Profile == Geth {
		return &Error{Code: codeReverted, Message: revert.Error(), Data: hexutil.Bytes(revert.Data)}
	}
	// Contract section 7: -32000, this message, and data when there is any (geth: 3, with the reason).
	wire := &Error{Code: codeServer, Message: "execution reverted"}
	if len(revert.Data) > 0 {
		wire.Data = hexutil.Bytes(revert.Data)
	}
	return wire
}

// unknownBlockCode is the code for a block number or hash that does not exist (design section 5).
func (n *Network) unknownBlockCode() int {
	if n.Profile == Geth {
		return codeServer
	}
	return codeNotFound
}

// undecodableCode is the code for bytes that are not what they should encode.
func (n *Network) undecodableCode() int {
	if n.Profile == Geth {
		return codeServer
	}
	return codeInvalidParams
}

// badInput turns the timeline's refusal of a value into an error about the request's parameters.
func (r *request) badInput(err error) error {
	var wire *Error
	switch {
	case err == nil, errors.As(err, &wire), errors.Is(err, preconf.ErrUnknownBlock), errors.Is(err, context.Canceled):
		return err
	}
	return invalidParams("%s: %s", r.method, err)
}

// refused is the error of what the engine or the pool did not accept: -32000 with the reason, as there is
// nothing else it could be than the request's fault. A revert keeps its own form.
func refused(err error) error {
	var revert *evmstate.RevertError
	if err == nil || errors.As(err, &revert) || errors.Is(err, context.Canceled) {
		return err
	}
	return errorf(codeServer, "%s", err)
}

// simulationError is the error of a simulation that was refused as a whole.
func simulationError(profile Profile, err error) error {
	var invalid *simulate.InvalidCallError
	if errors.As(err, &invalid) {
		return errorf(invalidCallCode(invalid), "%s", err)
	}
	for _, known := range simulationCodes {
		if !errors.Is(err, known.err) {
			continue
		}
		if profile == Geth {
			return errorf(known.geth, "%s", err)
		}
		return errorf(known.spec, "%s", err)
	}
	return refused(err)
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
