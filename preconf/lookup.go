package preconf

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Where names the place of a transaction.
type Where string

const (
	// Unknown means that the node has never seen the transaction, or has forgotten it.
	Unknown Where = "unknown"
	// Pooled means that the transaction was accepted and is not executed yet.
	Pooled Where = "pool"
	// Preconfirmed means that the transaction is in the pending block.
	Preconfirmed Where = "preconfirmed"
	// Sealed means that the transaction is in a block of the chain.
	Sealed Where = "sealed"
	// Orphaned means that a block that was removed from the chain held the transaction, and that it is nowhere else.
	Orphaned Where = "orphaned"
	// Dropped means that the transaction was removed from the pool or the pending block.
	Dropped Where = "dropped"
)

// Found is a transaction, what it is, and where. It is immutable, and what it holds is shared: do not modify.
type Found struct {
	Where Where
	// Transaction is nil if Where is Unknown or Dropped, and has its blobs while Where is Pooled.
	Transaction evmstate.Transaction
	Sender      common.Address
	// View is the block that holds the transaction, and Index and Receipt are the transaction's there. Nil and zero: no
	// block holds it.
	View    *View
	Index   int
	Receipt *types.Receipt
	// Reason is why the transaction was removed from the pool, the pending block or the chain (pool.ErrReorged), as far
	// as it is among the last 4,096 of which the node remembers that. Nil: it was not, or no reason is known.
	Reason error
}

// Executed reports whether the transaction is pre-confirmed or sealed.
func (f *Found) Executed() bool { return f.Where == Preconfirmed || f.Where == Sealed }

// Present reports whether the transaction is executed or in the pool.
func (f *Found) Present() bool { return f.Where == Pooled || f.Executed() }

// Blobs returns the newest transactions with blobs, which blocks do not have. A restart loses them.
func (m *Moment) Blobs() pool.Blobs { return m.blobs }

// Find finds a transaction of any kind by its hash: pooled, pre-confirmed, sealed, orphaned, dropped, or on a fork in a
// block of the other chain, which is asked if this one has never had the transaction. Where nobody knows the
// transaction, Found.Where is Unknown. The error is a *remote.Error, and then Found.Where is Unknown too.
func (m *Moment) Find(hash common.Hash) (Found, error) {
	if found := m.find(hash); found.Where != Unknown {
		return found, nil
	}
	return m.ancestral(hash)
}

// find is Find without the other chain of a fork.
func (m *Moment) find(hash common.Hash) Found {
	b, i, canonical := m.chain.Find(hash)
	if canonical {
		return m.sealed(b).At(i)
	}
	for _, s := range m.pendingSlices() {
		if i, ok := s.positions.Get(hash); ok {
			return m.pendingView(s).At(i)
		}
	}
	if e := m.pool.Get(hash); e != nil {
		return pooled(e)
	}
	reason := m.pool.Drops.Reason(hash)
	switch {
	case b != nil && (reason == nil || errors.Is(reason, pool.ErrReorged)):
		orphaned := viewOf(m.chain, b, true).At(i)
		orphaned.Reason = reason
		return orphaned
	case reason != nil:
		return Found{Where: Dropped, Reason: reason}
	}
	return Found{Where: Unknown}
}

// FindNonce finds the sealed, pre-confirmed or pooled transaction of a sender with that nonce. It searches block by
// block, from the newest on, and what is at or below a fork block by halves. Where there is none, Found.Where is
// Unknown. The error is a *remote.Error.
func (m *Moment) FindNonce(sender common.Address, nonce uint64) (Found, error) {
	if e := m.pool.At(sender, nonce); e != nil {
		return pooled(e), nil
	}
	for _, s := range m.pendingSlices() {
		if found := m.pendingView(s).findNonce(sender, nonce); found.Where != Unknown {
			return found, nil
		}
	}
	for n := m.chain.Head().Number(); n > m.chain.Base(); n-- {
		if found := m.sealed(m.chain.BlockByNumber(n)).findNonce(sender, nonce); found.Where != Unknown {
			return found, nil
		}
	}
	return m.ancestralNonce(sender, nonce)
}

// findNonce is FindNonce in one block.
func (v *View) findNonce(sender common.Address, nonce uint64) Found {
	for i := range v.Count() {
		if v.Sender(i) == sender && v.Transaction(i).Nonce() == nonce {
			return v.At(i)
		}
	}
	return Found{Where: Unknown}
}

