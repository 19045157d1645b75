package preconf

import (
	"bytes"
	"slices"

	"github.com/ethereum/go-ethereum/core/types"
)

// RecentFlashblocks is how many of the flashblocks announced last a Timeline remembers.
const RecentFlashblocks = 17

// FlashblockID names a flashblock by the number of its block and its index in it. The zero value names none: the
// genesis block has no flashblocks.
type FlashblockID struct {
	Number uint64
	Index  int
}

// ID returns the number of the flashblock's block and its index in it.
func (f *Flashblock) ID() FlashblockID { return FlashblockID{f.Number, f.Index} }

// remembered returns recent with the flashblocks of events, without those that are too many, and without those before
// some that were not made. The list may go on where recent ends, so only the newest list is to be continued.
func remembered(recent []*Flashblock, events []*Event) []*Flashblock {
	var added []*Flashblock // newest first
	for _, e := range slices.Backward(events) {
		if e.Kind == FlashblockAdded && len(added) < RecentFlashblocks {
			added = append(added, e.Flashblock)
			if e.Flashblock.skipped {
				recent = nil
				break
			}
		}
	}
	if added == nil {
		return recent
	}
	slices.Reverse(added)
	return append(recent[max(0, len(recent)+len(added)-RecentFlashblocks):], added...)
}

func (c *change) lastFlashblock() *Flashblock {
	for _, e := range slices.Backward(c.events) {
		if e.Kind == FlashblockAdded {
			return e.Flashblock
		}
	}
	return c.timeline.present.Load().lastFlashblock()
}

func (p *present) lastFlashblock() *Flashblock {
	for _, last := range slices.Backward(p.recent) {
		return last
	}
	return nil
}

// kept returns the Moment as it is kept. That of a snapshot or of a timeline that was copied names the flashblock that
// its own readers were told of last.
func (p *present) kept() *Moment {
	last := p.lastFlashblock()
	if p.moment.tip == nil || p.moment.lastAnnounced == last {
		return p.moment
	}
	w := p.moment.world
	w.lastAnnounced = last
	return newMoment(w)
}

// previous returns which flashblock was announced before s, which may itself be the one announced last.
func (c *change) previous(s *slice) FlashblockID {
	last := c.lastFlashblock()
	switch {
	case c.skipped != FlashblockID{} || last == nil:
		return c.skipped
	case last.View.slice.repeats(s):
		return last.Previous
	}
	return last.ID()
}

func (s *slice) repeats(other *slice) bool { return s.index == other.index && s.draft == other.draft }

// agrees reports whether s and other are the same flashblock of the same block, or came out the same.
func (s *slice) agrees(other *slice) bool {
	return s.repeats(other) || s.index == other.index && s.draft.Header().Hash() == other.draft.Header().Hash() &&
		slices.EqualFunc(s.receipts, other.receipts, sameReceipt)
}

// agreesWith reports whether the flashblock announced last, nil for none, is s or came out the same.
func (s *slice) agreesWith(last *Flashblock) bool { return last != nil && last.View.slice.agrees(s) }

// sameReceipt reports whether two receipts are of the same transaction, with the same outcome, gas used in the block so
// far and logs: the fields to which the receipts root commits.
func sameReceipt(a, b *types.Receipt) bool {
	one, _ := a.MarshalBinary() // into memory: nothing fails
	other, _ := b.MarshalBinary()
	return a.TxHash == b.TxHash && bytes.Equal(one, other)
}

// Flashblocks returns the pending block as it is after each of its flashblocks, beginning with the one whose index is
// from; v itself is the last. It returns none for a sealed block, and where v has no such flashblock.
func (v *View) Flashblocks(from int) []*View {
	if !v.Pending() || v.slice.index < from {
		return nil
	}
	views := make([]*View, v.slice.index-from+1)
	for s := v.slice; s != nil && s.index >= from; s = s.prev {
		views[s.index-from] = &View{Content: s.draft, chain: v.chain, slice: s, lag: v.lag}
	}
	return views
}

// SharedFlashblocks returns how many flashblocks two pending blocks have in common, counted from index 0 on. Those that
// were executed again are others, whatever came out.
func (v *View) SharedFlashblocks(other *View) int {
	for a, b := v.slice, other.slice; a != nil && b != nil; {
		switch {
		case a == b:
			return a.index + 1
		case a.index > b.index:
			a = a.prev
		case b.index > a.index:
			b = b.prev
		default:
			a, b = a.prev, b.prev
		}
	}
	return 0
}
