package preconf

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"

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
	if err != nil {
		return nil, err
	}
	return e, m.fetchFor(e.Tx, e.From)
}

// enqueue puts e into the pool, unless the newest state forbids it.
func (c *change) enqueue(e *pool.Entry) error {
	if err := c.acceptable(e); err != nil {
		return err
	}
	c.pool.Arrived++
	e.Arrival = c.pool.Arrived
	replaces := c.pool.At(e.From, e.Tx.Nonce()) != nil
	c.pool = c.pool.With(e)
	c.blobs = c.blobs.With(e.Tx)
	c.announceEntry(e, replaces)
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

// announceEntry announces e; with AnnounceReady unless a nonce before it is missing, and then what waited for e.
func (c *change) announceEntry(e *pool.Entry, replaces bool) {
	if c.cfg.Pool.AnnounceReady && e.Tx.Nonce() >= c.pool.NonceAfter(c.newest(), e.From) {
		return
	}
	for p := e; p != nil; p = c.pool.At(p.From, p.NonceAfter()) {
		c.emit(&Event{Kind: TransactionPooled, Transaction: p.Tx, Sender: p.From})
		if replaces || !c.cfg.Pool.AnnounceReady {
			return
		}
	}
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
	if fee := c.NextHeader().BaseFee; c.cfg.Pool.RequireTip && fee != nil && fee.Sign() > 0 && e.Tx.GasTipCap().Sign() == 0 {
		return fmt.Errorf("%w: gas tip cap 0, minimum needed 1", txpool.ErrTxGasPriceTooLow)
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
	var least *big.Int
	if c.cfg.Pool.RejectBelowBaseFee {
		least = c.NextHeader().BaseFee
	}
	return c.pool.Admits(e, state, least, c.cfg.Pool.FeeCapBumpOnly)
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
