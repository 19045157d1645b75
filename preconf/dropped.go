package preconf

import (
	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"
)

// maxDropped is how many reasons one generation of a dropLog keeps.
const maxDropped = 4096

// dropLog remembers why transactions were dropped: at least the last
// maxDropped of them. Immutable.
type dropLog struct {
	young, old *immutable.Map[common.Hash, error]
}

var (
	noReasons    = immutable.NewMap[common.Hash, error](hashHasher{})
	emptyDropLog = dropLog{young: noReasons, old: noReasons}
)

func (d dropLog) with(h common.Hash, reason error) dropLog {
	if d.young.Len() >= maxDropped {
		d = dropLog{young: noReasons, old: d.young}
	}
	d.young = d.young.Set(h, reason)
	return d
}

func (d dropLog) without(h common.Hash) dropLog {
	d.young, d.old = d.young.Delete(h), d.old.Delete(h)
	return d
}

func (d dropLog) reason(h common.Hash) error {
	if err, ok := d.young.Get(h); ok {
		return err
	}
	err, _ := d.old.Get(h)
	return err
}
