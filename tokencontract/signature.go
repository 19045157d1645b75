package tokencontract

import (
	"crypto/ecdsa"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

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
