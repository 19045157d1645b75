package preconf

import (
	"math"
	"slices"
	"time"

	"github.com/fakenode/fakenode/evmstate/chain"
)

const (
	// pastBlocks is how many blocks below the head the head of a remembered Moment is at most.
	pastBlocks = 64
	// pastFlashblocks is how many blocks below the head it is at most where flashblocks are on top of it.
	pastFlashblocks = 4
)

// Lag tells how far in the past a reader is, as the client of a node that is behind. With several fields set it is the
// one furthest back. The zero value is the present.
type Lag struct {
	// Blocks is how many blocks the head is below the present one, from 0 to 64.
	Blocks int
	// Time is how long ago, by the clock of the node; more than 4 blocks ago flashblocks are not remembered.
	Time time.Duration
	// Orphaned is the newest Moment whose head a reorg has removed since, if there is one.
	Orphaned bool
}

// instant is a Moment that a Timeline remembers.
type instant struct {
	*Moment
	noted uint64 // the newest event that filters had noted by then
}

// remember returns past with a Moment whose head or newest flashblock differs from those before, without those that are
// too old. The list may go on where past ends, so only the newest list is to be continued.
func remember(past []instant, m *Moment, noted uint64) []instant {
	if n := len(past); n > 0 && past[n-1].chain.Head() == m.chain.Head() {
		if past[n-1].newestPending() != m.newestPending() {
			past = append(past, instant{m, noted})
		}
		return past
	}
	head := m.chain.Head().Number()
	tooOld := func(i instant) bool {
		back := uint64(pastBlocks)
		if i.newestPending() != nil {
			back = pastFlashblocks
		}
		return i.chain.Head().Number()+back < head
	}
	for len(past) > 0 && tooOld(past[0]) {
		past = past[1:]
	}
	if slices.ContainsFunc(past, tooOld) {
		past = slices.DeleteFunc(slices.Clone(past), tooOld)
	}
	return append(past, instant{m, noted})
}

// Behind returns the node as a reader with that lag sees it: the newest Moment after a flashblock or a change of the
// head that is so far back, and the oldest one if none is. A Moment that was never shown is none: of the blocks that
// one jump makes, a reader saw the last. A Timeline that went back to a snapshot, a copy and a Clone have no past yet.
func (t *Timeline) Behind(lag Lag) *Moment {
	m, _ := t.behind(lag)
	return m
}

// behind is Behind, and returns the newest event that filters had noted by then.
func (t *Timeline) behind(lag Lag) (*Moment, uint64) {
	now := t.present.Load()
	if lag == (Lag{}) {
		return now.moment, math.MaxUint64
	}
	for _, i := range slices.Backward(now.past) {
		if lag.reaches(i.Moment, now.moment) {
			return i.Moment, i.noted
		}
	}
	oldest := now.past[0]
	if lag.Orphaned && !isOrphan(oldest.chain.Head(), now.moment) {
		lag.Orphaned = false
		return t.behind(lag)
	}
	return oldest.Moment, oldest.noted
}

// reaches reports whether a Moment is as far back from now as the lag asks.
func (l Lag) reaches(past, now *Moment) bool {
	return past.chain.Head().Number()+uint64(l.Blocks) <= now.chain.Head().Number() &&
		past.control.Clock.Now+int64(l.Time) <= now.control.Clock.Now &&
		(!l.Orphaned || isOrphan(past.chain.Head(), now))
}

// isOrphan reports whether b is not on the chain at m.
func isOrphan(b *chain.Block, m *Moment) bool {
	same := m.chain.BlockByNumber(b.Number())
	return same == nil || same.Hash() != b.Hash()
}
