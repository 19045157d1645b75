package preconf

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// ErrNoReorgs is returned for a reorg of a chain that has none (Behaviour.NoReorgs).
var ErrNoReorgs = errors.New("this chain has no reorgs, as each of its blocks is final at once: fakenode_reorg with force makes one all the same")

// Reorg replaces the newest blocks. The replacements take the slots of those they replace, further ones the next slots,
// and the clock is set forward to the last. What is pre-confirmed stays so, executed again on the new head and
// unannounced, unless it does not execute any more; while a block is late, all that is pre-confirmed goes back to the
// pool. Settings for the next block only are forgotten. Readers get the removed logs unless o is Silent, then each new
// head and its logs. On an error nothing changed. Errors: *control.DepthError, *chain.PrunedError,
// *control.BudgetError, or what is wrong with o.
func (t *Timeline) Reorg(o control.ReorgOptions) (control.ReorgResult, error) {
	return changed(t, func(c *change) (control.ReorgResult, error) { return c.reorg(o, false) })
}

// ReplaceProposal replaces the newest block by an empty one in silence. By fate its transactions wait for the next
// block (Requeue), or are lost (Drop). Errors: those of Reorg.
func (t *Timeline) ReplaceProposal(fate control.Fate) (control.ReorgResult, error) {
	return t.Reorg(control.ReorgOptions{Depth: 1, Length: new(1), Blocks: [][]*types.Transaction{nil}, Transactions: fate, Silent: true})
}

// reorg is Reorg. It follows an L1 that lost the origins of these blocks, where others come of themselves.
func (c *change) reorg(o control.ReorgOptions, follows bool) (control.ReorgResult, error) {
	length, err := c.checkReorg(o)
	if err != nil {
		return control.ReorgResult{}, err
	}
	c.fateAbove = o.Above
	b := c.branchOff(o)
	if !follows {
		c.control.Reorgs++
	}
	for i := range length {
		if err := b.build(i); err != nil {
			return control.ReorgResult{}, err
		}
	}
	c.pool.Drops = b.waiting.Drops
	var left control.FromL1 // what L1 brought into removed blocks that nothing replaces
	for _, removed := range b.removed[min(length, len(b.removed)):] {
		left = left.With(c.l1Input(removed))
	}
	c.control.Next.FromL1 = left.With(c.control.Next.FromL1)
	back, err := c.moveTo(b)
	if err != nil {
		return control.ReorgResult{}, err
	}
	for _, removed := range b.removed {
		if !b.silent {
			c.control.Orphaned += removed.MemorySize()
		}
	}
	if err := control.CheckBudget(control.Orphans, c.control.Orphaned); err != nil {
		return control.ReorgResult{}, err
	}
	result := control.ReorgResult{Removed: hashesOf(b.removed), Added: hashesOf(b.added), Requeued: c.giveBack(b, back)}
	c.rememberReorged(b.removed)
	if !b.silent {
		c.notifyRemoved(b.removed, o.RemovedOrder)
	}
	c.notifyHeads(b.removed, b.added)
	return result, nil
}

// branchOff begins the branch that o describes, below the blocks it removes.
func (c *change) branchOff(o control.ReorgOptions) *branch {
	if c.late != nil {
		c.unconfirm()
	}
	ancestor := c.chain.Head().Number() - uint64(o.Depth)
	b := &branch{change: c, listed: o.Blocks, removed: blocksAbove(c.chain, ancestor), silent: o.Silent || c.cfg.CommitStates}
	b.senders = c.sendersOf(b.removed)
	b.waiting = pool.Empty
	for i, e := range surviving(b.removed, o) {
		e.Arrival = int64(i)
		b.waiting = b.waiting.With(e)
		c.pool.Drops = c.pool.Drops.Without(e.Tx.Hash())
	}
	b.waiting.Drops = c.pool.Drops // one of two with the same nonce is lost by the reorg
	c.control.KeptFinalized = min(c.finalizedNumber(), ancestor)
	cut := c.chain.Truncate
	if b.silent {
		cut = c.chain.Discard
	}
	c.chain = cut(ancestor)
	c.control.Next = control.Next{FromL1: c.control.Next.FromL1}
	return b
}

