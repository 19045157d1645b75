package evmstate

import (
	"bytes"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// Code is the code of a contract, or the delegation designator of an account
// (EIP-7702), with its hash. States share it; it must not be modified.
type Code struct {
	Hash  common.Hash // Keccak-256 of Bytes
	Bytes []byte
}

// newCode returns the code with a copy of bytes, nil when there are none.
func newCode(b []byte) *Code {
	if len(b) == 0 {
		return nil
	}
	return &Code{Hash: crypto.Keccak256Hash(b), Bytes: bytes.Clone(b)}
}

func (c *Code) hash() common.Hash {
	if c == nil {
		return types.EmptyCodeHash
	}
	return c.Hash
}

func (c *Code) bytes() []byte {
	if c == nil {
		return nil
	}
	return c.Bytes
}
