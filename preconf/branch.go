package preconf

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// branch is the new branch of a reorg while it is built. The chain of the change has it as its end.
type branch struct {
	change  *change
	listed  [][]*types.Transaction         // of the first blocks
	senders map[common.Hash]common.Address // of transactions that the node knew
	removed []*chain.Block                 // oldest first
	waiting pool.Pool                      // removed transactions that no block has taken yet

	added  []*chain.Block
	chains []*chain.Chain // after each of added
}

// surviving returns the transactions of removed blocks that may come again, in the order in which they are to do so.
func surviving(removed []*chain.Block, o ReorgOptions) []*pool.Entry {
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
	var entries []*pool.Entry
	for _, b := range removed {
		entries = append(entries, entriesOf(b)...)
	}
	entries = pool.Without(entries, gone)
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
			known[e.Tx.Hash()] = e.From
		}
	}
	entries := w.tip.allEntries()
	for _, e := range append(entries, w.pool.Sorted()...) {
		known[e.Tx.Hash()] = e.From
	}
	return known
}

// take lets entries wait for a block of the branch, in the order given.
func (b *branch) take(entries []*pool.Entry) {
	b.waiting = pool.Empty
	for i, e := range entries {
		e.Arrival = int64(i)
		b.waiting, _ = b.waiting.With(e)
		b.change.dropped = b.change.dropped.Without(e.Tx.Hash())
	}
}

// build makes block i of the branch, of the transactions listed for it or else of those that wait.
func (b *branch) build(i int) error {
	c := b.change
	var from control.FromL1
	if i < len(b.removed) {
		from = c.brought(b.removed[i]) // what L1 brings does not change by a reorg of the L2
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
		c.remember(f.Dropped)
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
			return nil, &BlockTransactionError{Block: i, Hash: tx.Hash(), Err: err}
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
