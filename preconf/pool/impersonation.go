package pool

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// IsSigned reports whether a transaction has a signature, valid or not.
func IsSigned(tx *types.Transaction) bool {
	_, r, _ := tx.RawSignatureValues()
	return r != nil && r.Sign() != 0
}

// Impersonate returns a transaction that its sender did not sign, and the signer that Check takes it with. Its
// signature fields are made from the sender's address, so that equal transactions of two senders have two hashes.
// Error: types.ErrTxTypeNotSupported, for a kind that the signer does not know.
func Impersonate(tx *types.Transaction, signer types.Signer, from common.Address) (*types.Transaction, types.Signer, error) {
	signature := make([]byte, 65)
	copy(signature[12:32], from[:])
	signature[63] = 1
	tx, err := tx.WithSignature(signer, signature)
	return tx, impersonator{signer, from}, err
}

// impersonator is a signer that takes every signature for one address's.
type impersonator struct {
	types.Signer
	from common.Address
}

func (i impersonator) Sender(*types.Transaction) (common.Address, error) { return i.from, nil }

func (i impersonator) Equal(other types.Signer) bool {
	o, ok := other.(impersonator)
	return ok && o.from == i.from
}
