package preconf

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"

	"github.com/fakenode/fakenode/preconf/pool"
)

// prune drops the sender's transactions below its nonce.
func (c *change) prune(from common.Address, nonce uint64) {
	for e := c.pool.First(from); e != nil && e.Tx.Nonce() < nonce; e = c.pool.First(from) {
		c.drop(e, core.ErrNonceTooLow)
	}
}

// drop removes e from the pool and remembers why.
func (c *change) drop(e *pool.Entry, reason error) {
	c.pool = c.pool.Without(e)
	c.dropped = c.dropped.With(e.Tx.Hash(), reason)
}

// remember keeps why transactions were dropped.
func (c *change) remember(dropped []pool.Rejection) {
	for _, r := range dropped {
		c.dropped = c.dropped.With(r.Hash, r.Reason)
	}
}

// lose remembers that a fault lost entries, which are not in the pool.
func (c *change) lose(entries []*pool.Entry) {
	for _, e := range entries {
		c.dropped = c.dropped.With(e.Tx.Hash(), ErrGone)
	}
}

// pruneAll drops every transaction in the pool whose nonce the newest state has used up.
func (c *change) pruneAll() {
	state := c.newest()
	for from := range c.pool.Senders {
		c.prune(from, state.Nonce(from))
	}
}

// DropTransaction removes a transaction from the pool and reports whether it was there.
func (t *Timeline) DropTransaction(hash common.Hash) bool {
	var found bool
	t.set(func(c *change) {
		if e := c.pool.Get(hash); e != nil {
			c.drop(e, ErrPoolCleared)
			found = true
		}
	})
	return found
}

// DropTransactionsOf removes a sender's transactions from the pool.
func (t *Timeline) DropTransactionsOf(from common.Address) {
	t.set(func(c *change) {
		for e := range c.pool.Of(from) {
			c.drop(e, ErrPoolCleared)
		}
	})
}

// ClearPool removes all transactions from the pool.
func (t *Timeline) ClearPool() {
	t.set(func(c *change) {
		for _, e := range c.pool.Sorted() {
			c.dropped = c.dropped.With(e.Tx.Hash(), ErrPoolCleared)
		}
		c.pool = c.pool.Cleared()
	})
}
