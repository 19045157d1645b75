package preconf

import (
	"cmp"
	"iter"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// TxLookup is a transaction and where it is.
type TxLookup struct {
	Transaction *types.Transaction
	Sender      common.Address
	// View of the block it is in, sealed or pending, and its Index and Receipt there. Nil and zero while it is in the
	// pool.
	View    *View
	Index   int
	Receipt *types.Receipt
}

// Transaction finds a sealed, pre-confirmed or pooled transaction.
func (m *Moment) Transaction(hash common.Hash) (TxLookup, bool) {
	if l, ok := m.Receipt(hash); ok {
		return l, true
	}
	e, ok := m.pool.byHash.Get(hash)
	if !ok {
		return TxLookup{}, false
	}
	return TxLookup{Transaction: e.tx, Sender: e.from}, true
}

// TransactionOf finds the sealed, pre-confirmed or pooled transaction of a sender with that nonce. It searches block by
// block, from the newest on, on a fork down to the fork block.
func (m *Moment) TransactionOf(sender common.Address, nonce uint64) (TxLookup, bool) {
	if e := m.pool.at(sender, nonce); e != nil {
		return TxLookup{Transaction: e.tx, Sender: e.from}, true
	}
	for _, v := range m.PendingBlocks() {
		if l, ok := v.transactionOf(sender, nonce); ok {
			return l, true
		}
	}
	for n := m.chain.Head().Number(); n > m.chain.Base(); n-- {
		if l, ok := m.sealed(m.chain.BlockByNumber(n)).transactionOf(sender, nonce); ok {
			return l, true
		}
	}
	return TxLookup{}, false
}

func (v *View) transactionOf(sender common.Address, nonce uint64) (TxLookup, bool) {
	for i, tx := range v.Transactions() {
		if tx.Nonce() == nonce && v.Sender(i) == sender {
			return v.transaction(i), true
		}
	}
	return TxLookup{}, false
}

// Receipt finds a sealed or pre-confirmed transaction.
func (m *Moment) Receipt(hash common.Hash) (TxLookup, bool) {
	if b, i, ok := m.chain.Transaction(hash); ok {
		return m.sealed(b).transaction(i), true
	}
	for _, s := range m.pendingSlices() {
		if i, ok := s.positions.Get(hash); ok {
			return m.pendingView(s).transaction(i), true
		}
	}
	return TxLookup{}, false
}

func (v *View) transaction(i int) TxLookup {
	return TxLookup{
		Transaction: v.Transaction(i),
		Sender:      v.Sender(i),
		View:        v,
		Index:       i,
		Receipt:     v.Receipts()[i],
	}
}

// DepositLookup is a deposit and where it is.
type DepositLookup struct {
	View  *View
	Index int // among the deposits of View
}

// Deposit finds a sealed or pre-confirmed deposit of an OP-stack chain.
func (m *Moment) Deposit(hash common.Hash) (DepositLookup, bool) {
	if b, i, ok := m.chain.Deposit(hash); ok {
		return DepositLookup{m.sealed(b), i}, true
	}
	if m.chain.Optimism() == nil {
		return DepositLookup{}, false
	}
	views := m.PendingBlocks()
	if len(views) == 0 { // nothing is pre-confirmed, but the pending block has its deposits
		views = append(views, m.Pending())
	}
	for _, v := range views {
		for i := range v.Deposits() {
			if v.Deposits()[i].Hash == hash {
				return DepositLookup{v, i}, true
			}
		}
	}
	return DepositLookup{}, false
}

// DepositOf finds the sealed or pre-confirmed deposit of a sender with that nonce, of an OP-stack chain. It searches
// block by block, from the newest on.
func (m *Moment) DepositOf(sender common.Address, nonce uint64) (DepositLookup, bool) {
	if m.chain.Optimism() == nil {
		return DepositLookup{}, false
	}
	for _, v := range m.PendingBlocks() {
		if l, ok := v.depositOf(sender, nonce); ok {
			return l, true
		}
	}
	for n := m.chain.Head().Number(); n > m.chain.Base(); n-- {
		if l, ok := m.sealed(m.chain.BlockByNumber(n)).depositOf(sender, nonce); ok {
			return l, true
		}
	}
	return DepositLookup{}, false
}

func (v *View) depositOf(sender common.Address, nonce uint64) (DepositLookup, bool) {
	for i, d := range v.Deposits() {
		if d.Nonce == nonce && d.From == sender {
			return DepositLookup{v, i}, true
		}
	}
	return DepositLookup{}, false
}

// Located finds a sealed or pre-confirmed transaction or deposit: its block, and where in it, deposits counted. The View
// is nil if there is none.
func (m *Moment) Located(hash common.Hash) (v *View, position int) {
	if found, ok := m.Receipt(hash); ok {
		return found.View, found.View.Position(found.Index)
	}
	found, _ := m.Deposit(hash)
	return found.View, found.Index
}

// PoolNonce returns the next nonce of an account, counting what is pre-confirmed and what waits in the pool without a
// gap.
func (m *Moment) PoolNonce(a common.Address) uint64 { return m.pool.nonceAfter(m.newest(), a) }

// PoolTransaction is a transaction in the pool.
type PoolTransaction struct {
	Transaction *types.Transaction // with its blobs
	Sender      common.Address
	// Queued reports that a nonce before it is missing.
	Queued bool
}

// PoolSize returns how many transactions are in the pool.
func (m *Moment) PoolSize() int { return m.pool.len() }

// Pool returns every transaction in the pool, in the order of arrival.
func (m *Moment) Pool() []PoolTransaction {
	state := m.newest()
	content := make([]PoolTransaction, 0, m.pool.len())
	next := make(map[common.Address]uint64)
	for _, e := range sortedEntries(m.pool.all) {
		after, ok := next[e.from]
		if !ok {
			after = m.pool.nonceAfter(state, e.from)
			next[e.from] = after
		}
		content = append(content, PoolTransaction{Transaction: e.tx, Sender: e.from, Queued: e.tx.Nonce() >= after})
	}
	return content
}

func sortedEntries(entries iter.Seq[*entry]) []*entry {
	return slices.SortedFunc(entries, func(a, b *entry) int { return cmp.Compare(a.arrival, b.arrival) })
}
