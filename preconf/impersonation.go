package preconf

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf/pool"
)

// Impersonate lets clients send from a without its key: see Impersonated.
func (t *Timeline) Impersonate(a common.Address) {
	t.set(func(c *change) { c.control.Impersonated = c.control.Impersonated.With(a) })
}

// StopImpersonating ends Impersonate.
func (t *Timeline) StopImpersonating(a common.Address) {
	t.set(func(c *change) { c.control.Impersonated = c.control.Impersonated.Without(a) })
}

// ImpersonateAll does so for every address, or ends it.
func (t *Timeline) ImpersonateAll(on bool) {
	t.set(func(c *change) { c.control.ImpersonateAll = on })
}

// Impersonated reports whether clients may send from this address without its key. SendUnsigned and SendAs take
// transactions from every one.
func (m *Moment) Impersonated(a common.Address) bool {
	return m.control.ImpersonateAll || m.control.Impersonated.Has(a)
}

// SendUnsigned takes a transaction without a valid signature from any sender and returns its hash. Its signature fields
// are made from the sender's address, so that equal transactions of two senders have two hashes. Errors: those of Send.
func (t *Timeline) SendUnsigned(from common.Address, tx *types.Transaction) (common.Hash, error) {
	e, err := t.checkedUnsigned(from, tx)
	if err != nil {
		return common.Hash{}, err
	}
	return e.Tx.Hash(), t.change(func(c *change) error { return c.enqueue(e) })
}

// checkedUnsigned is checked for a transaction that its sender did not sign.
func (t *Timeline) checkedUnsigned(from common.Address, tx *types.Transaction) (*pool.Entry, error) {
	signature := make([]byte, 65)
	copy(signature[12:32], from[:])
	signature[63] = 1
	signer := t.Moment().Signer()
	tx, err := tx.WithSignature(signer, signature)
	if err != nil {
		return nil, err
	}
	return t.checked(tx, impersonator{signer, from})
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
