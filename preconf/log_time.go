package preconf

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// LogTimes returns a function that returns the time of a log's block in Unix milliseconds, and whether it has one; nil
// where no block has. It remembers the last block, as logs of one stand together, so it is not for concurrent use.
func (m *Moment) LogTimes() func(*types.Log) (ms uint64, ok bool) {
	c := m.chain
	if c.Optimism().BlockTime() == 0 {
		return nil
	}
	var block common.Hash
	var ms uint64
	var ok bool
	return func(log *types.Log) (uint64, bool) {
		if c.Fork() != nil && log.BlockNumber <= c.Base() {
			return c.MillisecondsBelow(log.BlockNumber, log.BlockTimestamp)
		}
		if log.BlockHash != block {
			block, ms, ok = log.BlockHash, 0, false
			if v, err := m.ByHash(block); err == nil {
				ms, ok = v.Milliseconds()
			}
		}
		return ms, ok
	}
}
