package tokencontract

import (
	"crypto/ecdsa"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
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
	const members = "(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
	return Message{primaryType + members, []value{
		addressValue(a.From), addressValue(a.To), numberValue(a.Value),
		numberValue(uint256.NewInt(a.ValidAfter)), numberValue(uint256.NewInt(a.ValidBefore)), hashValue(a.Nonce),
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
	return Message{"CancelAuthorization(address authorizer,bytes32 nonce)", []value{addressValue(c.Authorizer), hashValue(c.Nonce)}}
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
	_, deadline := p.Numbers()
	return Message{"Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)", []value{
		addressValue(p.Owner), addressValue(p.Spender), numberValue(p.Value),
		numberValue(uint256.NewInt(p.Nonce)), numberValue(uint256.MustFromBig(deadline)),
	}}
}

// Numbers returns the value in token units and the deadline in Unix seconds as call data carries them.
func (p Permit) Numbers() (value, deadline *big.Int) {
	if p.Deadline == nil {
		return bigInt(p.Value), new(uint256.Int).SetAllOne().ToBig()
	}
	return bigInt(p.Value), p.Deadline.ToBig()
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

// Reasons why the token rejects a signature of an account without code, in the order in which it checks them.
var (
	ErrSignatureLength = errors.New("signature is not 65 bytes")
	ErrSignatureS      = errors.New("signature's s is in the upper half of the curve order")
	ErrSignatureV      = errors.New("signature's v is neither 27 nor 28")
	ErrSignature       = errors.New("signature recovers to no account")
)

var halfCurveOrder = uint256.MustFromHex("0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0")

// Signature is r ‖ s ‖ v with v 27 or 28, as wallets return it. Anyone who gets it can move the money that it
// authorizes, so keep it out of logs.
type Signature [crypto.SignatureLength]byte

// Sign returns the signature of a 32-byte digest. The error names a missing key, or a key on another curve.
func Sign(digest common.Hash, key *ecdsa.PrivateKey) (Signature, error) {
	if key == nil {
		return Signature{}, errors.New("sign digest: no key")
	}
	raw, err := crypto.Sign(digest[:], key)
	if err != nil {
		return Signature{}, fmt.Errorf("sign digest: %w", err)
	}
	raw[64] += 27
	return Signature(raw), nil
}

// ParseSignature returns the signature of 65 bytes. The error is ErrSignatureLength. It does not check whether the
// signature is valid, which Recover does.
func ParseSignature(raw []byte) (Signature, error) {
	if len(raw) != crypto.SignatureLength {
		return Signature{}, fmt.Errorf("%w but %d", ErrSignatureLength, len(raw))
	}
	return Signature(raw), nil
}

// R returns the signature's first word.
func (s Signature) R() common.Hash { return common.Hash(s[:32]) }

// S returns the signature's second word.
func (s Signature) S() common.Hash { return common.Hash(s[32:64]) }

// V returns the recovery id, 27 or 28.
func (s Signature) V() uint8 { return s[64] }

// Bytes returns a copy of the 65 bytes.
func (s Signature) Bytes() []byte { return append([]byte(nil), s[:]...) }

// Recover returns the account whose key signed the digest. The error is ErrSignatureS, ErrSignatureV or ErrSignature.
func (s Signature) Recover(digest common.Hash) (common.Address, error) {
	if new(uint256.Int).SetBytes(s[32:64]).Gt(halfCurveOrder) {
		return common.Address{}, ErrSignatureS
	}
	if s.V() != 27 && s.V() != 28 {
		return common.Address{}, ErrSignatureV
	}
	raw := s.Bytes()
	raw[64] -= 27
	key, err := crypto.SigToPub(digest[:], raw)
	if err != nil {
		return common.Address{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return crypto.PubkeyToAddress(*key), nil
}

// MarshalText returns the signature as 0x-prefixed hex.
func (s Signature) MarshalText() ([]byte, error) {
	return hexutil.Bytes(s[:]).MarshalText()
}

// UnmarshalText reads the form that MarshalText writes.
func (s *Signature) UnmarshalText(text []byte) error {
	return hexutil.UnmarshalFixedText("signature", text, s[:])
}
