package shape

import (
	"slices"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
)

// Logs is the answer to eth_getLogs and similar methods: log objects (contract 2.3-address and those after it).
type Logs struct {
	list []*types.Log
	// time returns the time of a log's block in milliseconds; nil: no block has one.
	time func(*types.Log) (ms uint64, ok bool)
}

// LogsOf returns logs of blocks that the Moment has.
func LogsOf(m *preconf.Moment, list []*types.Log) Logs { return Logs{list, m.LogTimes()} }

// SimulatedLogs returns logs of a simulated block.
func SimulatedLogs(list []*types.Log) Logs { return Logs{list: list} }

// logsAt returns logs of one block.
func logsAt(time BlockTime, list []*types.Log) Logs {
	if !time.known {
		return Logs{list: list}
	}
	return Logs{list, func(*types.Log) (uint64, bool) { return time.ms, true }}
}

func (l Logs) AppendJSON(dst []byte) []byte {
	dst = append(slices.Grow(dst, l.Size()), '[')
	var time BlockTime
	for i, log := range l.list {
		if i > 0 {
			dst = append(dst, ',')
		}
		if l.time != nil {
			time.ms, time.known = l.time(log)
		}
		dst = AppendLog(dst, log, time)
	}
	return append(dst, ']')
}

// Size returns about how many bytes the list takes: often millions, which should not be copied from one growing buffer
// to the next.
func (l Logs) Size() int {
	const fixed, perTopic = 400, 70
	size := len("[]")
	for _, log := range l.list {
		size += fixed + perTopic*len(log.Topics) + 2*len(log.Data)
	}
	return size
}

// AppendLog appends one log object (contract D-logShape), of a block with that time. A pre-confirmed log has the zero
// block hash.
func AppendLog(dst []byte, log *types.Log, time BlockTime) []byte {
	o := Begin(dst)
	o.Bytes("address", log.Address[:])
	o.Key("topics")
	o.Dst = appendHashes(o.Dst, log.Topics)
	o.Bytes("data", log.Data)
	o.Quantity("blockNumber", log.BlockNumber)
	o.Bytes("transactionHash", log.TxHash[:])
	o.Quantity("transactionIndex", uint64(log.TxIndex))
	o.Bytes("blockHash", log.BlockHash[:])
	o.Quantity("blockTimestamp", log.BlockTimestamp)
	time.member(&o, "blockTimestampMs")
	o.Quantity("logIndex", uint64(log.Index))
	o.bool("removed", log.Removed)
	return o.End()
}
