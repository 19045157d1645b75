// Package x402 is the pair of contracts by which x402 settles Permit2 payments: Solidity source, compiled code, Go
// bindings and the witnesses that payers sign. They answer as the deployed proxies do; the code is fakenode's own.
package x402

import (
	"math/big"
	"strconv"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/tokencontract"
)

var (
	// ExactAddress is the address of the proxy of the scheme `exact` on every chain.
	ExactAddress = common.HexToAddress("0x402085c248EeA27D92E8b30b2C58ed07f9E20001")
	// UptoAddress is the address of the proxy of the scheme `upto` on every chain.
	UptoAddress = common.HexToAddress("0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002")
)

// ExactRuntimeCode returns the code of the deployed proxy for `exact`. It needs Permit2 at its address.
func ExactRuntimeCode() []byte { return exactRuntime() }

// UptoRuntimeCode returns the code of the deployed proxy for `upto`. It needs Permit2 at its address.
func UptoRuntimeCode() []byte { return uptoRuntime() }

// The bindings are parsed on first use, because parsing takes longer than starting a node.
var (
	exactBinding = sync.OnceValue(NewX402ExactPermit2Proxy)
	uptoBinding  = sync.OnceValue(NewX402UptoPermit2Proxy)
)

// ExactPayment is a payment of a whole amount to one payee, which anyone may settle.
type ExactPayment struct {
	Payer, To common.Address
	Token     common.Address
	Amount    *uint256.Int // token units; nil is 0, which no proxy settles
	Nonce     *uint256.Int // of Permit2, any that the payer has not used; nil is 0
	// ValidAfter and Deadline are the first and the last second in which it can be settled, Unix and inclusive.
	ValidAfter, Deadline uint64
}

// Permit returns the permit that the payer signs, with its witness: the payee, and ValidAfter.
func (p ExactPayment) Permit() permit2.TransferPermit {
	return permit2.TransferPermit{
		Token: p.Token, Amount: p.Amount, Spender: ExactAddress, Nonce: p.Nonce, Deadline: p.Deadline,
		Witness: &permit2.Witness{
			Type:    "Witness(address to,uint256 validAfter)",
			Message: apitypes.TypedDataMessage{"to": p.To.Hex(), "validAfter": strconv.FormatUint(p.ValidAfter, 10)},
		},
	}
}

// PackSettle returns the call data of settle on the exact proxy.
func (p ExactPayment) PackSettle(signature []byte) []byte {
	return exactBinding().PackSettle(permit(p.Permit()), p.Payer, p.witness(), signature)
}

// PackSettleWithPermit returns the call data of settleWithPermit on the exact proxy: it gives Permit2 its allowance
// first.
func (p ExactPayment) PackSettleWithPermit(allowance tokencontract.Permit, allowanceSignature tokencontract.Signature, signature []byte) []byte {
	return exactBinding().PackSettleWithPermit(tokenPermit(allowance, allowanceSignature), permit(p.Permit()), p.Payer, p.witness(), signature)
}

func (p ExactPayment) witness() X402ExactPermit2ProxyWitness {
	return X402ExactPermit2ProxyWitness{To: p.To, ValidAfter: new(big.Int).SetUint64(p.ValidAfter)}
}

// UptoPayment is a payment of at most Amount to one payee, whose total the facilitator decides when it settles, once.
type UptoPayment struct {
	ExactPayment
	Facilitator common.Address // the only account that may settle
}

// Permit returns the permit that the payer signs, with its witness: ExactPayment's, and the facilitator.
func (p UptoPayment) Permit() permit2.TransferPermit {
	permit := p.ExactPayment.Permit()
	permit.Spender, permit.Witness.Type = UptoAddress, "Witness(address to,address facilitator,uint256 validAfter)"
	permit.Witness.Message["facilitator"] = p.Facilitator.Hex()
	return permit
}

// PackSettle returns the call data of settle on the upto proxy, for a total in token units.
func (p UptoPayment) PackSettle(total *uint256.Int, signature []byte) []byte {
	return uptoBinding().PackSettle(permit(p.Permit()), total.ToBig(), p.Payer, p.witness(), signature)
}

// PackSettleWithPermit returns the call data of settleWithPermit on the upto proxy: it gives Permit2 its allowance
// first.
func (p UptoPayment) PackSettleWithPermit(allowance tokencontract.Permit, allowanceSignature tokencontract.Signature, total *uint256.Int, signature []byte) []byte {
	return uptoBinding().PackSettleWithPermit(tokenPermit(allowance, allowanceSignature), permit(p.Permit()), total.ToBig(), p.Payer, p.witness(), signature)
}

func (p UptoPayment) witness() X402UptoPermit2ProxyWitness {
	return X402UptoPermit2ProxyWitness{To: p.To, Facilitator: p.Facilitator, ValidAfter: new(big.Int).SetUint64(p.ValidAfter)}
}

func permit(p permit2.TransferPermit) ISignatureTransferPermitTransferFrom {
	terms := p.Permit()
	return ISignatureTransferPermitTransferFrom{
		Permitted: ISignatureTransferTokenPermissions(terms.Permitted), Nonce: terms.Nonce, Deadline: terms.Deadline,
	}
}

func tokenPermit(p tokencontract.Permit, s tokencontract.Signature) ProxyEIP2612Permit {
	value, deadline := p.Numbers()
	return ProxyEIP2612Permit{Value: value, Deadline: deadline, R: s.R(), S: s.S(), V: s.V()}
}
