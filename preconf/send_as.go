package preconf

import (
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf/pool"
)

// errNonceTaken is the reason why SendAs tries again.
var errNonceTaken = errors.New("the nonce is not the next one any more")

// SendAs sends a transaction of an account and returns it as it was sent. fill makes it for a nonce: signed, or
// unsigned, as SendUnsigned takes it. A nil nonce is the next one of the account, those in the pool counted in; where
// another transaction takes it meanwhile, fill is called again. Other writers do not wait for fill. Errors: those of
// fill and of Send.
func (t *Timeline) SendAs(from common.Address, nonce *uint64, fill func(nonce uint64) (*types.Transaction, error)) (*types.Transaction, error) {
	for {
		sent, err := t.sendAs(from, nonce, fill)
		if !errors.Is(err, errNonceTaken) {
			return sent, err
		}
	}
}

// sendAs tries once. The error is errNonceTaken if the nonce was the next one and is not any more.
func (t *Timeline) sendAs(from common.Address, nonce *uint64, fill func(nonce uint64) (*types.Transaction, error)) (*types.Transaction, error) {
	at := nonce
	if at == nil {
		m := t.Moment()
		if err := m.newest().Load(from); err != nil {
			return nil, err
		}
		at = new(m.PoolNonce(from))
	}
	tx, err := fill(*at)
	if err != nil {
		return nil, err
	}
	var e *pool.Entry
	if isSigned(tx) {
		e, err = t.checked(tx, t.Moment().Signer())
	} else {
		e, err = t.checkedUnsigned(from, tx)
	}
	if err != nil {
		return nil, err
	}
	return e.Tx, t.change(func(c *change) error {
		if nonce == nil {
			state := c.newest()
			if err := state.Load(from); err != nil {
				return err
			}
			if c.pool.NonceAfter(state, from) != *at {
				return errNonceTaken
			}
		}
		return c.enqueue(e)
	})
}

func isSigned(tx *types.Transaction) bool {
	_, r, _ := tx.RawSignatureValues()
	return r != nil && r.Sign() != 0
}
