package userop

import (
	"bytes"
	"encoding/binary"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/preconf"
)

// Operation is a user operation, in JSON as clients send it: v0.6 has initCode and paymasterAndData, later versions
// have their parts. Unknown members are ignored.
type Operation struct {
	Sender                        *common.Address `json:"sender"`
	Nonce                         *hexutil.Big    `json:"nonce"`
	InitCode                      hexutil.Bytes   `json:"initCode,omitempty"`
	Factory                       *factory        `json:"factory,omitempty"`
	FactoryData                   hexutil.Bytes   `json:"factoryData,omitempty"`
	CallData                      *hexutil.Bytes  `json:"callData"`
	CallGasLimit                  *hexutil.Big    `json:"callGasLimit"`
	VerificationGasLimit          *hexutil.Big    `json:"verificationGasLimit"`
	PreVerificationGas            *hexutil.Big    `json:"preVerificationGas"`
	MaxFeePerGas                  *hexutil.Big    `json:"maxFeePerGas"`
	MaxPriorityFeePerGas          *hexutil.Big    `json:"maxPriorityFeePerGas"`
	PaymasterAndData              hexutil.Bytes   `json:"paymasterAndData,omitempty"`
	Paymaster                     *common.Address `json:"paymaster,omitempty"`
	PaymasterVerificationGasLimit *hexutil.Big    `json:"paymasterVerificationGasLimit,omitempty"`
	PaymasterPostOpGasLimit       *hexutil.Big    `json:"paymasterPostOpGasLimit,omitempty"`
	PaymasterData                 hexutil.Bytes   `json:"paymasterData,omitempty"`
	PaymasterSignature            hexutil.Bytes   `json:"paymasterSignature,omitempty"` // from v0.9 on
	Signature                     hexutil.Bytes   `json:"signature"`
	Authorization                 *authorization  `json:"eip7702Auth,omitempty"`
}

// Wanted describes the object in error messages.
func (Operation) Wanted() string { return "a user operation: {sender, nonce, callData, …}" }

// paymasterMagic ends the paymaster's data of v0.9 if a signature and its length precede it.
var paymasterMagic = hexutil.MustDecode("0x22e325a297439656")

// check returns an error if a member is missing, is too large, or lacks a member that it needs.
func (o *Operation) check(v EntryPoint) *Error {
	for _, m := range o.halfWords() {
		if m.value != nil && m.value.ToInt().BitLen() > 128 {
			return invalid("user operation: %s is %s, and the limit is 2^128 - 1", m.name, m.value.ToInt())
		}
	}
	switch {
	case o.Sender == nil:
		return invalid("user operation: sender is missing")
	case o.Nonce == nil:
		return invalid("user operation: nonce is missing")
	case o.CallData == nil:
		return invalid("user operation: callData is missing")
	case v.legacy && (o.Factory != nil || o.Paymaster != nil || len(o.PaymasterSignature) > 0):
		return invalid("user operation of EntryPoint 0.6: factory and paymaster go into initCode and paymasterAndData")
	case !v.legacy && (len(o.InitCode) > 0 || len(o.PaymasterAndData) > 0):
		return invalid("user operation of EntryPoint %s: initCode and paymasterAndData go into factory, paymaster and their fields", v.Name)
	case len(o.InitCode) > 0 && len(o.InitCode) < common.AddressLength:
		return invalid("user operation: initCode has %d bytes, and begins with the 20 of a factory", len(o.InitCode))
	case len(o.PaymasterAndData) > 0 && len(o.PaymasterAndData) < common.AddressLength:
		return invalid("user operation: paymasterAndData has %d bytes, and begins with the 20 of a paymaster", len(o.PaymasterAndData))
	case o.Paymaster != nil && *o.Paymaster == common.Address{}:
		return invalid("user operation: paymaster is the zero address: leave it out")
	case o.delegates() && v.Name < "0.8":
		return invalid("user operation of EntryPoint %s: factory 0x7702 is known from 0.8 on: leave it out beside eip7702Auth", v.Name)
	case len(o.PaymasterSignature) > 0 && v.Name < "0.9":
		return invalid("user operation of EntryPoint %s: paymasterSignature is known from 0.9 on", v.Name)
	case v.Name >= "0.9" && bytes.HasSuffix(o.PaymasterData, paymasterMagic):
		return invalid("user operation: paymasterData ends with %#x: give what stands before it as paymasterSignature", paymasterMagic)
	case len(o.PaymasterSignature) > 1<<16-1:
		return invalid("user operation: paymasterSignature has %d bytes, and the limit is %d", len(o.PaymasterSignature), 1<<16-1)
	case o.Factory == nil && len(o.FactoryData) > 0:
		return invalid("user operation: factoryData without factory")
	case o.Paymaster == nil && len(o.PaymasterData)+len(o.PaymasterSignature) > 0:
		return invalid("user operation: paymasterData without paymaster")
	}
	return nil
}

