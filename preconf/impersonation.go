package preconf

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Impersonate lets SendFrom take transactions from a.
func (t *Timeline) Impersonate(a common.Address) {
	t.set(func(c *change) { c.impersonated = c.impersonated.Set(a, struct{}{}) })
}

// StopImpersonating ends Impersonate.
func (t *Timeline) StopImpersonating(a common.Address) {
	t.set(func(c *change) { c.impersonated = c.impersonated.Delete(a) })
}

// ImpersonateAll lets SendFrom take transactions from every address, or ends it.
func (t *Timeline) ImpersonateAll(on bool) {
	t.set(func(c *change) { c.impersonateAll = on })
}

// Impersonated reports whether SendFrom takes transactions from this address.
func (m *Moment) Impersonated(a common.Address) bool {
	_, ok := m.impersonated.Get(a)
	return ok || m.impersonateAll
}

// SendFrom is SendUnsigned for impersonated senders alone. Errors: ErrNotImpersonated, and those of Send.
func (t *Timeline) SendFrom(from common.Address, tx *types.Transaction) (common.Hash, error) {
	if !t.Moment().Impersonated(from) {
		return common.Hash{}, fmt.Errorf("%w: %s", ErrNotImpersonated, from)
	}
	return t.SendUnsigned(from, tx)
}

// SendUnsigned takes a transaction without a valid signature from any sender and returns its hash. Its signature fields
// are made from the sender's address, so that equal transactions of two senders have two hashes. Errors: those of Send.
func (t *Timeline) SendUnsigned(from common.Address, tx *types.Transaction) (common.Hash, error) {
	signature := make([]byte, 65)
	copy(signature[12:32], from[:])
	signature[63] = 1
	signer := t.Moment().Signer()
	tx, err := tx.WithSignature(signer, signature)
	if err != nil {
		return common.Hash{}, err
	}
	return tx.Hash(), t.admit(tx, impersonator{signer, from})
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
