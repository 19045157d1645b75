package preconf

import (
	"errors"
	"slices"

	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
)

// maxDropped is how many reasons one generation of a dropLog keeps.
const maxDropped = 4096

// dropLog remembers why transactions were dropped: at least the last maxDropped of them. It is immutable.
type dropLog struct {
	young, old *immutable.Map[common.Hash, error]
}

var (
	noReasons    = immutable.NewMap[common.Hash, error](hashHasher{})
	emptyDropLog = dropLog{young: noReasons, old: noReasons}
)

func (d dropLog) with(h common.Hash, reason error) dropLog {
	if d.young.Len() >= maxDropped {
		d = dropLog{young: noReasons, old: d.young}
	}
	d.young = d.young.Set(h, reason)
	return d
}

func (d dropLog) without(h common.Hash) dropLog {
	d.young, d.old = d.young.Delete(h), d.old.Delete(h)
	return d
}

func (d dropLog) reason(h common.Hash) error {
	if err, ok := d.young.Get(h); ok {
		return err
	}
	err, _ := d.old.Get(h)
	return err
}

// saved returns the reasons as plain values, older ones first.
func (d dropLog) saved() []SavedDrop {
	var saved []SavedDrop
	for _, generation := range []*immutable.Map[common.Hash, error]{d.old, d.young} {
		first := len(saved)
		for it := generation.Iterator(); !it.Done(); {
			hash, reason, _ := it.Next()
			saved = append(saved, SavedDrop{hash, reason.Error()})
		}
		slices.SortFunc(saved[first:], func(a, b SavedDrop) int { return a.Hash.Cmp(b.Hash) })
	}
	return saved
}

// restoredDrops returns the log of saved reasons. Those that callers recognise are the same errors again.
func restoredDrops(saved []SavedDrop) dropLog {
	log := emptyDropLog
	for _, s := range saved {
		reason := errors.New(s.Reason)
		for _, known := range []error{ErrGone, ErrReorged, ErrPoolCleared, core.ErrNonceTooLow} {
			if known.Error() == s.Reason {
				reason = known
			}
		}
		log = log.with(s.Hash, reason)
	}
	return log
}

// prune drops the sender's transactions below its nonce.
func (c *change) prune(from common.Address, nonce uint64) {
	for e := c.pool.first(from); e != nil && e.tx.Nonce() < nonce; e = c.pool.first(from) {
		c.drop(e, core.ErrNonceTooLow)
	}
}

// drop removes e from the pool and remembers why.
func (c *change) drop(e *entry, reason error) {
	c.pool = c.pool.without(e)
	c.dropped = c.dropped.with(e.tx.Hash(), reason)
}

// remember keeps why transactions were dropped.
func (c *change) remember(dropped []rejection) {
	for _, r := range dropped {
		c.dropped = c.dropped.with(r.hash, r.reason)
	}
}

// lose remembers that a fault lost entries, which are not in the pool.
func (c *change) lose(entries []*entry) {
	for _, e := range entries {
		c.dropped = c.dropped.with(e.tx.Hash(), ErrGone)
	}
}

// pruneAll drops every transaction in the pool whose nonce the newest state has used up.
func (c *change) pruneAll() {
	state := c.newest()
	for it := c.pool.bySender.Iterator(); !it.Done(); {
		from, _, _ := it.Next()
		c.prune(from, state.Nonce(from))
	}
}

// DropTransaction removes a transaction from the pool and reports whether it was there.
func (t *Timeline) DropTransaction(hash common.Hash) bool {
	var found bool
	t.set(func(c *change) {
		var e *entry
		if e, found = c.pool.byHash.Get(hash); found {
			c.drop(e, ErrPoolCleared)
		}
	})
	return found
}

// DropTransactionsOf removes a sender's transactions from the pool.
func (t *Timeline) DropTransactionsOf(from common.Address) {
	t.set(func(c *change) {
		for e := range c.pool.entriesOf(from) {
			c.drop(e, ErrPoolCleared)
		}
	})
}

// ClearPool removes all transactions from the pool.
func (t *Timeline) ClearPool() {
	t.set(func(c *change) {
		for e := range c.pool.all {
			c.dropped = c.dropped.with(e.tx.Hash(), ErrPoolCleared)
		}
		c.pool = emptyPool
	})
}
