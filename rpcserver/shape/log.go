package shape

import (
	"slices"

	"github.com/ethereum/go-ethereum/core/types"
)

// Logs is the answer to eth_getLogs and its kin: log objects (contract 2.3-address and those after it).
type Logs []*types.Log

func (l Logs) AppendJSON(dst []byte) []byte {
	dst = append(slices.Grow(dst, l.room()), '[')
	for i, log := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendLog(dst, log)
	}
	return append(dst, ']')
}

// room is about how many bytes the list takes: millions of bytes are not unusual, so they are not copied
// from one growing buffer to the next.
func (l Logs) room() int {
	const fixed, perTopic = 400, 70
	room := len("[]")
	for _, log := range l {
		room += fixed + perTopic*len(log.Topics) + 2*len(log.Data)
	}
	return room
}

// AppendLog appends one log object (contract D-logShape). A pre-confirmed log has the zero block hash.
func AppendLog(dst []byte, log *types.Log) []byte {
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
	o.Quantity("logIndex", uint64(log.Index))
	o.bool("removed", log.Removed)
	return o.End()
}
