package bundler

import (
	"bytes"
	"errors"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Codes of ERC-7769. codeExecution is that of other bundlers.
const (
	codeRejected  = -32500 // by the EntryPoint or the account
	codePaymaster = -32501 // by the paymaster
	codeRules     = -32502 // of ERC-7562
	codeTime      = -32503 // not due yet, or expired
	codeSignature = -32507 // of the account or the paymaster
	codeDeposit   = -32508 // the paymaster's does not cover the operation
	codeExecution = -32521 // the account's call reverts
)

// reasons hold, by the beginning of an EntryPoint's reason, the code of the refusal and what to do.
var reasons = []struct {
	reason string
	code   int
	remedy string
}{
	{"AA10", codeRejected, "leave the factory out: the account is deployed"},
	{"AA13", codeRejected, "look at the factory's call, or raise verificationGasLimit"},
	{"AA14", codeRejected, "the sender is not the address that the factory deploys at"},
	{"AA15", codeRejected, "the factory deployed no account"},
	{"AA20", codeRejected, "deploy the account, or give a factory"},
	{"AA21", codeRejected, "give the sender ether, or a deposit at the EntryPoint"},
	{"AA22", codeTime, "the account's time range does not hold the next block's time"},
	{"AA23", codeRejected, "validateUserOp of the account reverted"},
	{"AA24", codeSignature, "the account does not accept the signature: is the hash of this EntryPoint and chain signed?"},
	{"AA25", codeRejected, "take the nonce from getNonce of the EntryPoint, operations in the pool counted in"},
	{"AA26", codeRejected, "raise verificationGasLimit"},
	{"AA27", codeTime, "the account's range of blocks does not hold the next block"},
	{"AA31", codeDeposit, "give the paymaster a deposit at the EntryPoint"},
	{"AA32", codeTime, "the paymaster's time range does not hold the next block's time"},
	{"AA34", codeSignature, "the paymaster does not accept its signature"},
	{"AA37", codeTime, "the paymaster's range of blocks does not hold the next block"},
	{"AA3", codePaymaster, "look at the paymaster and its data"},
	{"AA40", codeRejected, "raise verificationGasLimit"},
	{"AA41", codeRejected, "raise verificationGasLimit"},
	{"AA5", codePaymaster, "postOp of the paymaster failed"},
	{"AA9", codeRejected, "the limits of the operation do not fit"},
	{"AA", codeRejected, "the EntryPoint refuses the operation"},
}

// refusedWith returns the error of an operation that is sent and for which handleOps fails with that error. From v0.7
// on an EntryPoint has no words for a sender without code.
func (o *Operation) refusedWith(r *api.Request, failure error) error {
	var reverted *evmstate.RevertError
	factory, _ := o.factory()
	if factory == nil && o.Authorization == nil && errors.As(failure, &reverted) && len(reverted.Data) == 0 {
		state, err := r.Account(&api.BlockTag{Kind: api.TagPending}, *o.Sender)
		if err == nil && len(state.Code(*o.Sender)) == 0 {
			return refusalOf("AA20 account not deployed", o)
		}
	}
	return refusal(failure, o)
}

// refusal returns the error of an operation for which handleOps fails with that error.
func refusal(failure error, o *Operation) error {
	var reverted *evmstate.RevertError
	if !errors.As(failure, &reverted) {
		return api.Errorf(codeRejected, "the bundle of the operation fails: %s", failure)
	}
	if err := refusalOf(failedOp(reverted.Data), o); err != nil {
		return err
	}
	return rejected(codeRejected, "the bundle of the operation fails", reverted)
}

// refusalOf returns the error of an operation that an EntryPoint refuses for that reason, or nil if it is none.
func refusalOf(reason string, o *Operation) error {
	for _, known := range reasons {
		if !strings.HasPrefix(reason, known.reason) {
			continue
		}
		err := api.Errorf(known.code, "%s (%s)", reason, known.remedy)
		if known.code == codePaymaster || known.code == codeDeposit {
			err.Data = map[string]any{"paymaster": o.paymaster()}
		}
		return err
	}
	return nil
}

// rejected returns the error of a call that one step of an operation fails with.
func rejected(code int, what string, failure error) *jsonrpc.Error {
	var reverted *evmstate.RevertError
	if !errors.As(failure, &reverted) {
		return api.Errorf(code, "%s: %s", what, failure)
	}
	err := api.Errorf(code, "%s%s", what, strings.TrimPrefix(reverted.Error(), "execution reverted"))
	err.Data = hexutil.Bytes(reverted.Data)
	return err
}

// failedOp returns the reason in the errors FailedOp and FailedOpWithRevert of EntryPoints, or "".
func failedOp(data []byte) string {
	for _, declared := range []abi.Error{entrypoint.FailedOp(), entrypoint.FailedOpWithRevert()} {
		if !bytes.HasPrefix(data, declared.ID[:4]) {
			continue
		}
		values, err := declared.Inputs.Unpack(data[4:])
		if err != nil {
			return ""
		}
		reason := values[1].(string)
		if len(values) > 2 {
			if inner := (&evmstate.RevertError{Data: values[2].([]byte)}).Reason(); inner != "" {
				reason += ": " + inner
			}
		}
		return reason
	}
	return ""
}
