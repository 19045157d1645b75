package preconf

import (
	"bytes"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Errors of what needs flashblocks.
var (
	// ErrNoPreconf is returned when the timeline has no pre-confirmation layer.
	ErrNoPreconf = errors.New("this node does not pre-confirm")
	// ErrFlashblocksEnded is returned when the rules of the chain replaced flashblocks by blocks (optimism.Denim).
	ErrFlashblocksEnded = errors.New("this chain has no flashblocks since denim: it makes a block every 200ms")
)

// NoFlashblocks returns why there are no flashblocks, ErrNoPreconf or ErrFlashblocksEnded, or nil where there are.
func (w *world) NoFlashblocks() error {
	switch {
	case w.builder().BlockTime() > 0:
		return ErrFlashblocksEnded
	case w.cfg.NoPreconf, w.cfg.CommitStates:
		return ErrNoPreconf
	}
	return nil
}

// Preconfirm executes everything ready in the pool as one more flashblock of the pending block, and announces it, empty
// or not. Transactions that do not fit wait. The clock stays. Error: that of Moment.NoFlashblocks.
func (t *Timeline) Preconfirm() (Flashblock, error) {
	return changed(t, func(c *change) (Flashblock, error) {
		if err := c.NoFlashblocks(); err != nil {
			return Flashblock{}, err
		}
		return c.preconfirm(takesAll)
	})
}

// preconfirm adds a flashblock to the pending block, or lets a stall swallow it. Where takes is true of the block so
// far, it holds what is ready in the pool.
func (c *change) preconfirm(takes func(*slice) bool) (Flashblock, error) {
	if c.control.Faults.Stalled > 0 {
		c.control.Faults.Stalled--
		return Flashblock{Stalled: true}, nil
	}
	start, err := c.opened()
	if err != nil {
		return Flashblock{}, err
	}
	b := pool.Batch{Draft: start.draft}
	if takes(start) {
		if b, err = c.fill(start.draft, 0); err != nil {
			return Flashblock{}, err
		}
	}
	return *c.announce(start, b), nil
}

func takesAll(*slice) bool { return true }

// isFrozen reports whether the block being built stays as it began. An empty one in Instant mode does not.
func (c *change) isFrozen() bool {
	return c.tip != nil && !(c.control.Settings.Mode == control.Instant && c.tip.isEmpty())
}

// opened returns the newest flashblock, or the beginning of a new pending block.
func (c *change) opened() (*slice, error) {
	if c.isFrozen() {
		return c.tip, nil
	}
	env := c.env()
	if err := control.CheckTime(env.Time); err != nil {
		return nil, err
	}
	d, err := c.builder().NewDraft(env)
	if err != nil {
		return nil, err
	}
	return startOf(d), nil
}

// announce makes b the flashblock after s and notifies readers.
func (c *change) announce(s *slice, b pool.Batch) *Flashblock {
	altered, armed := c.control.Faults.Altered(b.Receipts)
	c.control.Faults = armed
	c.tip = s.with(b, altered)
	c.control.Announced++
	return c.notifyFlashblock()
}

// notifyFlashblock notifies readers of the newest flashblock, whose announced logs are its own.
func (c *change) notifyFlashblock() *Flashblock {
	previous := c.previous(c.tip)
	f := c.tip.flashblock(c.pendingView(c.tip))
	f.Previous, f.skipped, c.skipped = previous, c.skipped != FlashblockID{}, FlashblockID{}
	c.tip.announced = f.Logs
	c.emit(&Event{Kind: FlashblockAdded, View: f.View, Flashblock: f})
	c.control.Silent = false
	return f
}

// rebuild executes the pre-confirmed transactions again, flashblock by flashblock, on the present head, state and
// settings, unannounced as on real nodes. Of what fails it returns what may execute later, and drops the rest.
func (c *change) rebuild() (back []*pool.Entry, err error) {
	old := c.tip.all()
	if old == nil {
		return nil, nil
	}
	c.tip = nil
	s, err := c.opened()
	if err != nil {
		return nil, err
	}
	c.tip = c.replay(s, old, nil, func(e *pool.Entry, err error) { back = append(back, c.refused(e, err)...) })
	return back, nil
}

// replay executes flashblocks again after s, without the transactions left out; those that fail are handed to failed.
func (c *change) replay(s *slice, flashblocks []*slice, left map[common.Hash]bool, failed func(*pool.Entry, error)) *slice {
	for _, f := range flashblocks {
		b := pool.Batch{Draft: s.draft}
		for _, e := range pool.Without(f.entries, left) {
			if err := b.Add(e); err != nil {
				failed(e, err)
			}
		}
		s = s.with(b, f.altered)
		s.announced = s.announcedOf(f.announced)
	}
	return s
}

// refused returns e if it may execute later, else it remembers why e was dropped.
func (c *change) refused(e *pool.Entry, err error) []*pool.Entry {
	if pool.Waits(err) {
		return []*pool.Entry{e}
	}
	c.pool.Drops = c.pool.Drops.With(err, e.Tx.Hash())
	return nil
}

// unconfirm takes every pre-confirmed transaction back into the pool, also those of a late block.
func (c *change) unconfirm() {
	entries := c.tip.allEntries()
	if c.late != nil {
		entries = append(c.late.slice.allEntries(), entries...)
	}
	c.late, c.tip = nil, nil
	c.pool = c.pool.Requeued(entries)
}

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

// agreesWith reports whether the flashblock announced last, nil for none, is s or came out the same.
func (s *slice) agreesWith(last *Flashblock) bool {
	if last == nil {
		return false
	}
	told := last.View.slice
	return told.repeats(s) || told.index == s.index && told.draft.Header().Hash() == s.draft.Header().Hash() &&
		slices.EqualFunc(told.receipts, s.receipts, sameReceipt)
}

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
