package preconf

import (
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf/pool"
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
	// Reason is why the transaction was removed from the pool, the pending block or the chain (ErrReorged), as far as it
	// is among the last 4,096 of which the node remembers that. Nil: it was not, or no reason is known.
	Reason error
}

// Executed reports whether the transaction is pre-confirmed or sealed.
func (f *Found) Executed() bool { return f.Where == Preconfirmed || f.Where == Sealed }

// Present reports whether the transaction is executed or in the pool.
func (f *Found) Present() bool { return f.Where == Pooled || f.Executed() }

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
	reason := m.dropped.Reason(hash)
	switch {
	case b != nil && (reason == nil || errors.Is(reason, ErrReorged)):
		orphaned := (&View{chain: m.chain, block: b, orphan: true}).At(i)
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
		v := m.pendingView(s)
		if i := v.indexOf(sender, nonce); i >= 0 {
			return v.At(i), nil
		}
	}
	for n := m.chain.Head().Number(); n > m.chain.Base(); n-- {
		v := m.sealed(m.chain.BlockByNumber(n))
		if i := v.indexOf(sender, nonce); i >= 0 {
			return v.At(i), nil
		}
	}
	return m.ancestralNonce(sender, nonce)
}

// indexOf returns the index of the sender's transaction with that nonce in the block, or -1.
func (v *View) indexOf(sender common.Address, nonce uint64) int {
	for i := range v.Count() {
		if v.Sender(i) == sender && v.Transaction(i).Nonce() == nonce {
			return i
		}
	}
	return -1
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

// pooled returns a transaction of the pool.
func pooled(e *pool.Entry) Found { return Found{Where: Pooled, Transaction: e.Tx, Sender: e.From} }

// PoolNonce returns the next nonce of an account, counting what is pre-confirmed and what waits in the pool without a
// gap.
func (m *Moment) PoolNonce(a common.Address) uint64 { return m.pool.NonceAfter(m.newest(), a) }

// PoolTransaction is a transaction in the pool.
type PoolTransaction struct {
	Transaction *types.Transaction // with its blobs
	Sender      common.Address
	// Queued reports that a nonce before it is missing.
	Queued bool
}

// PoolSize returns how many transactions are in the pool.
func (m *Moment) PoolSize() int { return m.pool.Len() }

// Pool returns every transaction in the pool, in the order of arrival.
func (m *Moment) Pool() []PoolTransaction {
	state := m.newest()
	content := make([]PoolTransaction, 0, m.pool.Len())
	next := make(map[common.Address]uint64)
	for _, e := range m.pool.Sorted() {
		after, ok := next[e.From]
		if !ok {
			after = m.pool.NonceAfter(state, e.From)
			next[e.From] = after
		}
		content = append(content, PoolTransaction{Transaction: e.Tx, Sender: e.From, Queued: e.Tx.Nonce() >= after})
	}
	return content
}
