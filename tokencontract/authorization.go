package tokencontract

import (
	"crypto/rand"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Authorization is a transfer of an exact amount that anyone who holds the payer's signature can settle later
// (EIP-3009, contract 2.7-type). It reserves no funds. ValidBefore must be set, because zero means that the
// authorization has expired.
type Authorization struct {
	From        common.Address // payer (contract 2.7-from)
	To          common.Address // payee
	Value       *uint256.Int   // token units (6 decimals); nil is 0
	ValidAfter  uint64         // Unix seconds, exclusive: a block must be later than this to settle
	ValidBefore uint64         // Unix seconds, exclusive: a block must be earlier than this to settle
	Nonce       common.Hash    // to be used once for each payer; see NewNonce
}

// ReceiveMessage returns the message that the payer signs so that only the payee can settle the authorization, with
// receiveWithAuthorization. This is a capture.
func (a Authorization) ReceiveMessage() Message {
	return a.message("ReceiveWithAuthorization")
}

// TransferMessage returns the message that the payer signs so that anyone can settle the authorization, with
// transferWithAuthorization. The variant DocumentedFlow accepts it for a capture as well.
func (a Authorization) TransferMessage() Message {
	return a.message("TransferWithAuthorization")
}

func (a Authorization) message(primaryType string) Message {
	return Message{primaryType, []field{
		addressField("from", a.From),
		addressField("to", a.To),
		numberField("value", a.Value),
		numberField("validAfter", uint256.NewInt(a.ValidAfter)),
		numberField("validBefore", uint256.NewInt(a.ValidBefore)),
		hashField("nonce", a.Nonce),
	}}
}

// Cancellation makes a nonce of an account unusable for ever (EIP-3009). Anyone may submit it, even after the
// authorization has expired.
type Cancellation struct {
	Authorizer common.Address
	Nonce      common.Hash
}

// Message returns the message that the authorizer signs.
func (c Cancellation) Message() Message {
	return Message{"CancelAuthorization", []field{
		addressField("authorizer", c.Authorizer),
		hashField("nonce", c.Nonce),
	}}
}

// Permit sets an allowance by signature (EIP-2612).
type Permit struct {
	Owner    common.Address
	Spender  common.Address
	Value    *uint256.Int // token units (6 decimals); nil is 0
	Nonce    uint64       // the token's nonces(Owner), counted from 0
	Deadline *uint256.Int // Unix seconds, inclusive; nil means 2^256 - 1, which is never
}

// Message returns the message that the owner signs.
func (p Permit) Message() Message {
	return Message{"Permit", []field{
		addressField("owner", p.Owner),
		addressField("spender", p.Spender),
		numberField("value", p.Value),
		numberField("nonce", uint256.NewInt(p.Nonce)),
		numberField("deadline", p.deadline()),
	}}
}

func (p Permit) deadline() *uint256.Int {
	if p.Deadline == nil {
		return new(uint256.Int).SetAllOne()
	}
	return p.Deadline
}

// NewNonce returns a nonce from the system's secure random source. Use a new one for every attempt.
func NewNonce() common.Hash {
	var nonce common.Hash
	rand.Read(nonce[:]) // never fails: see crypto/rand
	return nonce
}

// NonceFromSeed returns the same nonce for the same seed. Use it in tests only, because such a nonce can be guessed.
func NonceFromSeed(seed string) common.Hash {
	return crypto.Keccak256Hash([]byte(seed))
}