// moveTo sets the clock forward to the new head and rebuilds the pending block on it.
func (c *change) moveTo(b *branch) (back []*pool.Entry, err error) {
	if len(b.added) > 0 {
		before := c.control.Clock.Now
		c.forwardToHead(c.head().Time, c.control.Settings.Interval != nil)
		if c.control.Clock.Now > before {
			c.control.Clock = c.control.Clock.Sealed()
		}
	}
	return c.rebuild()
}

// giveBack puts into the pool what the removed blocks held and b did not take, whose hashes it returns, and back.
func (c *change) giveBack(b *branch, back []*pool.Entry) (requeued []common.Hash) {
	left := b.waiting.Sorted()
	c.pool = c.pool.Requeued(append(left, back...))
	c.pool = c.pool.Pruned(c.newest())
	for _, e := range left {
		if c.pool.Get(e.Tx.Hash()) != nil {
			requeued = append(requeued, e.Tx.Hash())
		}
	}
	return requeued
}

// rememberReorged remembers which transactions of removed blocks are neither in the chain nor in the pool now.
func (c *change) rememberReorged(removed []*chain.Block) {
	for _, b := range removed {
		for _, tx := range b.Transactions().Signed() { // the others come again by themselves
			hash := tx.Hash()
			_, _, mined := c.chain.Find(hash)
			if !mined && c.pool.Get(hash) == nil && c.pool.Drops.Reason(hash) == nil {
				c.pool.Drops = c.pool.Drops.With(pool.ErrReorged, hash)
			}
		}
	}
}

// notifyHeads notifies readers of each new head, or that an earlier block is the head again.
func (c *change) notifyHeads(removed, added []*chain.Block) {
	for _, b := range added {
		c.notifyAdded(b)
	}
	if len(added) == 0 && len(removed) > 0 {
		c.emit(&Event{Kind: HeadAdded, View: c.sealed(c.chain.Head())})
	}
}

// notifyRemoved notifies readers of the logs of orphans, which are given oldest first.
func (c *change) notifyRemoved(blocks []*chain.Block, order control.RemovedOrder) {
	if order == control.NewestFirst {
		blocks = slices.Clone(blocks)
		slices.Reverse(blocks)
	}
	for _, b := range blocks {
		logs := removedLogs(b.Logs())
		if len(logs) == 0 {
			continue
		}
		if order == control.NewestFirst {
			slices.Reverse(logs)
		}
		c.emit(&Event{Kind: LogsRemoved, View: viewOf(c.chain, b, true), Logs: logs})
	}
}

// blocksAbove returns the blocks of a chain above number n, oldest first.
func blocksAbove(c *chain.Chain, n uint64) []*chain.Block {
	blocks := make([]*chain.Block, 0, c.Head().Number()-n)
	for n++; n <= c.Head().Number(); n++ {
		blocks = append(blocks, c.BlockByNumber(n))
	}
	return blocks
}

func hashesOf(blocks []*chain.Block) []common.Hash {
	var hashes []common.Hash
	for _, b := range blocks {
		hashes = append(hashes, b.Hash())
	}
	return hashes
}

// checkReorg returns how many blocks the reorg adds, or why there cannot be such a reorg.
func (w *world) checkReorg(o control.ReorgOptions) (length int, err error) {
	head := w.chain.Head().Number()
	if w.cfg.NoReorgs && !o.Force {
		return 0, ErrNoReorgs
	}
	if length, err = o.Check(w.chain.Base(), head, w.finalizedNumber()); err != nil {
		return 0, err
	}
	ancestor := head - uint64(o.Depth)
	if _, err := w.chain.StateAt(w.chain.BlockByNumber(ancestor)); err != nil {
		return 0, err
	}
	for _, h := range o.Drop {
		b, i, sealed := w.chain.Find(h)
		if !sealed || b.Number() <= ancestor || evmstate.Signed(b.Transaction(i)) == nil {
			return 0, fmt.Errorf("cannot drop transaction %s: no removed block holds it", h)
		}
	}
	return length, nil
}

