package shape

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
)

// BlockTime is the time of a block in Unix milliseconds, on chains whose blocks have one. The zero value is that of
// other blocks; its member is left out of objects.
type BlockTime struct {
	ms    uint64
	known bool
}

// TimeOf returns the time of a View, which must be loaded; nil has none.
func TimeOf(v *preconf.View) BlockTime {
	if v == nil {
		return BlockTime{}
	}
	ms, known := v.Milliseconds()
	return BlockTime{ms, known}
}

// member writes the time.
func (t BlockTime) member(o *Object, name string) {
	if t.known {
		o.Quantity(name, t.ms)
	}
}

// timesOf returns the times of the blocks of logs, as a Moment has them; nil where no block has one. It remembers the
// last block, as logs of one stand together.
func timesOf(m *preconf.Moment) func(*types.Log) BlockTime {
	c := m.Chain()
	if c.Optimism().BlockTime() == 0 {
		return nil
	}
	var block common.Hash
	var time BlockTime
	return func(log *types.Log) BlockTime {
		if c.Fork() != nil && log.BlockNumber <= c.Base() {
			ms, known := c.MillisecondsBelow(log.BlockNumber, log.BlockTimestamp)
			return BlockTime{ms, known}
		}
		if log.BlockHash != block {
			block, time = log.BlockHash, BlockTime{}
			if v, err := m.ByHash(block); err == nil {
				time = TimeOf(v)
			}
		}
		return time
	}
}
