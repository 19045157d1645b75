package evmstate

import (
	"bytes"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// Code is the code of a contract, or the delegation designator of an account (EIP-7702), with its hash. States share
// it, so it must not be modified.
type Code struct {
	Hash  common.Hash // Keccak-256 of Bytes
	Bytes []byte
}

// newCode returns a Code that holds a copy of b, or nil if b is empty.
func newCode(b []byte) *Code {
	if len(b) == 0 {
		return nil
	}
	return &Code{Hash: crypto.Keccak256Hash(b), Bytes: bytes.Clone(b)}
}

// hash returns the hash of the code: types.EmptyCodeHash if c is nil.
func (c *Code) hash() common.Hash {
	if c == nil {
		return types.EmptyCodeHash
	}
	return c.Hash
}

// bytes returns the code, or nil if c is nil.
func (c *Code) bytes() []byte {
	if c == nil {
		return nil
	}
	return c.Bytes
}