// branch is the new branch of a reorg while it is built. The chain of the change has it as its end.
type branch struct {
	change  *change
	listed  [][]*types.Transaction         // of the first blocks
	senders map[common.Hash]common.Address // of transactions that the node knew
	removed []*chain.Block                 // oldest first
	silent  bool                           // see ReorgOptions
	waiting pool.Pool                      // removed transactions that no block has taken yet
	added   []*chain.Block
}

// surviving returns the transactions of removed blocks that may come again, in the order in which they are to do so.
func surviving(removed []*chain.Block, o control.ReorgOptions) []*pool.Entry {
	if o.Transactions == control.Drop {
		return nil
	}
	gone := control.SetOf(o.Drop...)
	for _, txs := range o.Blocks {
		for _, tx := range txs {
			gone[tx.Hash()] = true
		}
	}
	entries := pool.Without(pool.EntriesIn(removed), gone)
	if o.Transactions == control.Reverse {
		slices.Reverse(entries)
	}
	return entries
}

// sendersOf returns the senders of the transactions in removed blocks and of those that are not sealed: the signature
// of an impersonated one does not show its sender.
func (w *world) sendersOf(removed []*chain.Block) map[common.Hash]common.Address {
	known := make(map[common.Hash]common.Address)
	for _, e := range slices.Concat(pool.EntriesIn(removed), w.tip.allEntries(), w.pool.Sorted()) {
		known[e.Tx.Hash()] = e.From
	}
	return known
}

// build makes block i of the branch, of the transactions listed for it or else of those that wait.
func (b *branch) build(i int) error {
	c := b.change
	var from control.FromL1
	if i < len(b.removed) {
		from = c.l1Input(b.removed[i]) // what L1 brings does not change by a reorg of the L2
	}
	env := c.envAt(b.slot(i), from)
	if err := control.CheckTime(env.Time); err != nil {
		return err
	}
	draft, err := c.chain.NewDraft(env)
	if err != nil {
		return err
	}
	if i < len(b.listed) {
		draft, err = b.execute(draft, i)
	} else {
		f := b.waiting.Fill(draft, c.cfg.Order, 0, c.unheld(pool.Any))
		b.waiting, draft, err = f.Left, f.Draft, f.Why
	}
	if err != nil {
		return err
	}
	next, sealed, err := draft.Seal()
	if err != nil {
		return err
	}
	c.chain = next
	b.added = append(b.added, sealed)
	return nil
}

// execute adds the transactions listed for block i to its draft.
func (b *branch) execute(draft *chain.Draft, i int) (*chain.Draft, error) {
	block := pool.Batch{Draft: draft}
	signer := signerOf(b.change.chain, draft.Header())
	for _, tx := range b.listed[i] {
		var err error
		from, known := b.senders[tx.Hash()]
		if !known {
			from, err = types.Sender(signer, tx)
		}
		if err == nil {
			err = pool.CheckGas(tx)
		}
		if err == nil {
			err = block.Add(&pool.Entry{Tx: tx, From: from})
		}
		if err != nil {
			return nil, fmt.Errorf("transaction %s of replacement block %d: %w", tx.Hash(), i, err)
		}
	}
	return block.Draft, nil
}

// slot returns the time of block i of the branch: that of the block it replaces, or of the next slot.
func (b *branch) slot(i int) int64 {
	c := b.change
	if i < len(b.removed) {
		return c.chain.Time(b.removed[i]).UnixNano()
	}
	return c.control.NextSlot(c.head(), c.control.Clock.Now)
}
