package bundler

import (
	"bytes"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// What estimates add, in gas.
const (
	operationGas = 45_000 // what an EntryPoint does for one operation, at most
	stepSlack    = 15_000 // for what a step does only when an EntryPoint calls it
	prefundGas   = 75_000 // for the nonce, and for the account to pay the ether that its deposit lacks
	postOpGas    = 60_000 // for a paymaster's postOp, which is not simulated
)

// estimateObject is the answer to eth_estimateUserOperationGas.
type estimateObject struct {
	PreVerificationGas            hexutil.Uint64  `json:"preVerificationGas"`
	VerificationGasLimit          hexutil.Uint64  `json:"verificationGasLimit"`
	CallGasLimit                  hexutil.Uint64  `json:"callGasLimit"`
	PaymasterVerificationGasLimit *hexutil.Uint64 `json:"paymasterVerificationGasLimit,omitempty"`
	PaymasterPostOpGasLimit       *hexutil.Uint64 `json:"paymasterPostOpGasLimit,omitempty"`
}

// step is a call that an EntryPoint makes for an operation.
type step struct {
	call simulate.Call
	code int    // of its failure
	name string // of its failure, as the EntryPoint's reason
}

// EstimateUserOperationGas serves eth_estimateUserOperationGas: limits with which the operation succeeds. The account
// is created, asked and called as the EntryPoint does it, one after another in the block being built, so a signature
// need only have the right length.
func EstimateUserOperationGas(r *api.Request, o Operation, entryPoint common.Address, state *api.StateOverrides) (any, error) {
	defer r.Caller.MayTakeLong()()
	v, err := accepted(r, &o, entryPoint)
	if err != nil {
		return nil, err
	}
	overrides := o.delegation(state.OrNone())
	steps, err := o.steps(r, v, overrides)
	if err != nil {
		return nil, err
	}
	calls := make([]simulate.Call, len(steps))
	for i, s := range steps {
		calls[i] = s.call
	}
	results, err := run(r, *o.Sender, nil, overrides, calls...)
	if err != nil {
		return nil, err
	}
	used := make(map[string]uint64)
	for i, result := range results {
		if result.Err != nil {
			err := rejected(steps[i].code, steps[i].name, result.Err)
			if known := refusalOf(steps[i].name, &o); known != nil {
				err.Message += strings.TrimPrefix(known.Message, steps[i].name) // what to do
			}
			return nil, err
		}
		used[steps[i].name] += withSlack(result.MaxUsedGas - min(result.MaxUsedGas, intrinsicGas(calls[i].Data)))
	}
	e := o.estimate(v, used)
	if err := underestimate(r, *o.Sender, &e); err != nil {
		return nil, err
	}
	return e, nil
}

// delegation returns the overrides with the delegation that the operation's authorization makes. Its signature may be a
// stub.
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

// steps returns what the EntryPoint calls for the operation.
func (o *Operation) steps(r *api.Request, v version, overrides simulate.StateOverrides) (steps []step, err error) {
	state, err := r.Account(&api.BlockTag{Kind: api.TagPending}, *o.Sender)
	if err != nil {
		return nil, err
	}
	hash, err := hashOf(r.Moment(), v, o)
	if err != nil {
		return nil, err
	}
	factory, factoryData := o.factory()
	deployed := len(state.Code(*o.Sender)) > 0 || overrides[*o.Sender].Code != nil
	switch {
	case factory == nil && !deployed:
		return nil, refusalOf("AA20 account not deployed", o)
	case o.delegates() && len(o.FactoryData) > 0:
		steps = append(steps, step{simulate.Call{From: &v.creator, To: o.Sender, Data: o.FactoryData}, codeRejected, creation})
	case factory != nil && deployed && v.name < "0.9":
		return nil, refusalOf("AA10 sender already constructed", o)
	case factory != nil && !deployed:
		steps = append(steps, step{simulate.Call{From: &v.creator, To: factory, Data: factoryData}, codeRejected, creation})
	}
	op, paymaster := o.forEntryPoint(v), o.paymaster()
	steps = append(steps, step{
		simulate.Call{From: &v.address, To: o.Sender, Data: entrypoint.PackValidateUserOp(op, hash, new(big.Int))}, codeRejected, validation,
	})
	if paymaster != nil {
		data := entrypoint.PackValidatePaymasterUserOp(op, hash, big.NewInt(1))
		steps = append(steps, step{simulate.Call{From: &v.address, To: paymaster, Data: data}, codePaymaster, payment})
	}
	data := []byte(*o.CallData)
	if packed, ok := op.(entrypoint.PackedUserOperation); ok && bytes.HasPrefix(data, entrypoint.ExecuteUserOpSelector[:]) {
		data = entrypoint.PackExecuteUserOp(packed, hash)
	}
	if len(data) > 0 {
		steps = append(steps, step{simulate.Call{From: &v.address, To: o.Sender, Data: data}, codeExecution, execution})
	}
	return steps, nil
}

// paymaster returns who pays in the sender's place, or nil.
func (o *Operation) paymaster() *common.Address {
	if len(o.PaymasterAndData) >= common.AddressLength {
		return new(common.BytesToAddress(o.PaymasterAndData[:20]))
	}
	return o.Paymaster
}

// estimate returns the limits for steps that used that much gas.
func (o *Operation) estimate(v version, used map[string]uint64) estimateObject {
	e := estimateObject{
		PreVerificationGas:   hexutil.Uint64(params.TxGas + operationGas + callDataGas(v.handleOpsCalls(common.Address{}, o))),
		VerificationGasLimit: hexutil.Uint64(used[creation] + used[validation] + prefundGas),
		CallGasLimit:         hexutil.Uint64(max(used[execution], stepSlack)),
	}
	if o.Authorization != nil {
		e.PreVerificationGas += hexutil.Uint64(params.CallNewAccountGas)
	}
	switch {
	case o.paymaster() == nil:
	case v.legacy: // the limit is for the paymaster, too
		e.VerificationGasLimit = max(e.VerificationGasLimit+hexutil.Uint64(used[payment]), postOpGas)
	default:
		e.PaymasterVerificationGasLimit, e.PaymasterPostOpGasLimit = new(hexutil.Uint64(used[payment]+prefundGas)), new(hexutil.Uint64(postOpGas))
	}
	return e
}

// withSlack returns a limit for a step that used that much gas: of the gas it gets, 1/64 stays with who calls it, and a
// call inside it gets only 63/64 of what is left (EIP-150).
func withSlack(gas uint64) uint64 { return gas + gas/8 + stepSlack }

// intrinsicGas returns what a transaction with that call data costs before it runs.
func intrinsicGas(data []byte) uint64 {
	return params.TxGas + gasOfBytes(data, params.TxDataZeroGas, params.TxDataNonZeroGasEIP2028)
}