// GasGiven returns an error if the operation lacks a limit or fee that it needs to be sent.
func (o *Operation) GasGiven() *Error {
	needed := o.halfWords()
	if o.Paymaster == nil {
		needed = needed[:4]
	}
	for _, m := range append(needed, member{"preVerificationGas", o.PreVerificationGas}) {
		if m.value == nil {
			return invalid("user operation: %s is missing (eth_estimateUserOperationGas returns the limits)", m.name)
		}
	}
	return nil
}

type member struct {
	name  string
	value *hexutil.Big
}

// halfWords returns the members that EntryPoints store in half a word, the members of every operation first.
func (o *Operation) halfWords() []member {
	return []member{
		{"callGasLimit", o.CallGasLimit},
		{"verificationGasLimit", o.VerificationGasLimit},
		{"maxFeePerGas", o.MaxFeePerGas},
		{"maxPriorityFeePerGas", o.MaxPriorityFeePerGas},
		{"paymasterVerificationGasLimit", o.PaymasterVerificationGasLimit},
		{"paymasterPostOpGasLimit", o.PaymasterPostOpGasLimit},
	}
}

func number(n *hexutil.Big) *big.Int {
	if n == nil {
		return new(big.Int)
	}
	return n.ToInt()
}

// forEntryPoint returns the operation in the EntryPoint's form: an entrypoint.UserOperation or PackedUserOperation.
func (o *Operation) forEntryPoint(v EntryPoint) any {
	if v.legacy {
		return o.legacy()
	}
	return o.packed()
}

func (o *Operation) legacy() entrypoint.UserOperation {
	return entrypoint.UserOperation{
		Sender: *o.Sender, Nonce: number(o.Nonce), InitCode: o.InitCode, CallData: *o.CallData,
		CallGasLimit: number(o.CallGasLimit), VerificationGasLimit: number(o.VerificationGasLimit),
		PreVerificationGas: number(o.PreVerificationGas), MaxFeePerGas: number(o.MaxFeePerGas),
		MaxPriorityFeePerGas: number(o.MaxPriorityFeePerGas), PaymasterAndData: o.PaymasterAndData, Signature: o.Signature,
	}
}

func (o *Operation) packed() entrypoint.PackedUserOperation {
	packed := entrypoint.PackedUserOperation{
		Sender: *o.Sender, Nonce: number(o.Nonce), CallData: *o.CallData,
		AccountGasLimits:   halves(o.VerificationGasLimit, o.CallGasLimit),
		PreVerificationGas: number(o.PreVerificationGas),
		GasFees:            halves(o.MaxPriorityFeePerGas, o.MaxFeePerGas),
		Signature:          o.Signature,
	}
	if o.Factory != nil {
		packed.InitCode = append(o.Factory[:], o.FactoryData...)
	}
	if o.Paymaster == nil {
		return packed
	}
	limits := halves(o.PaymasterVerificationGasLimit, o.PaymasterPostOpGasLimit)
	packed.PaymasterAndData = append(append(o.Paymaster.Bytes(), limits[:]...), o.PaymasterData...)
	if n := len(o.PaymasterSignature); n > 0 {
		packed.PaymasterAndData = append(packed.PaymasterAndData, o.PaymasterSignature...)
		packed.PaymasterAndData = binary.BigEndian.AppendUint16(packed.PaymasterAndData, uint16(n))
		packed.PaymasterAndData = append(packed.PaymasterAndData, paymasterMagic...)
	}
	return packed
}

