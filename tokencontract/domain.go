package tokencontract

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Domain is the EIP-712 domain: which token on which chain a signature is for (contract section 2.7). Read Name and
// Version from the token: they differ between networks. As JSON it is the domain of typed data.
type Domain struct {
	Name              string         `json:"name"`
	Version           string         `json:"version"`
	ChainID           uint64         `json:"chainId"`
	VerifyingContract common.Address `json:"verifyingContract"`
}

var domainFields = []TypedDataField{
	{Name: "name", Type: "string"},
	{Name: "version", Type: "string"},
	{Name: "chainId", Type: "uint256"},
	{Name: "verifyingContract", Type: "address"},
}

// Separator returns the domain's hash, what the token's DOMAIN_SEPARATOR() returns.
func (d Domain) Separator() common.Hash {
	typehash := typehash("EIP712Domain", domainFields)
	chainID := uint256.NewInt(d.ChainID).Bytes32()
	return crypto.Keccak256Hash(
		typehash[:],
		crypto.Keccak256([]byte(d.Name)),
		crypto.Keccak256([]byte(d.Version)),
		chainID[:],
		common.LeftPadBytes(d.VerifyingContract[:], 32),
	)
}
