package bundler

import (
	"bytes"
	"errors"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// refused returns the error of an operation that is sent and for which handleOps fails with that error.
func (b *bundle) refused(failure error) error {
	var reverted *evmstate.RevertError
	if !errors.As(failure, &reverted) {
		return api.Errorf(codeRejected, "the bundle of the operation fails: %s", failure)
	}
	err := refusalOf(b.reason(reverted.Data), b.Operation)
	if err == nil {
		return rejected(codeRejected, "the bundle of the operation fails", reverted)
	}
	asked, paymaster := validation, (*common.Address)(nil)
	if strings.HasPrefix(err.Message, "AA3") {
		asked, paymaster = payment, b.paymaster()
	}
	switch err.Code {
	case codeSignature:
		v := b.validity(asked)
		if paymaster == nil && v != nil && v.aggregator != (common.Address{}) && v.aggregator != wrongSignature {
			return api.Errorf(codeAggregator, "AA24 signature error (the account wants the aggregator %s, and this bundler asks none: let the account check its signature itself)", v.aggregator)
		}
	case codeTime:
		if v := b.validity(asked); v != nil {
			err.Data = validityObject{hexutil.Uint64(v.after), hexutil.Uint64(v.until), paymaster}
		}
	}
	return err
}

// wrongSignature stands in the place of an aggregator.
var wrongSignature = common.Address{19: 1}

// reason returns an EntryPoint's reason for revert data, or "". Some EntryPoints have none for contracts that are not
// there or answer too little.
func (b *bundle) reason(data []byte) string {
	reason, paymaster := failedOp(data), b.paymaster()
	factory, _ := b.factory()
	asksPaymaster := len(data) == 0 || strings.HasPrefix(reason, "AA33") || strings.HasPrefix(reason, "AA35")
	switch {
	case len(data) == 0 && factory == nil && b.Authorization == nil && !b.hasCode(*b.Sender):
		return "AA20 account not deployed"
	case asksPaymaster && paymaster != nil && !b.hasCode(*paymaster):
		return "AA30 paymaster not deployed"
	case len(data) == 0 && b.validity(validation) == nil:
		return validation
	case len(data) == 0 && paymaster != nil && b.validity(payment) == nil:
		return payment
	}
	return reason
}

// hasCode reports whether an account has code in the block being built.
func (b *bundle) hasCode(account common.Address) bool {
	state, err := b.Account(&api.BlockTag{Kind: api.TagPending}, account)
	return err != nil || len(state.Code(account)) > 0
}

// refusalOf returns the error of an operation that an EntryPoint refuses for that reason, or nil if it is none.
func refusalOf(reason string, o *Operation) *jsonrpc.Error {
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

// failedOp returns the reason in the errors FailedOp and FailedOpWithRevert of EntryPoints, and in those that they have
// in plain words, or "".
func failedOp(data []byte) string {
	if reason := (&evmstate.RevertError{Data: data}).Reason(); strings.HasPrefix(reason, "AA") {
		return reason
	}
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
