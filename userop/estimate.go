package userop

import (
	"bytes"
	"errors"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
)

// Gas that estimates add.
const (
	operationGas = 45_000 // the most that an EntryPoint uses itself for one operation
	stepSlack    = 15_000 // for code that a step runs only when an EntryPoint calls it
	prefundGas   = 75_000 // for the nonce, and for the account to pay the ether that its deposit lacks
	postOpGas    = 60_000 // for a paymaster's postOp, which is not simulated
)

// Estimate holds limits of gas with which an operation succeeds, in JSON as clients get them.
type Estimate struct {
	PreVerification hexutil.Uint64 `json:"preVerificationGas"`
	Verification    hexutil.Uint64 `json:"verificationGasLimit"`
	Call            hexutil.Uint64 `json:"callGasLimit"`
	// Limits of the paymaster's calls. Nil: there is no paymaster, or Verification includes them.
	PaymasterVerification *hexutil.Uint64 `json:"paymasterVerificationGasLimit,omitempty"`
	PaymasterPostOp       *hexutil.Uint64 `json:"paymasterPostOpGasLimit,omitempty"`
}

// step is a call that an EntryPoint makes for an operation.
type step struct {
	call  simulate.Call
	cause Cause  // the cause of an error if the call fails
	name  string // the beginning of the EntryPoint's reason then
}

// Estimate returns limits with which the operation succeeds, or a too low one if a fault is armed for it. It simulates
// the EntryPoint's calls to create, validate and execute one after another in the block being built, so a signature
// need only have the right length.
func (b *Bundler) Estimate(o *Operation, v EntryPoint, state simulate.StateOverrides) (*Estimate, error) {
	overrides := o.delegation(state)
	steps, err := o.steps(b.moment(), v, overrides)
	if err != nil {
		return nil, err
	}
	calls := make([]simulate.Call, len(steps))
	for i, s := range steps {
		calls[i] = s.call
	}
	results, err := b.run(*o.Sender, nil, overrides, calls...)
	for n := len(calls) - 1; errors.As(err, new(*simulate.InvalidCallError)) && results == nil && n > 0; n-- {
		var failed error
		results, failed = b.run(*o.Sender, nil, overrides, calls[:n]...) // a step that used all gas left none for the next
		if failed != nil {
			err = failed
		}
	}
	used := make(map[string]hexutil.Uint64)
	for i, result := range results {
		failure := result.Err
		if size := len(result.ReturnData); failure == nil && steps[i].name == validation && (size < 32 || size > 32 && v.Name >= "0.8") {
			failure = &evmstate.RevertError{} // the EntryPoint takes no such answer
		}
		if failure != nil {
			err := rejected(steps[i].cause, steps[i].name, failure)
			if known := refusalOf(steps[i].name, o); known != nil {
				err.Text += strings.TrimPrefix(known.Text, steps[i].name) // the remedy
			}
			return nil, err
		}
		intrinsic := params.TxGas + gasOfBytes(calls[i].Data, params.TxDataZeroGas, params.TxDataNonZeroGasEIP2028)
		gas := result.MaxUsedGas - min(result.MaxUsedGas, intrinsic)
		used[steps[i].name] += hexutil.Uint64(gas + gas/8 + stepSlack) // each call gets at most 63/64 of its caller's gas (EIP-150)
	}
	if err != nil {
		return nil, err
	}
	e := o.estimate(v, used)
	return e, b.underestimate(*o.Sender, e)
}

// delegation returns the overrides with the delegation of the operation's authorization. The authorization's signature
// may be a stub.
func (o *Operation) delegation(overrides simulate.StateOverrides) simulate.StateOverrides {
	if o.Authorization == nil {
		return overrides
	}
	if overrides == nil {
		overrides = simulate.StateOverrides{}
	}
	account, code := overrides[*o.Sender], types.AddressToDelegation(o.Authorization.Address)
	account.Code = &code
	overrides[*o.Sender] = account
	return overrides
}

// Reasons of EntryPoints for steps that fail.
const (
	creation   = "AA13 initCode failed or OOG"
	validation = "AA23 reverted"
	payment    = "AA33 reverted"
	execution  = "execution reverted"
)

// steps returns the calls that the EntryPoint makes for the operation.
func (o *Operation) steps(m *preconf.Moment, v EntryPoint, overrides simulate.StateOverrides) (steps []step, err error) {
	state, err := stateOf(m.Pending(), *o.Sender)
	if err != nil {
		return nil, err
	}
	hash, err := hashOf(m, v, o)
	if err != nil {
		return nil, err
	}
	factory, factoryData := o.factory()
	deployed := len(state.Code(*o.Sender)) > 0 || overrides[*o.Sender].Code != nil
	switch {
	case factory == nil && !deployed:
		return nil, refusalOf("AA20 account not deployed", o)
	case o.delegates() && len(o.FactoryData) > 0:
		steps = append(steps, step{simulate.Call{From: &v.creator, To: o.Sender, Data: o.FactoryData}, Rejected, creation})
	case factory != nil && deployed && v.Name < "0.9":
		return nil, refusalOf("AA10 sender already constructed", o)
	case factory != nil && !deployed:
		steps = append(steps, step{simulate.Call{From: &v.creator, To: factory, Data: factoryData}, Rejected, creation})
	}
	op, paymaster := o.forEntryPoint(v), o.paymaster()
	steps = append(steps, step{
		simulate.Call{From: &v.Address, To: o.Sender, Data: entrypoint.PackValidateUserOp(op, hash, new(big.Int))}, Rejected, validation,
	})
	if paymaster != nil {
		data := entrypoint.PackValidatePaymasterUserOp(op, hash, big.NewInt(1))
		steps = append(steps, step{simulate.Call{From: &v.Address, To: paymaster, Data: data}, ByPaymaster, payment})
	}
	data := []byte(*o.CallData)
	if packed, ok := op.(entrypoint.PackedUserOperation); ok && bytes.HasPrefix(data, entrypoint.ExecuteUserOpSelector[:]) {
		data = entrypoint.PackExecuteUserOp(packed, hash)
	}
	if len(data) > 0 {
		steps = append(steps, step{simulate.Call{From: &v.Address, To: o.Sender, Data: data}, Failing, execution})
	}
	return steps, nil
}

// paymaster returns the contract that pays in the sender's place, or nil.
func (o *Operation) paymaster() *common.Address {
	if len(o.PaymasterAndData) >= common.AddressLength {
		return new(common.BytesToAddress(o.PaymasterAndData[:20]))
	}
	return o.Paymaster
}

// estimate returns the limits for steps that used the given gas.
func (o *Operation) estimate(v EntryPoint, used map[string]hexutil.Uint64) *Estimate {
	e := &Estimate{
		PreVerification: hexutil.Uint64(params.TxGas + operationGas + callDataGas(v.handleOpsCalls(common.Address{}, o))),
		Verification:    used[creation] + used[validation] + prefundGas,
		Call:            max(used[execution], stepSlack),
	}
	if o.Authorization != nil {
		e.PreVerification += hexutil.Uint64(params.CallNewAccountGas)
	}
	switch {
	case o.paymaster() == nil:
	case v.legacy: // the limit includes the paymaster
		e.Verification = max(e.Verification+used[payment], postOpGas)
	default:
		e.PaymasterVerification, e.PaymasterPostOp = new(used[payment]+prefundGas), new(hexutil.Uint64(postOpGas))
	}
	return e
}
