// Package checkout is a contract for a variable total: Solidity source, compiled code, Go binding and typed data.
// The payer signs an EIP-2612 permit and the terms of an order; the merchant captures any total up to the ceiling.
//
//	terms := checkout.Terms{Payer: payer, Merchant: shop, Token: token, Ceiling: contracts.BigInt(t.Ceiling), Order: order, Deadline: deadline}
//	signature, err := tokencontract.Sign(terms.ID(31337, checkout.Address), payerKey) // the payer, off-chain
//	data := terms.PackCapture(total, signature.Bytes())                               // the merchant sends this
package checkout

import (
	"math/big"
	"strconv"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/tokencontract"
)

// Address is the address of the contract in a genesis: the last 20 bytes of the Keccak-256 hash of "fakenode checkout".
// No public chain has it there: a merchant deploys their own.
var Address = common.HexToAddress("0x927908C4D158D5a5Def27d4c24Af14a050Ab65E9")

// binding is parsed on first use, because parsing takes longer than starting a node.
var binding = sync.OnceValue(NewCheckout)

// RuntimeCode returns the code of a deployed contract. It serves any chain id at any address.
func RuntimeCode() []byte { return checkoutRuntime() }

// Terms describe how much a payer allows a merchant to capture for one order. Nothing is reserved.
type Terms struct {
	Payer    common.Address
	Merchant common.Address // the only account that may capture, and the one that is paid
	Token    common.Address
	Ceiling  *uint256.Int // token units, the most that can be captured in all; nil is 0
	Order    common.Hash  // the merchant's own number; equal terms are one order
	Deadline uint64       // Unix seconds, inclusive
}

// TypedData returns the typed data that the payer signs for a contract on a chain.
func (t Terms) TypedData(chainID uint64, contract common.Address) apitypes.TypedData {
	const types = "Terms(address payer,address merchant,address token,uint256 ceiling,bytes32 order,uint256 deadline)"
	return contracts.TypedData(contracts.Domain("Checkout", chainID, contract), types, apitypes.TypedDataMessage{
		"payer": t.Payer.Hex(), "merchant": t.Merchant.Hex(), "token": t.Token.Hex(), "ceiling": contracts.Number(t.Ceiling),
		"order": t.Order.Hex(), "deadline": strconv.FormatUint(t.Deadline, 10),
	})
}

// ID returns the digest of the terms, which names the order on the contract.
func (t Terms) ID(chainID uint64, contract common.Address) common.Hash {
	return contracts.Digest(t.TypedData(chainID, contract))
}

// RevocationTypedData returns the typed data that the payer signs to end the order, for anyone to submit.
func (t Terms) RevocationTypedData(chainID uint64, contract common.Address) apitypes.TypedData {
	message := apitypes.TypedDataMessage{"id": t.ID(chainID, contract).Hex()}
	return contracts.TypedData(contracts.Domain("Checkout", chainID, contract), "Revocation(bytes32 id)", message)
}

// Permit returns the allowance that the terms need, for the payer to sign (EIP-2612). A permit replaces the allowance,
// so a payer with other open orders signs for the sum of what they may still cost.
func (t Terms) Permit(contract common.Address, nonce uint64) tokencontract.Permit {
	return tokencontract.Permit{Owner: t.Payer, Spender: contract, Value: t.Ceiling, Nonce: nonce, Deadline: uint256.NewInt(t.Deadline)}
}

// PackCapture returns the call data of capture, for an amount in token units. The merchant sends it.
func (t Terms) PackCapture(amount *uint256.Int, signature []byte) []byte {
	return binding().PackCapture(t.words(), amount.ToBig(), signature)
}

// PackCaptureWithPermit returns the call data of captureWithPermit. The merchant sends it.
func (t Terms) PackCaptureWithPermit(amount *uint256.Int, signature []byte, p tokencontract.Permit, s tokencontract.Signature) []byte {
	value, deadline := p.Numbers()
	permit := CheckoutPermit{Value: value, Deadline: deadline, V: s.V(), R: s.R(), S: s.S()}
	return binding().PackCaptureWithPermit(t.words(), amount.ToBig(), signature, permit)
}

// PackRevoke returns the call data of revoke. The payer sends it.
func (t Terms) PackRevoke() []byte { return binding().PackRevoke(t.words()) }

// PackRevokeWithSignature returns the call data of revokeWithSignature. Anyone may send it.
func (t Terms) PackRevokeWithSignature(signature []byte) []byte {
	return binding().PackRevokeWithSignature(t.words(), signature)
}

func (t Terms) words() CheckoutTerms {
	return CheckoutTerms{
		Payer: t.Payer, Merchant: t.Merchant, Token: t.Token, Ceiling: contracts.BigInt(t.Ceiling), Order: t.Order,
		Deadline: new(big.Int).SetUint64(t.Deadline),
	}
}
