package preconf

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// branch is the new branch of a reorg while it is built. The chain of the change has it as its end.
type branch struct {
	change  *change
	listed  [][]*types.Transaction         // of the first blocks
	senders map[common.Hash]common.Address // of transactions that the node knew
	removed []*chain.Block                 // oldest first
	waiting pool                           // removed transactions that no block has taken yet

	added  []*chain.Block
	chains []*chain.Chain // after each of added
}

// surviving returns the transactions of removed blocks that may come again, in the order in which they are to do so.
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
		entries = append(entries, entriesOf(b)...)
	}
	entries = without(entries, gone)
	if o.Transactions == Reverse {
		slices.Reverse(entries)
	}
	return entries
}

// sendersOf returns the senders of the transactions in removed blocks and of those that are not sealed: the signature
// of an impersonated one does not show its sender.
func (w *world) sendersOf(removed []*chain.Block) map[common.Hash]common.Address {
	known := make(map[common.Hash]common.Address)
	for _, b := range removed {
		for _, e := range entriesOf(b) {
			known[e.tx.Hash()] = e.from
		}
	}
	entries := w.tip.allEntries()
	for e := range w.pool.all {
		entries = append(entries, e)
	}
	for _, e := range entries {
		known[e.tx.Hash()] = e.from
	}
	return known
}

// take lets entries wait for a block of the branch, in the order given.
func (b *branch) take(entries []*entry) {
	b.waiting = emptyPool
	for i, e := range entries {
		e.arrival = int64(i)
		b.waiting, _ = b.waiting.with(e)
		b.change.dropped = b.change.dropped.without(e.tx.Hash())
	}
}

// build makes block i of the branch, of the transactions listed for it or else of those that wait.
func (b *branch) build(i int) error {
	c := b.change
	var from fromL1
	if i < len(b.removed) {
		from = c.brought(b.removed[i]) // what L1 brings does not change by a reorg of the L2
	}
	env := c.envAt(b.slot(i), from)
	if err := checkTime(env.Time); err != nil {
		return err
	}
	draft, err := c.chain.NewDraft(env)
	if err != nil {
		return err
	}
	if i < len(b.listed) {
		draft, err = b.execute(draft, i)
	} else {
		f := b.waiting.fill(draft, c.cfg.Order, 0, c.unheld(anyEntry))
		b.waiting, draft, err = f.left, f.draft, f.why
		c.remember(f.dropped)
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
	b.chains = append(b.chains, next)
	return nil
}

// execute adds the transactions listed for block i to its draft. Error: *BlockTransactionError.
func (b *branch) execute(draft *chain.Draft, i int) (*chain.Draft, error) {
	block := batch{draft: draft}
	signer := signerOf(b.change.chain, draft.Header())
	for _, tx := range b.listed[i] {
		var err error
		from, known := b.senders[tx.Hash()]
		if !known {
			from, err = types.Sender(signer, tx)
		}
		if err == nil {
			err = checkGas(tx)
		}
		if err == nil {
			err = block.add(&entry{tx: tx, from: from})
		}
		if err != nil {
			return nil, &BlockTransactionError{Block: i, Hash: tx.Hash(), Err: err}
		}
	}
	return block.draft, nil
}

// slot returns the time of block i of the branch: that of the block it replaces, or of the next slot.
func (b *branch) slot(i int) int64 {
	c := b.change
	if i < len(b.removed) {
		return c.chain.Time(b.removed[i]).UnixNano()
	}
	parent := c.headTime()
	if c.slotted() || c.settings.interval != nil {
		return parent + c.step()
	}
	return max(c.earliestAfter(parent), c.clock.now/c.unit()*c.unit())
}
