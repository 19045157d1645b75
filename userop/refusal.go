package userop

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// reasons holds, by the beginning of an EntryPoint's reason, the cause of the error and the remedy.
var reasons = []struct {
	reason string
	cause  Cause
	remedy string
}{
	{"AA10", Rejected, "leave the factory out: the account is deployed"},
	{"AA13", Rejected, "look at the factory's call, or raise verificationGasLimit"},
	{"AA14", Rejected, "the sender is not the address that the factory deploys at"},
	{"AA15", Rejected, "the factory deployed no account"},
	{"AA20", Rejected, "deploy the account, or give a factory or eip7702Auth"},
	{"AA21", Rejected, "give the sender ether, or a deposit at the EntryPoint"},
	{"AA22", NotInTime, "the account's time range does not hold the next block's time: sign the operation for another one"},
	{"AA23", Rejected, "look at validateUserOp of the account, or raise verificationGasLimit"},
	{"AA24", BadSignature, "the account does not accept the signature: is the hash of this EntryPoint and chain signed?"},
	{"AA25", Rejected, "take the nonce from getNonce of the EntryPoint, operations in the pool counted in"},
	{"AA26", Rejected, "raise verificationGasLimit"},
	{"AA27", NotInTime, "the account's range of blocks does not hold the next block: sign the operation for another one"},
	{"AA30", ByPaymaster, "the paymaster has no code: is its address that of this chain?"},
	{"AA31", LowDeposit, "give the paymaster a deposit at the EntryPoint"},
	{"AA32", NotInTime, "the paymaster's time range does not hold the next block's time: ask it for other data"},
	{"AA33", ByPaymaster, "look at validatePaymasterUserOp and the paymaster's data, or raise paymasterVerificationGasLimit"},
	{"AA34", BadSignature, "the paymaster does not accept its signature: was the operation changed after it signed?"},
	{"AA35", ByPaymaster, "validatePaymasterUserOp must return a context and a number"},
	{"AA36", ByPaymaster, "raise paymasterVerificationGasLimit"},
	{"AA37", NotInTime, "the paymaster's range of blocks does not hold the next block: ask it for other data"},
	{"AA40", Rejected, "raise verificationGasLimit"},
	{"AA41", Rejected, "raise verificationGasLimit: the paymaster needs some of it"},
	{"AA5", ByPaymaster, "look at postOp of the paymaster, or raise the limits that pay for it"},
	{"AA94", Rejected, "limits and fees must be below 2^120"},
	{reentrancy, Rejected, "the bundler's account is delegated (EIP-7702), and EntryPoint 0.9 takes bundles of accounts without code alone: end the delegation of the node's last account, or start the node with more --accounts"},
	{"AA", Rejected, "the EntryPoint refuses the operation"},
}

// refused returns the error of an operation to be sent for which handleOps fails with that error.
func (b *Bundle) refused(failure error) error {
	var reverted *evmstate.RevertError
	if !errors.As(failure, &reverted) {
		return refusedFor(Rejected, "the bundle of the operation fails: %s", failure)
	}
	err := refusalOf(b.reason(reverted.Data), b.op)
	if err == nil {
		return rejected(Rejected, "the bundle of the operation fails", reverted)
	}
	asked, paymaster := validation, (*common.Address)(nil)
	if strings.HasPrefix(err.Text, "AA3") {
		asked, paymaster = payment, b.op.paymaster()
	}
	switch err.Cause {
	case BadSignature:
		v := b.validity(asked)
		if paymaster == nil && v != nil && v.aggregator != (common.Address{}) && v.aggregator != wrongSignature {
			return refusedFor(Aggregated, "AA24 signature error (the account wants the aggregator %s, and this bundler asks none: let the account check its signature itself)", v.aggregator)
		}
	case NotInTime:
		if v := b.validity(asked); v != nil {
			err.Data = TimeRange{hexutil.Uint64(v.after), hexutil.Uint64(v.until), paymaster}
		}
	}
	return err
}

// wrongSignature is the aggregator that stands for a wrong signature.
var wrongSignature = common.Address{19: 1}

