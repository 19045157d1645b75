package rpcserver

import (
	"slices"

	"github.com/ethereum/go-ethereum/core/types"
)

// logList is the answer to eth_getLogs and its kin: log objects (contract 2.3-address and those after it).
type logList []*types.Log

func (l logList) AppendJSON(dst []byte) []byte {
	dst = append(slices.Grow(dst, l.room()), '[')
	for i, log := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendLog(dst, log)
	}
	return append(dst, ']')
}

// room is about how many bytes the list takes: millions of bytes are not unusual, so they are not copied
// from one growing buffer to the next.
func (l logList) room() int {
	const fixed, perTopic = 400, 70
	room := len("[]")
	for _, log := range l {
		room += fixed + perTopic*len(log.Topics) + 2*len(log.Data)
	}
	return room
}

// appendLog appends one log object (contract D-logShape). A pre-confirmed log has the zero block hash.
func appendLog(dst []byte, log *types.Log) []byte {
	o := beginObject(dst)
	o.bytes("address", log.Address[:])
	o.key("topics")
	o.dst = appendHashes(o.dst, log.Topics)
	o.bytes("data", log.Data)
	o.quantity("blockNumber", log.BlockNumber)
	o.bytes("transactionHash", log.TxHash[:])
	o.quantity("transactionIndex", uint64(log.TxIndex))
	o.bytes("blockHash", log.BlockHash[:])
	o.quantity("blockTimestamp", log.BlockTimestamp)
	o.quantity("logIndex", uint64(log.Index))
	o.bool("removed", log.Removed)
	return o.end()
}