// halves returns a word of two numbers under 2^128.
func halves(high, low *hexutil.Big) (word [32]byte) {
	number(high).FillBytes(word[:16])
	number(low).FillBytes(word[16:])
	return word
}

func (v EntryPoint) unpacked(op entrypoint.PackedUserOperation) *Operation {
	half := func(word []byte) *hexutil.Big { return (*hexutil.Big)(new(big.Int).SetBytes(word)) }
	o := &Operation{
		Sender: &op.Sender, Nonce: (*hexutil.Big)(op.Nonce), CallData: (*hexutil.Bytes)(&op.CallData),
		VerificationGasLimit: half(op.AccountGasLimits[:16]), CallGasLimit: half(op.AccountGasLimits[16:]),
		PreVerificationGas:   (*hexutil.Big)(op.PreVerificationGas),
		MaxPriorityFeePerGas: half(op.GasFees[:16]), MaxFeePerGas: half(op.GasFees[16:]),
		Signature: op.Signature,
	}
	if n := len(op.InitCode); n > 0 { // 0x7702 may lack the zeros behind it
		o.Factory, o.FactoryData = new(factory), op.InitCode[min(n, common.AddressLength):]
		copy(o.Factory[:], op.InitCode)
	}
	if data := op.PaymasterAndData; len(data) >= 52 {
		o.Paymaster = new(common.BytesToAddress(data[:20]))
		o.PaymasterVerificationGasLimit, o.PaymasterPostOpGasLimit = half(data[20:36]), half(data[36:52])
		o.PaymasterData = data[52:]
		if v.Name >= "0.9" {
			o.PaymasterData, o.PaymasterSignature = splitSignature(data[52:])
		}
	}
	return o
}

// splitSignature splits a paymaster's data from the signature that v0.9 puts behind it.
func splitSignature(data []byte) (rest, signature []byte) {
	end := len(data) - len(paymasterMagic) - 2
	if end < 0 || !bytes.HasSuffix(data, paymasterMagic) {
		return data, nil
	}
	start := end - int(binary.BigEndian.Uint16(data[end:]))
	if start < 0 {
		return data, nil
	}
	return data[:start], data[start:end]
}

func unpackedLegacy(op entrypoint.UserOperation) *Operation {
	return &Operation{
		Sender: &op.Sender, Nonce: (*hexutil.Big)(op.Nonce), InitCode: op.InitCode, CallData: (*hexutil.Bytes)(&op.CallData),
		CallGasLimit: (*hexutil.Big)(op.CallGasLimit), VerificationGasLimit: (*hexutil.Big)(op.VerificationGasLimit),
		PreVerificationGas: (*hexutil.Big)(op.PreVerificationGas), MaxFeePerGas: (*hexutil.Big)(op.MaxFeePerGas),
		MaxPriorityFeePerGas: (*hexutil.Big)(op.MaxPriorityFeePerGas), PaymasterAndData: op.PaymasterAndData, Signature: op.Signature,
	}
}

// hashOf returns the hash that the sender of an operation signs, as the EntryPoint's getUserOpHash does. It is an error
// if the sender is to delegate and runs no code.
func hashOf(m *preconf.Moment, v EntryPoint, o *Operation) (common.Hash, error) {
	chainID := m.Chain().Config().ChainID.Uint64()
	switch {
	case v.legacy:
		return o.legacy().Hash(chainID), nil
	case v.Name < "0.8":
		return o.packed().Hash(chainID), nil
	}
	var delegate common.Address
	if o.delegates() {
		var err error
		if delegate, err = o.delegate(m); err != nil {
			return common.Hash{}, err
		}
	}
	packed := o.packed()
	if n := len(o.PaymasterSignature); n > 0 { // neither the signature nor its length is signed
		data := packed.PaymasterAndData
		end := len(data) - len(paymasterMagic)
		packed.PaymasterAndData = append(data[:end-2-n:end-2-n], data[end:]...)
	}
	return packed.TypedHash(chainID, v.Address, delegate), nil
}