// reason returns an EntryPoint's reason for revert data, or "". Some EntryPoints give none for contracts that do not
// exist or return too little.
func (b *Bundle) reason(data []byte) string {
	reason, paymaster := failedOp(data), b.op.paymaster()
	factory, _ := b.op.factory()
	asksPaymaster := len(data) == 0 || strings.HasPrefix(reason, "AA33") || strings.HasPrefix(reason, "AA35")
	switch {
	case len(data) == 0 && factory == nil && b.op.Authorization == nil && !b.hasCode(*b.op.Sender):
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
func (b *Bundle) hasCode(account common.Address) bool {
	state, err := stateOf(b.bundler.moment().Pending(), account)
	return err != nil || len(state.Code(account)) > 0
}

// refusalOf returns the error of an operation that an EntryPoint rejects for that reason, or nil if the reason is no
// EntryPoint's.
func refusalOf(reason string, o *Operation) *Error {
	for _, known := range reasons {
		if !strings.HasPrefix(reason, known.reason) {
			continue
		}
		err := refusedFor(known.cause, "%s (%s)", reason, known.remedy)
		if known.cause == ByPaymaster || known.cause == LowDeposit {
			err.Data = Payer{o.paymaster()}
		}
		return err
	}
	return nil
}

// rejected returns the error of an operation one step of which fails.
func rejected(cause Cause, what string, failure error) *Error {
	var reverted *evmstate.RevertError
	if !errors.As(failure, &reverted) {
		return refusedFor(cause, "%s: %s", what, failure)
	}
	err := refusedFor(cause, "%s%s", what, strings.TrimPrefix(reverted.Error(), "execution reverted"))
	err.Data = hexutil.Bytes(reverted.Data)
	return err
}

// reentrancy is the error of EntryPoint 0.9 for a bundler that has code.
const reentrancy = "Reentrancy()"

// failedOp returns the reason in an EntryPoint's error FailedOp, FailedOpWithRevert or plain revert string, the name of
// reentrancy, or "".
func failedOp(data []byte) string {
	if bytes.Equal(data, crypto.Keccak256([]byte(reentrancy))[:4]) {
		return reentrancy
	}
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

// validity is an account's or a paymaster's answer to an EntryPoint.
type validity struct {
	aggregator common.Address // 1 for a wrong signature
	// The time range in Unix seconds, or a range of blocks with the highest bit of both set. Zero until: it has no end.
	after, until uint64
}

// TimeRange is the Data of the Error of an operation whose time range, as in validity, does not hold the next block.
type TimeRange struct {
	After     hexutil.Uint64  `json:"validAfter"`
	Until     hexutil.Uint64  `json:"validUntil"`
	Paymaster *common.Address `json:"paymaster,omitempty"` // has set the range; nil: the account
}

// Payer is the Data of an Error about a paymaster.
type Payer struct {
	Paymaster *common.Address `json:"paymaster"`
}

// validity returns the account's answer, or the paymaster's if the step is payment; nil if there is none.
func (b *Bundle) validity(name string) *validity {
	overrides := b.op.delegation(nil)
	steps, err := b.op.steps(b.bundler.moment(), b.entry, overrides)
	if err != nil {
		return nil
	}
	var calls []simulate.Call
	for _, s := range steps {
		calls = append(calls, s.call)
		if s.name == name {
			break
		}
	}
	results, err := b.bundler.run(*b.op.Sender, b.replaced, overrides, calls...)
	if err != nil {
		return nil
	}
	data := results[len(results)-1].ReturnData
	if name == payment { // a context precedes it
		data = data[min(len(data), 32):]
	}
	if len(data) < 32 {
		return nil
	}
	return &validity{
		after: binary.BigEndian.Uint64(append(make([]byte, 2), data[:6]...)), until: binary.BigEndian.Uint64(append(make([]byte, 2), data[6:12]...)),
		aggregator: common.BytesToAddress(data[12:32]),
	}
}

// Error is the reason why an operation is rejected.
type Error struct {
	Cause Cause
	Text  string
	// Data is a Payer, a TimeRange, an erc7562.Violation, the data of a revert, or nil. As JSON it is that of ERC-7769.
	Data any
}

func (e *Error) Error() string { return e.Text }

// Cause classifies errors as ERC-7769 does.
type Cause int

const (
	Invalid      Cause = iota // the client's operation contradicts itself, the chain or the pool
	Rejected                  // rejected by the EntryPoint or the account
	ByPaymaster               // rejected by the paymaster
	BreaksRule                // breaks a rule of ERC-7562
	NotInTime                 // not valid yet, or expired
	Aggregated                // the account wants an aggregator, and this bundler has none
	BadSignature              // wrong signature of the account or the paymaster
	LowDeposit                // the paymaster's deposit does not cover the operation
	Failing                   // the account's call reverts
)

// refusedFor returns the error of an operation that is rejected for a cause.
func refusedFor(cause Cause, format string, args ...any) *Error {
	return &Error{Cause: cause, Text: fmt.Sprintf(format, args...)}
}

// invalid returns the error of an operation that is not valid.
func invalid(format string, args ...any) *Error { return refusedFor(Invalid, format, args...) }
