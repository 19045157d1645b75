package preconf

import (
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// Reorg replaces the newest blocks. The replacements take the slots of those
// they replace, further ones the next slots, and the clock is set forward to the
// last. What is pre-confirmed stays so, executed anew on the new head and
// unannounced, unless it does not execute any more; while a block is late, all
// that is pre-confirmed goes back to the pool. Settings for the next block only
// are forgotten. Readers are told of the removed logs, then of each
// new head and its logs. Errors: *DepthError, *BlockTransactionError,
// *chain.PrunedError, or what is wrong with o; then nothing changed.
func (t *Timeline) Reorg(o ReorgOptions) (ReorgResult, error) {
	var result ReorgResult
	err := t.change(func(c *change) error {
		var err error
		result, err = c.reorg(o)
		return err
	})
	return result, err
}

func (c *change) reorg(o ReorgOptions) (ReorgResult, error) {
	length, err := c.checkReorg(o)
	if err != nil {
		return ReorgResult{}, err
	}
	head := c.chain.Head().Number()
	ancestor := head - uint64(o.Depth)
	removed := make([]*chain.Block, o.Depth)
	for i := range removed {
		removed[i] = c.chain.BlockByNumber(ancestor + 1 + uint64(i))
	}
	if err := c.checkDrop(o.Drop, ancestor); err != nil {
		return ReorgResult{}, err
	}
	if c.late != nil {
		c.unconfirm()
	}
	r := &replacement{change: c, removed: removed, senders: c.sendersOf(removed)}
	mine := c.pool
	c.pool = emptyPool
	c.requeue(surviving(removed, o))

	c.final = min(c.finalizedNumber(), ancestor)
	c.chain = c.chain.Truncate(ancestor)
	c.reorgs++
	c.next = overrides{}
	for i := range length {
		var listed []*types.Transaction
		if i < len(o.Blocks) {
			listed = o.Blocks[i]
		}
		if err := r.block(i, listed, i < len(o.Blocks)); err != nil {
			return ReorgResult{}, err
		}
	}
	return c.finishReorg(r, mine, o.RemovedOrder)
}

// checkReorg returns how many blocks the reorg adds, or why it cannot be.
func (c *change) checkReorg(o ReorgOptions) (int, error) {
	head := c.chain.Head().Number()
	switch {
	case o.Depth < 1:
		return 0, fmt.Errorf("reorg depth %d is under 1", o.Depth)
	case uint64(o.Depth) > head:
		return 0, &DepthError{Depth: o.Depth, Max: int(head)}
	case !slices.Contains([]Fate{"", Requeue, Drop, Reverse}, o.Transactions):
		return 0, fmt.Errorf("unknown fate %q of removed transactions: requeue, drop or reverse", o.Transactions)
	case !slices.Contains([]RemovedOrder{"", Forward, Backward}, o.RemovedOrder):
		return 0, fmt.Errorf("unknown order %q of removed logs: forward or reverse", o.RemovedOrder)
	}
	if most := head - c.finalizedNumber(); uint64(o.Depth) > most && !o.Force {
		return 0, &DepthError{Depth: o.Depth, Max: int(most), Finalized: true}
	}
	if _, err := c.chain.StateAt(c.chain.BlockByNumber(head - uint64(o.Depth))); err != nil {
		return 0, err
	}
	length := max(o.Depth+1, len(o.Blocks))
	if o.Length != nil {
		length = *o.Length
	}
	if length < len(o.Blocks) || length < 0 {
		return 0, fmt.Errorf("reorg length %d is under the %d blocks listed", length, len(o.Blocks))
	}
	return length, nil
}

// checkDrop refuses to drop what is in no block above the ancestor.
func (c *change) checkDrop(drop []common.Hash, ancestor uint64) error {
	for _, h := range drop {
		if b, _, ok := c.chain.Transaction(h); !ok || b.Number() <= ancestor {
			return fmt.Errorf("cannot drop transaction %s: no removed block holds it", h)
		}
	}
	return nil
}

// surviving are the transactions of removed blocks that go back to the pool, in
// the order in which they are to come again.
func surviving(removed []*chain.Block, o ReorgOptions) []*entry {
	if o.Transactions == Drop {
		return nil
	}
	gone := make(map[common.Hash]bool)
	for _, h := range o.Drop {
		gone[h] = true
	}
	for _, txs := range o.Blocks {
		for _, tx := range txs {
			gone[tx.Hash()] = true
		}
	}
	var entries []*entry
	for _, b := range removed {
		for i := range b.Transactions() {
			entries = append(entries, entryOf(b, i))
		}
	}
	entries = without(entries, gone)
	if o.Transactions == Reverse {
		slices.Reverse(entries)
	}
	return entries
}

// sendersOf knows the senders that no signature tells: those of impersonated
// transactions.
func (c *change) sendersOf(removed []*chain.Block) map[common.Hash]common.Address {
	known := make(map[common.Hash]common.Address)
	for _, b := range removed {
		for i, tx := range b.Transactions() {
			known[tx.Hash()] = b.Sender(i)
		}
	}
	entries := c.tip.allEntries()
	for e := range c.pool.all {
		entries = append(entries, e)
	}
	for _, e := range entries {
		known[e.tx.Hash()] = e.from
	}
	return known
}

// replacement makes the blocks of the new branch.
type replacement struct {
	*change
	removed []*chain.Block
	senders map[common.Hash]common.Address // of transactions that the node knew
	added   []*chain.Block
	chains  []*chain.Chain // after each of added
}

// block makes replacement block i of the listed transactions, or of those that
// the removed blocks left in the pool.
func (r *replacement) block(i int, listed []*types.Transaction, exact bool) error {
	env := r.env()
	env.Time = r.slot(i)
	if err := checkTime(env.Time); err != nil {
		return err
	}
	draft, err := r.chain.NewDraft(env)
	if err != nil {
		return err
	}
	b := batch{draft: draft}
	if !exact {
		b = r.fill(draft, 0)
	}
	signer := signerOf(r.chain, draft.Header())
	for _, tx := range listed {
		from, ok := r.senders[tx.Hash()]
		if !ok {
			from, err = types.Sender(signer, tx)
		}
		if err == nil {
			err = checkGas(tx)
		}
		if err == nil {
			err = b.add(&entry{tx: tx, from: from})
		}
		if err != nil {
			return &BlockTransactionError{Block: i, Hash: tx.Hash(), Err: err}
		}
	}
	next, sealed, err := b.draft.Seal()
	if err != nil {
		return err
	}
	r.change.chain = next
	r.added = append(r.added, sealed)
	r.chains = append(r.chains, next)
	return nil
}

// slot is the timestamp of replacement block i.
func (r *replacement) slot(i int) uint64 {
	if i < len(r.removed) {
		return r.removed[i].Time()
	}
	parent := r.chain.Head().Time()
	switch {
	case r.slotted():
		return parent + r.step()
	case r.settings.interval != nil:
		return parent + *r.settings.interval
	}
	return max(parent, uint64(r.clock.now/int64(time.Second)))
}

// finishReorg puts pool and pending block onto the new head and tells readers.
func (c *change) finishReorg(r *replacement, mine pool, order RemovedOrder) (ReorgResult, error) {
	var result ReorgResult
	waiting := sortedEntries(c.pool.all)
	c.pool = mine
	if len(r.added) > 0 {
		last := int64(r.added[len(r.added)-1].Time()) * int64(time.Second)
		if last > c.clock.now {
			c.clock.now, c.clock.began, c.clock.ticks = last, last, 0
		}
	}
	back, err := c.rebuild()
	if err != nil {
		return result, err
	}
	c.requeue(append(waiting, back...))
	c.pruneAll()
	for _, e := range waiting {
		if _, ok := c.pool.byHash.Get(e.tx.Hash()); ok {
			result.Requeued = append(result.Requeued, e.tx.Hash())
		}
	}
	for _, b := range r.removed {
		result.Removed = append(result.Removed, b.Hash())
		for _, tx := range b.Transactions() {
			_, _, mined := c.chain.Transaction(tx.Hash())
			if _, pooled := c.pool.byHash.Get(tx.Hash()); !mined && !pooled && c.dropped.reason(tx.Hash()) == nil {
				c.dropped = c.dropped.with(tx.Hash(), ErrReorged)
			}
		}
	}
	for _, b := range r.added {
		result.Added = append(result.Added, b.Hash())
	}
	c.tellRemoved(r.removed, order)
	for i, b := range r.added {
		c.tellAdded(r.chains[i], b)
	}
	if len(r.added) == 0 {
		c.tellHead()
	}
	return result, nil
}

// tellHead tells readers that a block they know is the head again.
func (c *change) tellHead() { c.emit(&Event{Kind: HeadAdded, View: c.sealed(c.chain.Head())}) }

// tellRemoved tells readers of the logs of orphans, given oldest first.
func (c *change) tellRemoved(blocks []*chain.Block, order RemovedOrder) {
	if order == Backward {
		blocks = slices.Clone(blocks)
		slices.Reverse(blocks)
	}
	for _, b := range blocks {
		logs := removedLogs(b.Logs())
		if len(logs) == 0 {
			continue
		}
		if order == Backward {
			slices.Reverse(logs)
		}
		c.emit(&Event{Kind: LogsRemoved, View: &View{chain: c.chain, block: b, orphan: true}, Logs: logs})
	}
}
