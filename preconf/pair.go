package preconf

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// A Timeline of an L2 may have that of its L1 below it (Config.Below). Then both have one clock and one turn, and the
// world of the L2 holds that of the L1: a snapshot, a copy and a revert of either take both. The L2's blocks refer to
// the L1's, and an L1 block that a reorg removes takes the L2 blocks that refer to it along.

// ErrDerived is returned for L1 settings on an L2 that has an L1: its blocks decide them.
var ErrDerived = errors.New("the L1 beside this chain (--l1) decides: send a transaction there")

// Derivation decides the parts of L2 blocks that come from the chain below. Its methods only read, and give the same
// answer for the same chain.
type Derivation interface {
	// Next returns the environment from the L1 for the block after the head of the L2, if it has that time in Unix
	// seconds.
	Next(l1, l2 *chain.Chain, time uint64) chain.Env
	// Newest returns the number of the newest L1 block that an L2 block may refer to by now.
	Newest(l1 *chain.Chain) uint64
}

// Operator runs an L2 on its L1. Its method only reads, and gives the same answer for the same Moments.
type Operator interface {
	// Transactions returns the operator's transactions for the L1's next block: signed, with the nonces after the pool's.
	Transactions(l1, l2 *Moment) []*types.Transaction
}

// Below returns the timeline of the L1 below, or nil if there is none. It is part of t: Follow of t is all it
// needs.
func (t *Timeline) Below() *Timeline {
	if t.below == nil || t.below.turn == t.turn {
		return t.below
	}
	return &Timeline{shared: t.below.shared, turn: t.turn} // inside an Atomically
}

// Pair returns the timelines of an L2 and its L1, of which t is one, or nil if it is none.
func (t *Timeline) Pair() (l2, l1 *Timeline) {
	l2 = t.owner()
	if l1 = l2.Below(); l1 == nil {
		return nil, nil
	}
	return l2, l1
}

func (t *Timeline) moment() *Moment {
	if t == nil {
		return nil
	}
	return t.Moment()
}

// attach connects t to the timeline of its L1, if it has one.
func (t *Timeline) attach(below *Timeline) {
	if below == nil {
		return
	}
	t.below, below.above = below, t.shared
	below.turn, below.pace = t.turn, t.pace
}

// owner returns the timeline whose clock, turns and snapshots are those of t: that of the L2 above it, or t.
func (t *Timeline) owner() *Timeline {
	if t.above == nil {
		return t
	}
	return &Timeline{shared: t.above, turn: t.turn}
}

// Below returns the L1 below as it is at this Moment, or nil if there is none.
func (m *Moment) Below() *Moment { return m.below }

// withNewest returns the L1 as it was when its block n was the newest that an L2 block might refer to.
func (m *Moment) withNewest(n uint64, by Derivation) *Moment {
	w := m.world
	head := w.chain.Head().Number()
	w.chain = w.chain.Truncate(min(head, n+head-by.Newest(w.chain)))
	return newMoment(w)
}

// l1Change returns the change of the L1 below that is part of c. There must be an L1.
func (c *change) l1Change() *change {
	if c.lower == nil {
		lower := c.timeline.Below()
		c.lower = &change{world: c.below.world, timeline: lower, upper: c, following: c.following}
	}
	c.lower.forward(c.control.Clock.Now)
	return c.lower
}

// belowDue returns when the next block of the L1 below is due, if any is.
func (c *change) belowDue() int64 {
	if c.below == nil || c.below.control.Settings.Mode == control.Instant {
		return math.MaxInt64
	}
	return c.l1Change().blockDue()
}

// sealBelow makes the L1's next block, and then what is due on this chain by that time, up to and including until.
func (c *change) sealBelow(until int64) error {
	l1 := c.l1Change()
	l1.control.Clock.Now = l1.blockDue()
	if _, err := l1.seal(true); err != nil {
		return err
	}
	return c.matchL1(until)
}

