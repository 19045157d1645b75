package shape

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
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
			return timeBelow(c, log)
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

// timeBelow returns the time of a log's block at or below the fork block, which is not fetched for it: a live chain
// leaves out no slot. A block from before the chain had milliseconds has another second than that would be.
func timeBelow(c *chain.Chain, log *types.Log) BlockTime {
	ms, known := c.Milliseconds(c.BlockByNumber(c.Base()))
	ms -= (c.Base() - log.BlockNumber) * uint64(c.Optimism().BlockTime().Milliseconds())
	return BlockTime{ms, known && ms/1000 == log.BlockTimestamp}
}
