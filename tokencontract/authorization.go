package tokencontract

import (
	"crypto/rand"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Authorization lets an exact transfer be settled later by whoever holds the payer's signature (EIP-3009; contract
// section 2.7). It reserves nothing. Its zero bounds never admit it: set ValidBefore.
type Authorization struct {
	From        common.Address // payer
	To          common.Address // payee
	Value       *uint256.Int   // token units (6 decimals); nil is 0
	ValidAfter  uint64         // Unix seconds, exclusive: settles in blocks later than this
	ValidBefore uint64         // Unix seconds, exclusive: settles in blocks earlier than this
	Nonce       common.Hash    // one-time, of this payer; see NewNonce
}

// ReceiveMessage returns what the payer signs so that only the payee can settle, by receiveWithAuthorization: a
// capture.
func (a Authorization) ReceiveMessage() Message {
	return a.message("ReceiveWithAuthorization")
}

// TransferMessage returns what the payer signs so that anyone can settle, by transferWithAuthorization. Of the variants
// only DocumentedFlow takes it for a capture as well.
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

// Cancellation makes a nonce of an account unusable for good (EIP-3009). Anyone may submit it, even after expiry.
type Cancellation struct {
	Authorizer common.Address
	Nonce      common.Hash
}

// Message returns what the authorizer signs.
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
	Deadline *uint256.Int // Unix seconds, inclusive; nil is 2^256 - 1, never
}

// Message returns what the owner signs.
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

// NewNonce returns a nonce from the system's secure random source. Take a fresh one for every attempt.
func NewNonce() common.Hash {
	var nonce common.Hash
	rand.Read(nonce[:]) // never fails: see crypto/rand
	return nonce
}

// NonceFromSeed returns the same nonce for the same seed. For tests: such a nonce can be guessed.
func NonceFromSeed(seed string) common.Hash {
	return crypto.Keccak256Hash([]byte(seed))
}