// operate puts what the operator of the L2 sends into the pool of the L1.
func (c *change) operate() error {
	l1 := c.l1Change()
	if c.cfg.Operator == nil || l1.control.Settings.Mode == control.Instant {
		return nil
	}
	now := newMoment(l1.world)
	for _, tx := range c.cfg.Operator.Transactions(now, newMoment(c.world)) {
		from, err := types.Sender(now.Signer(), tx)
		if err == nil {
			err = l1.enqueue(&pool.Entry{Tx: tx, From: from})
		}
		if err != nil {
			return fmt.Errorf("the operator's transaction %s: %w", tx.Hash(), err)
		}
	}
	return nil
}

// advanceTo moves the clock to a time at which this chain makes a block, after the blocks of the other of a pair.
func (c *change) advanceTo(to int64) error {
	if c.upper != nil {
		if err := c.upper.makeDue(to - 1); err != nil {
			return err
		}
	}
	for due := c.belowDue(); due <= to; due = c.belowDue() {
		c.forward(due)
		if err := c.sealBelow(to - 1); err != nil {
			return err
		}
	}
	c.forward(to)
	return nil
}

// matchL1 removes L2 blocks whose origin is gone, and moves the clock to the L1's, at most to a time.
func (c *change) matchL1(until int64) error {
	l1 := c.l1Change()
	c.below = newMoment(l1.world)
	if err := c.leaveOrphanedOrigins(l1); err != nil {
		return err
	}
	if err := c.makeDue(min(until, l1.control.Clock.Now)); err != nil {
		return err
	}
	return c.keepUpWithL1()
}

// leaveOrphanedOrigins replaces the blocks whose origin the L1 does not have any more.
func (c *change) leaveOrphanedOrigins(l1 *change) error {
	head := c.chain.Head().Number()
	kept := c.newestBefore(func(origin optimism.L1) bool { return !canonical(l1.chain, origin) })
	if kept < head {
		depth := int(head - kept)
		_, err := c.reorg(control.ReorgOptions{Depth: depth, Length: &depth, Transactions: l1.fateAbove, Force: true}, true)
		if err != nil {
			return fmt.Errorf("the newest %d blocks of the L2 would go along, down to block %d: %w", depth, kept, err)
		}
		return nil
	}
	if c.late != nil && !canonical(l1.chain, c.late.chain.L1(c.late.block)) {
		c.unconfirm()
	}
	if c.tip != nil && !canonical(l1.chain, c.tip.draft.L1()) {
		return c.remake()
	}
	return nil
}

// canonical reports whether the chain has the block that l1 describes.
func canonical(c *chain.Chain, l1 optimism.L1) bool {
	b := c.BlockByNumber(l1.Number)
	return b != nil && b.Hash() == l1.Hash
}

// keepUpWithL1 makes an L2 block for each L1 block that none refers to yet, where no clock makes them (Instant).
func (c *change) keepUpWithL1() error {
	if c.control.Settings.Mode != control.Instant {
		return nil
	}
	for {
		b := c.builder()
		origin := b.L1(b.Head())
		if origin.Number >= c.cfg.Derivation.Newest(c.below.chain) {
			return nil
		}
		if next := c.below.chain.BlockByNumber(origin.Number + 1).Time(); c.control.Next.Time == nil && int64(next)*1e9 > c.control.Timestamp(c.head()) {
			c.control.Next.Time = &next
		}
		if _, err := c.seal(true); err != nil {
			return err
		}
	}
}

// hasL1 reports whether an L1 below decides what blocks take from L1.
func (w *world) hasL1() bool { return w.below != nil }

// derivedBefore returns the number of the newest block whose origin is below L1 block n: what is derived from the L1
// once it has n, when the blocks of an origin are on the L1 one block later.
func (w *world) derivedBefore(n uint64) uint64 {
	return w.newestBefore(func(origin optimism.L1) bool { return origin.Number >= n })
}

// newestBefore returns the number of the newest block before the first whose origin is so; later origins are so, too.
func (w *world) newestBefore(so func(origin optimism.L1) bool) uint64 {
	base := w.chain.Base()
	return base + uint64(sort.Search(int(w.chain.Head().Number()-base), func(i int) bool {
		return so(w.chain.L1(w.chain.BlockByNumber(base + 1 + uint64(i))))
	}))
}
