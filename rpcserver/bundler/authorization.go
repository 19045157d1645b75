package bundler

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// authorization lets the sender of an operation run the code of another account (EIP-7702), as clients send it: r and s
// may have leading zeros.
type authorization struct {
	ChainID hexutil.Big    `json:"chainId"`
	Address common.Address `json:"address"`
	Nonce   hexutil.Uint64 `json:"nonce"`
	YParity hexutil.Uint64 `json:"yParity"`
	R       hexutil.Bytes  `json:"r"`
	S       hexutil.Bytes  `json:"s"`
}

// list returns the authorizations of a bundle with the operation.
func (o *Operation) list() []types.SetCodeAuthorization {
	a := o.Authorization
	if a == nil {
		return nil
	}
	word := func(b []byte) uint256.Int { return *new(uint256.Int).SetBytes(b) }
	return []types.SetCodeAuthorization{{
		ChainID: word(a.ChainID.ToInt().Bytes()), Address: a.Address, Nonce: uint64(a.Nonce), V: uint8(a.YParity), R: word(a.R), S: word(a.S),
	}}
}
