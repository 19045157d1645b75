package preconf

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/persistent"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// slice is one flashblock and, through prev, those before it in its block. It is immutable.
type slice struct {
	prev  *slice
	index int          // -1: no flashblock, the empty pending block
	empty *chain.Draft // the block before its first transaction
	draft *chain.Draft // the block up to and including this flashblock

	entries         []*pool.Entry        // this flashblock's own
	altered         map[common.Hash]bool // of them, those announced with other logs
	announced       []*types.Log         // as readers were told, whatever was executed again since
	first, firstLog int                  // where its own begin in the block: with the first flashblock, at 0

	// of the block so far, as announced
	receipts types.Receipts
	logs     []*types.Log
	distorts bool // they differ from the draft's

	positions persistent.Map[common.Hash, int] // of the block's transactions
}

// late is a sealed block that is announced one slot too late.
type late struct {
	chain *chain.Chain // with the block as its head
	block *chain.Block
	slice *slice // the block as it is pre-confirmed: logs as announced
}

// beginning returns the next block before its first flashblock, or nil if the rules allow no next block.
func (w *world) beginning(env chain.Env) *slice {
	d, err := w.builder().NewDraft(env)
	if err != nil {
		return nil
	}
	return startOf(d)
}

// startOf returns a block before its first flashblock.
func startOf(d *chain.Draft) *slice {
	s := &slice{index: -1, empty: d, draft: d, receipts: d.Receipts(), logs: d.Logs()}
	for i, tx := range d.Transactions() {
		s.positions = s.positions.Set(tx.Hash(), i)
	}
	return s
}

// with returns the flashblock after s that holds b; the announced logs of the altered transactions differ.
func (s *slice) with(b pool.Batch, altered map[common.Hash]bool) *slice {
	n := &slice{
		prev:      s,
		index:     s.index + 1,
		empty:     s.empty,
		draft:     b.Draft,
		entries:   b.Entries,
		altered:   altered,
		first:     len(s.receipts),
		firstLog:  len(s.logs),
		receipts:  b.Draft.Receipts(),
		logs:      b.Draft.Logs(),
		distorts:  s.distorts || len(altered) > 0,
		positions: s.positions,
	}
	if s.index < 0 { // what the block begins with belongs to the first flashblock
		n.prev, n.first, n.firstLog = nil, 0, 0
	}
	for i, tx := range b.Transactions {
		n.positions = n.positions.Set(tx.Hash(), len(s.receipts)+i)
	}
	if n.distorts {
		n.receipts, n.logs = slices.Clip(s.receipts), slices.Clip(s.logs)
		for i, r := range b.Receipts {
			if altered[b.Transactions[i].Hash()] {
				r = control.AlteredReceipt(r)
			}
			n.receipts = append(n.receipts, r)
			n.logs = append(n.logs, r.Logs...)
		}
	}
	return n
}

// isEmpty reports whether s is a block that holds only what it began with; false for nil.
func (s *slice) isEmpty() bool { return s != nil && len(s.receipts) == s.empty.Count() }

// all returns the flashblocks of the block up to s, oldest first; none for nil.
func (s *slice) all() []*slice {
	if s == nil || s.index < 0 {
		return nil
	}
	all := make([]*slice, s.index+1)
	for ; s != nil; s = s.prev {
		all[s.index] = s
	}
	return all
}

// allEntries returns the transactions of the block up to s, in order.
func (s *slice) allEntries() []*pool.Entry {
	var entries []*pool.Entry
	for _, f := range s.all() {
		entries = append(entries, f.entries...)
	}
	return entries
}

// own returns the logs of this flashblock alone.
func (s *slice) own() []*types.Log { return slices.Clip(s.logs[s.firstLog:]) }

// markAnnounced returns s with its own logs as those that were announced.
func (s *slice) markAnnounced() *slice {
	n := *s
	n.announced = s.own()
	return &n
}

// announcedOf returns which of the announced logs are those of s's own transactions.
func (s *slice) announcedOf(logs []*types.Log) []*types.Log {
	if len(logs) == 0 {
		return nil
	}
	own := control.SetOf(pool.Hashes(s.entries)...)
	return slices.DeleteFunc(slices.Clone(logs), func(l *types.Log) bool { return !own[l.TxHash] })
}

func (s *slice) flashblock(v *View) *Flashblock {
	f := &Flashblock{
		View:         v,
		Number:       s.draft.Header().Number.Uint64(),
		Index:        s.index,
		First:        s.first,
		Transactions: slices.Clip(s.draft.Transactions()[s.first:]),
		Receipts:     slices.Clip(s.receipts[s.first:]),
		Logs:         s.own(),
	}
	if v.hashed != nil {
		own := withHash(v.Hash(), f.Receipts)
		f.Receipts, f.Logs = own.receipts, own.logs
	}
	return f
}
