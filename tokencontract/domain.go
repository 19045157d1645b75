package tokencontract

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Domain is the EIP-712 domain: it names the token and the chain for which a signature is valid (contract
// 2.7-domainName to 2.7-domainContract). Read Name and Version from the token, because they differ between networks.
// Its JSON is the domain of typed data.
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

// Separator returns the domain's hash, as the token's DOMAIN_SEPARATOR() does.
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
