package preconf

import (
	"math"
	"slices"

	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/feed"
)

const (
	// pastBlocks is how many blocks below the head the head of a remembered Moment is at most.
	pastBlocks = control.PastBlocks
	// pastFlashblocks is how many blocks below the head it is at most where flashblocks are on top of it.
	pastFlashblocks = 4
	// mostPast and mostPastBytes bound the Moments that are remembered. Beyond them the older half of those with
	// flashblocks goes.
	mostPast      = 2_000
	mostPastBytes = 64 << 20
)

// Lag tells how far in the past a reader is.
type Lag = control.Lag

// instant is a Moment that a Timeline remembers.
type instant struct {
	*Moment
	noted  uint64            // the newest event that filters had noted by then
	newest *feed.Link[Event] // the last event by then; nil where there are no replicas
	bytes  int               // of the transactions and logs of the newest flashblocks, in it and in those before
}

// weighed returns i with the bytes that it adds to those before.
func (i instant) weighed(before int) instant {
	i.bytes = before
	if s := i.newestPending(); s != nil {
		for _, entry := range s.entries {
			i.bytes += int(entry.Tx.Size())
		}
		for _, log := range s.logs[s.firstLog:] {
			i.bytes += len(log.Data)
		}
	}
	return i
}

// passed returns newest where subscribers of replicas go on from it. It keeps all events since in memory.
func (t *Timeline) passed(m *Moment, newest *feed.Link[Event]) *feed.Link[Event] {
	if len(m.control.Replicas.Each) == 0 && len(t.cfg.Replicas.Each) == 0 {
		return nil
	}
	return newest
}

// remember returns past with a Moment whose head or newest flashblock differs from those before, without those that are
// too old. The list may go on where past ends, so only the newest list is to be continued.
func remember(past []instant, now instant) []instant {
	if n := len(past); n > 0 {
		last := past[n-1]
		if last.chain.Head() == now.chain.Head() && last.newestPending() == now.newestPending() {
			return past
		}
		now = now.weighed(last.bytes)
	}
	head := now.chain.Head().Number()
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
	return thinned(append(past, now))
}

// thinned returns past within its bounds.
func thinned(past []instant) []instant {
	n := len(past)
	if n <= mostPast && past[n-1].bytes-past[0].bytes <= mostPastBytes {
		return past
	}
	var excess int
	for _, i := range past[:n-1] {
		if i.newestPending() != nil {
			excess++
		}
	}
	excess = (excess + 1) / 2
	kept := slices.DeleteFunc(slices.Clone(past[:n-1]), func(i instant) bool {
		if excess == 0 || i.newestPending() == nil {
			return false
		}
		excess--
		return true
	})
	kept = append(kept[max(0, len(kept)+1-mostPast):], past[n-1])
	before := 0
	for i := range kept {
		kept[i] = kept[i].weighed(before)
		before = kept[i].bytes
	}
	return kept
}

// Behind returns the node as a reader with that lag sees it: the newest Moment after a flashblock or a change of the
// head that is so far back, and the oldest one if none is. A Moment that was never shown is none: of the blocks that
// one jump makes, a reader saw the last. A Timeline that went back to a snapshot, a copy and a Clone have no past yet.
func (t *Timeline) Behind(lag Lag) *Moment { return t.present.Load().behind(lag).Moment }

// Changed returns a channel that is closed when the Moment is no longer the present one.
func (t *Timeline) Changed() <-chan struct{} { return t.present.Load().replaced.Done() }

// LastEvent returns the number of the last event that a reader at a replica sees; the highest there can be for 0, none.
func (t *Timeline) LastEvent(replica int) uint64 {
	if replica == 0 {
		return math.MaxUint64
	}
	return t.present.Load().behind(Lag{Replica: replica}).newest.Number()
}

// behind returns the instant that a reader sees; that of the present has no end of events noted.
func (p *present) behind(lag Lag) instant {
	if lag.Replica > 0 {
		lag = p.followed(lag)
	}
	if lag == (Lag{}) {
		return instant{Moment: p.moment, noted: math.MaxUint64, newest: p.newest}
	}
	for _, i := range slices.Backward(p.past) {
		if reaches(lag, i.Moment, p.moment) {
			return i
		}
	}
	oldest := p.past[0]
	if lag.Orphaned && p.moment.chain.Canonical(oldest.chain.Head()) {
		lag.Orphaned = false
		return p.behind(lag)
	}
	return oldest
}

// followed returns a lag with that of the replica which it names.
func (p *present) followed(lag Lag) Lag {
	r, err := p.moment.control.Replicas.Get(uint64(lag.Replica))
	if lag.Replica = 0; err != nil {
		return lag // there is none any more
	}
	c := p.moment.chain
	begun := c.Time(c.BlockByNumber(c.Base()))
	blocks, ago := r.At(c.Head().Number(), p.moment.Now().Sub(begun))
	lag.Blocks, lag.Time = max(lag.Blocks, blocks), max(lag.Time, ago)
	lag.Orphaned = lag.Orphaned || p.reorgedWithin(uint64(r.Orphaned))
	return lag
}

// reorgedWithin reports whether the last reorg was fewer blocks ago.
func (p *present) reorgedWithin(blocks uint64) bool {
	head := p.moment.chain.Head().Number()
	for n := len(p.past) - 1; n > 0; n-- {
		if p.past[n].chain.Head().Number()+blocks <= head {
			return false
		}
		if !p.moment.chain.Canonical(p.past[n-1].chain.Head()) {
			return true
		}
	}
	return false
}

// reaches reports whether a Moment is as far back from now as a lag asks.
func reaches(l Lag, past, now *Moment) bool {
	return past.chain.Head().Number()+uint64(l.Blocks) <= now.chain.Head().Number() &&
		past.control.Clock.Now+int64(l.Time) <= now.control.Clock.Now &&
		(!l.Orphaned || !now.chain.Canonical(past.chain.Head()))
}
