package preconf

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Send takes a signed transaction into the pool, by the rules of the block being built; in Instant mode it is sealed
// when Send returns. A transaction waits in the pool while its nonce is not next, it does not fit into the block or its
// fee cap is below the base fee. It replaces one of the same sender and nonce when it pays 10 % more in both fees.
// Errors: those of pool.Check and pool.Pool.Admits, and txpool.ErrTxGasPriceTooLow, see pool.Behaviour.RequireTip.
func (t *Timeline) Send(tx *types.Transaction) error {
	e, err := t.checked(tx, t.Moment().Signer())
	if err != nil {
		return err
	}
	return t.change(func(c *change) error { return c.enqueue(e) })
}

// checked returns tx as the pool has it, after all checks that need no turn.
func (t *Timeline) checked(tx *types.Transaction, signer types.Signer) (*pool.Entry, error) {
	m := t.Moment()
	e, err := pool.Check(tx, signer, m.chain, m.NextHeader(), m.cfg.Pool)
	if err != nil && m.cfg.Pool.StateFirst {
		return nil, m.firstMistake(tx, signer, err)
	}
	if err != nil {
		return nil, err
	}
	return e, m.fetchFor(e.Tx, e.From)
}

// firstMistake returns the mistake that pool.Behaviour.StateFirst names before one of the form, or that one.
func (m *Moment) firstMistake(tx *types.Transaction, signer types.Signer, form error) error {
	from, err := types.Sender(signer, tx)
	if err != nil {
		return fmt.Errorf("%w: %v", txpool.ErrInvalidSender, err)
	}
	if err := m.Load(from); err != nil {
		return err
	}
	state := m.pool.Admits(&pool.Entry{Tx: tx, From: from}, m.newest(), m.NextHeader().BaseFee, m.cfg.Pool)
	tip := errors.Is(form, core.ErrTipAboveFeeCap)
	switch {
	case errors.Is(state, core.ErrNonceTooLow):
		return state
	case tip && tx.Gas() < params.TxGas:
		return core.ErrIntrinsicGas
	case tip && errors.Is(state, core.ErrFeeCapTooLow):
		return state
	}
	return form
}

// enqueue puts e into the pool, unless the newest state forbids it.
func (c *change) enqueue(e *pool.Entry) error {
	if err := c.acceptable(e); err != nil && !(errors.Is(err, core.ErrNonceTooLow) && c.takesReplacement(e)) {
		return err
	}
	c.pool.Arrived++
	e.Arrival = c.pool.Arrived
	replaces := c.pool.At(e.From, e.Tx.Nonce()) != nil
	c.pool = c.pool.With(e)
	c.blobs = c.blobs.With(e.Tx)
	announced := []*pool.Entry{e}
	if c.cfg.Pool.AnnounceReady {
		announced = c.pool.Readied(e, replaces, c.newest())
	}
	for _, e := range announced {
		c.emit(&Event{Kind: TransactionPooled, Transaction: e.Tx, Sender: e.From})
	}
	if c.control.Settings.Mode != control.Instant {
		return nil
	}
	if err := c.sealReady(); err != nil {
		return err
	}
	if reason := c.pool.Drops.Reason(e.Tx.Hash()); reason != nil && !errors.Is(reason, pool.ErrGone) { // faults are silent
		return reason
	}
	return nil
}

// takesReplacement reports whether a fault takes e, whose nonce a pre-confirmed transaction has.
func (c *change) takesReplacement(e *pool.Entry) bool {
	sealed, err := c.builder().StateAt(c.builder().Head())
	if err != nil || c.control.Faults.Replacements == 0 || e.Tx.Nonce() < sealed.Nonce(e.From) {
		return false
	}
	c.control.Faults.Replacements--
	return true
}

// sealReady seals what is ready, each transaction in a block of its own or all together.
func (c *change) sealReady() error {
	each := 1
	if c.cfg.BatchReady {
		each = 0
	}
	for c.pool.Len() > 0 {
		s, err := c.opened()
		if err != nil {
			return err
		}
		b, err := c.fill(s.draft, each)
		if err != nil {
			return err
		}
		if len(b.Entries) == 0 {
			return nil
		}
		if _, err := c.close(s, b); err != nil {
			return err
		}
		c.publish()
	}
	return nil
}

// acceptable returns why the newest state or the pool rejects e, or nil.
func (c *change) acceptable(e *pool.Entry) error {
	for _, s := range c.pendingSlices() {
		if _, ok := s.positions.Get(e.Tx.Hash()); ok {
			return txpool.ErrAlreadyKnown
		}
	}
	state := c.newest()
	if err := state.Load(e.From); err != nil {
		return err
	}
	if c.chain.NativeToken != (common.Address{}) {
		if err := state.CheckParties(e.From, e.Tx.To(), e.Tx.Value().Sign() > 0); err != nil {
			return err
		}
	}
	var err error
	if e.Levy, err = c.chain.MostLevied(e.Tx, state); err != nil {
		return err
	}
	return c.pool.Admits(e, state, c.NextHeader().BaseFee, c.cfg.Pool)
}

// SendAs sends a transaction of an account and returns it as it was sent. fill makes it for a nonce: signed, or
// unsigned, which is taken from every account. A nil nonce is the next one of the account, those in the pool counted
// in; where another transaction takes it meanwhile, fill is called again. Other writers do not wait for fill. Errors:
// those of fill and of Send.
func (t *Timeline) SendAs(from common.Address, nonce *uint64, fill func(nonce uint64) (*types.Transaction, error)) (*types.Transaction, error) {
	for {
		at := nonce
		if at == nil {
			m := t.Moment()
			if err := m.Load(from); err != nil {
				return nil, err
			}
			at = new(m.PoolNonce(from))
		}
		tx, err := fill(*at)
		if err != nil {
			return nil, err
		}
		signer := t.Moment().Signer()
		if !pool.IsSigned(tx) {
			if tx, signer, err = pool.Impersonate(tx, signer, from); err != nil {
				return nil, err
			}
		}
		e, err := t.checked(tx, signer)
		if err != nil {
			return nil, err
		}
		taken := false // by another transaction meanwhile
		err = t.change(func(c *change) error {
			if nonce == nil {
				state := c.newest()
				if err := state.Load(from); err != nil {
					return err
				}
				if taken = c.pool.NonceAfter(state, from) != *at; taken {
					return nil
				}
			}
			return c.enqueue(e)
		})
		if !taken {
			return e.Tx, err
		}
	}
}

// Impersonated reports whether clients may send from this address without its key. SendAs takes transactions from every
// one.
func (m *Moment) Impersonated(a common.Address) bool {
	return m.control.ImpersonateAll || m.control.Impersonated.Has(a)
}
