package preconf

import (
	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// slice is one flashblock and, through prev, those before it in its block.
// Immutable.
type slice struct {
	prev  *slice
	index int          // -1: no flashblock, the empty pending block
	empty *chain.Draft // the block before its first transaction
	draft *chain.Draft // the block up to and including this flashblock

	entries         []*entry             // this flashblock's own
	altered         map[common.Hash]bool // of them, those announced with other logs
	first, firstLog int                  // where its own begin in the block

	// of the block so far, as announced
	receipts types.Receipts
	logs     []*types.Log
	distorts bool // they differ from the draft's

	positions *immutable.Map[common.Hash, int] // of the block's transactions
}

// late is a sealed block that is announced one slot too late.
type late struct {
	chain *chain.Chain // with the block as its head
	block *chain.Block
	slice *slice // the block as it is pre-confirmed: logs as announced
}

// emptySlice is what stands for the pending block while there is none; nil
// where the rules allow no next block.
func emptySlice(w *world) *slice {
	d, err := w.builder().NewDraft(w.env())
	if err != nil {
		return nil
	}
	return startOf(d)
}

var noPositions = immutable.NewMap[common.Hash, int](hashHasher{})

// startOf is a block before its first flashblock.
func startOf(d *chain.Draft) *slice {
	return &slice{index: -1, empty: d, draft: d, positions: noPositions}
}

// with is the flashblock after s that holds b. altered names transactions whose
// announced logs are not those of b.
func (s *slice) with(b batch, altered map[common.Hash]bool) *slice {
	n := &slice{
		prev:      s,
		index:     s.index + 1,
		empty:     s.empty,
		draft:     b.draft,
		entries:   b.entries,
		altered:   altered,
		first:     len(s.receipts),
		firstLog:  len(s.logs),
		receipts:  b.draft.Receipts(),
		logs:      b.draft.Logs(),
		distorts:  s.distorts || len(altered) > 0,
		positions: s.positions,
	}
	if s.index < 0 {
		n.prev = nil
	}
	for i, tx := range b.transactions {
		n.positions = n.positions.Set(tx.Hash(), n.first+i)
	}
	if n.distorts {
		n.receipts, n.logs = clip(s.receipts), clip(s.logs)
		for i, r := range b.receipts {
			if altered[b.transactions[i].Hash()] {
				r = alteredReceipt(r)
			}
			n.receipts = append(n.receipts, r)
			n.logs = append(n.logs, r.Logs...)
		}
	}
	return n
}

func clip[S ~[]E, E any](s S) S { return s[:len(s):len(s)] }

// isEmpty: the block has flashblocks up to s, and no transaction in them.
func (s *slice) isEmpty() bool { return s != nil && len(s.receipts) == 0 }

// all flashblocks of the block up to s, oldest first; none for nil.
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

// allEntries of the block up to s, in order.
func (s *slice) allEntries() []*entry {
	var entries []*entry
	for _, f := range s.all() {
		entries = append(entries, f.entries...)
	}
	return entries
}

// flashblock is what readers are told of s.
func (s *slice) flashblock(v *View) *Flashblock {
	return &Flashblock{
		View:         v,
		Number:       s.draft.Header().Number.Uint64(),
		Index:        s.index,
		First:        s.first,
		Transactions: clip(s.draft.Transactions()[s.first:]),
		Receipts:     clip(s.receipts[s.first:]),
		Logs:         clip(s.logs[s.firstLog:]),
	}
}
