package store

import (
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// essence holds the parts of a Moment, besides its blocks, whose change is worth a transaction.
type essence struct {
	sum   [sha256.Size]byte // of Saved without the fields that change when only time passes
	ahead time.Duration     // real clock minus wall clock
}

// jitter is the difference by which a real clock may be more or less ahead of the wall clock than in the file: it is
// late when the machine is busy.
const jitter = 500 * time.Millisecond

// essenceOf returns the essence of a Moment that began at a reading of the wall clock.
func essenceOf(m *preconf.Moment, s preconf.Saved, wall time.Time) (e essence, err error) {
	if m.RealClock() {
		e.ahead = time.Unix(0, s.Clock.Now).Sub(wall)
		s.Clock = control.Clock{Floor: s.Clock.Floor}
		s.Pending = withoutEmpty(s.Pending)
	}
	text, err := json.Marshal(s)
	e.sum = sha256.Sum256(text)
	return e, err
}

// equals reports whether no more than time passed between two Moments.
func (e essence) equals(other essence) bool {
	return e.sum == other.sum && (e.ahead-other.ahead).Abs() <= jitter
}

// withoutEmpty returns a pending block without flashblocks that have no transactions, nil if there are no others.
func withoutEmpty(p *preconf.SavedPending) *preconf.SavedPending {
	if p == nil {
		return nil
	}
	left := preconf.SavedPending{Time: p.Time}
	for _, f := range p.Flashblocks {
		if len(f.Transactions) > 0 {
			left.Flashblocks = append(left.Flashblocks, f)
		}
	}
	if len(left.Flashblocks) == 0 {
		return nil
	}
	return &left
}
