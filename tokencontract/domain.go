package tokencontract

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"
)

// Domain is the EIP-712 domain: which token on which chain a signature is for (contract section 2.7). Read Name and
// Version from the token: they differ between networks.
type Domain struct {
	Name              string
	Version           string
	ChainID           uint64
	VerifyingContract common.Address
}

var domainFields = []apitypes.Type{
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

func (d Domain) typedData() apitypes.TypedDataDomain {
	return apitypes.TypedDataDomain{
		Name:              d.Name,
		Version:           d.Version,
		ChainId:           (*math.HexOrDecimal256)(new(big.Int).SetUint64(d.ChainID)),
		VerifyingContract: d.VerifyingContract.Hex(),
	}
}
