package pool

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"

	"github.com/fakenode/fakenode/internal/persistent"
)

// Reasons of drops that callers recognise, beside core.ErrNonceTooLow.
var (
	// ErrGone is the reason of a transaction that a fault lost.
	ErrGone = errors.New("lost by a flashblock fault on command")
	// ErrReorged is the reason of a transaction whose block a reorg removed and which it lost.
	ErrReorged = errors.New("lost by a reorg")
	// ErrCleared is the reason of a transaction that was removed from the pool on command.
	ErrCleared = errors.New("removed from the pool on command")
)

// maxDrops is how many reasons one generation of Drops keeps.
const maxDrops = 4096

// Drops remembers why transactions were dropped: at least the last 4,096 of them. It is immutable, and the zero value
// remembers none.
type Drops struct {
	young, old persistent.Map[common.Hash, error]
}

// With returns the drops with a reason.
func (d Drops) With(h common.Hash, reason error) Drops {
	if d.young.Len() >= maxDrops {
		d = Drops{old: d.young}
	}
	d.young = d.young.Set(h, reason)
	return d
}

// Without returns the drops without the one of a transaction.
func (d Drops) Without(h common.Hash) Drops {
	d.young, d.old = d.young.Delete(h), d.old.Delete(h)
	return d
}

// Reason returns why a transaction was dropped, or nil.
func (d Drops) Reason(h common.Hash) error {
	if err, ok := d.young.Get(h); ok {
		return err
	}
	err, _ := d.old.Get(h)
	return err
}

type drop struct {
	Hash   common.Hash
	Reason string
}

// MarshalJSON encodes the reasons, those of the older generation first.
func (d Drops) MarshalJSON() ([]byte, error) {
	drops := []drop{}
	for _, generation := range []persistent.Map[common.Hash, error]{d.old, d.young} {
		first := len(drops)
		for hash, reason := range generation.All() {
			drops = append(drops, drop{hash, reason.Error()})
		}
		slices.SortFunc(drops[first:], func(a, b drop) int { return a.Hash.Cmp(b.Hash) })
	}
	return json.Marshal(drops)
}

// UnmarshalJSON decodes what MarshalJSON encoded. Reasons that callers recognise are the same errors again.
func (d *Drops) UnmarshalJSON(text []byte) error {
	var drops []drop
	if err := json.Unmarshal(text, &drops); err != nil {
		return err
	}
	*d = Drops{}
	for _, drop := range drops {
		reason := errors.New(drop.Reason)
		for _, known := range []error{ErrGone, ErrReorged, ErrCleared, core.ErrNonceTooLow} {
			if known.Error() == drop.Reason {
				reason = known
			}
		}
		*d = d.With(drop.Hash, reason)
	}
	return nil
}