// FirstBlock returns the first canonical block, on a fork from the genesis of the remote chain on, after which holds is
// true of the State; at the latest it returns block last. holds reads the given account, and what is true once must
// stay true. A State that is no longer kept counts as one of which it is not. FirstBlock looks at as many States as the
// number of blocks has binary digits. Errors: *UnknownBlockError, and on a fork *remote.Error.
func (m *Moment) FirstBlock(last uint64, account common.Address, holds func(*evmstate.State) bool) (*View, error) {
	first := uint64(0)
	for first < last {
		middle := first + (last-first)/2
		v, err := m.ByNumber(middle)
		if err != nil {
			return nil, err
		}
		state, err := v.State()
		if err == nil {
			if err := state.Load(account); err != nil {
				return nil, err
			}
		}
		if err == nil && holds(state) {
			last = middle
		} else {
			first = middle + 1
		}
	}
	return m.ByNumber(first)
}

// At returns transaction i of the block.
func (v *View) At(i int) Found {
	where := Sealed
	switch {
	case v.Pending():
		where = Preconfirmed
	case v.orphan:
		where = Orphaned
	}
	return Found{Where: where, Transaction: v.Transaction(i), Sender: v.Sender(i), View: v, Index: i, Receipt: v.Receipts()[i]}
}

func pooled(e *pool.Entry) Found { return Found{Where: Pooled, Transaction: e.Tx, Sender: e.From} }

// Place is Find, but the Reason of a pooled transaction is why it cannot be in the next flashblock:
// a missing nonce, *pool.FeeCapError, *pool.RoomError, *control.Held, or nil if nothing is in its way. On a
// fork whose other chain does not answer, the transaction is Unknown, and Reason is the *remote.Error.
func (m *Moment) Place(hash common.Hash) Found {
	found, err := m.Find(hash)
	switch {
	case err != nil:
		found.Reason = err
	case found.Where == Pooled:
		found.Reason = m.inTheWay(found)
	}
	return found
}

// inTheWay returns the reason why the next flashblock cannot hold a pooled transaction, or nil.
func (m *Moment) inTheWay(pooled Found) error {
	nonce := pooled.Transaction.Nonce()
	if missing := m.PoolNonce(pooled.Sender); missing < nonce {
		return fmt.Errorf("its nonce is %d, and no transaction has nonce %d", nonce, missing)
	}
	for n := m.newest().Nonce(pooled.Sender); n < nonce; n++ {
		before := m.pool.At(pooled.Sender, n)
		if before == nil {
			continue // an authorization takes this nonce
		}
		if reason := m.excludes(before); reason != nil {
			return fmt.Errorf("it follows %s of the same sender: %w", before.Tx.Hash(), reason)
		}
	}
	return m.excludes(m.pool.At(pooled.Sender, nonce))
}

// excludes returns the reason why the block being built cannot hold e, or nil.
func (m *Moment) excludes(e *pool.Entry) error {
	if reason := m.hold(e); reason != nil {
		return reason
	}
	header := m.NextHeader()
	left := header.GasLimit
	if m.tip != nil {
		left -= m.tip.draft.GasUsed()
	}
	return pool.Fits(e.Tx, header, left)
}

// checkKnown rejects a block above the head, or below a fork block.
func (w *world) checkKnown(number uint64) error {
	if head := w.chain.Head().Number(); number > head || number < w.chain.Base() {
		return &UnknownBlockError{Number: &number, Head: head}
	}
	return nil
}

// Safe returns the block set by the setting Safe, or the one SafeLag behind the head; above an L1 the newest one whose
// origin is below what is safe there. It is not below Finalized.
func (m *Moment) Safe() *View { return m.sealed(m.chain.BlockByNumber(m.safeNumber())) }

// Finalized returns the block set by the setting Finalized, or the one FinalizedLag behind the head; above an L1 the
// newest one whose origin is below what is finalized there. Only a forced reorg and going back to a snapshot make it an
// earlier one.
func (m *Moment) Finalized() *View { return m.sealed(m.chain.BlockByNumber(m.finalizedNumber())) }

func (w *world) safeNumber() uint64 {
	n := w.behind(w.control.SafeAt, *w.cfg.SafeLag)
	if w.control.SafeAt == nil && w.hasL1() {
		n = w.derivedBefore(w.below.safeNumber())
	}
	return max(n, w.finalizedNumber())
}

func (w *world) finalizedNumber() uint64 {
	n := w.behind(w.control.FinalizedAt, *w.cfg.FinalizedLag)
	if w.control.FinalizedAt == nil && w.hasL1() {
		n = w.derivedBefore(w.below.finalizedNumber())
	}
	if w.control.FinalizedAt == nil {
		n = max(n, w.control.KeptFinalized)
	}
	return n
}

// behind returns the number set, at most the head's, or the head's less lag, at least the first block's.
func (w *world) behind(set *uint64, lag uint64) uint64 {
	return control.Behind(set, lag, w.chain.Head().Number(), w.chain.Base())
}
