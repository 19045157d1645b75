package stream

import (
	"encoding/json"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Members of Monad's notifications, in their order.
var (
	headMembers = strings.Fields("hash parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed " +
		"timestamp extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash totalDifficulty size")
	logMembers = strings.Fields("address topics data blockHash blockNumber blockTimestamp transactionHash transactionIndex logIndex removed")
)

// WholeHeads returns the header of a new head with its size, CommittedHeads that of a block that reaches a commit
// state, with the state.
var WholeHeads, CommittedHeads = of(preconf.HeadAdded, "whole head", wholeHead), of(preconf.HeadCommitted, "head", wholeHead)

func wholeHead(a *Announcement) []json.RawMessage {
	return []json.RawMessage{a.committed(shape.BlockOf(a.View, false).WithTotalDifficulty().AppendJSON(nil), headMembers)}
}

// CommittedLogs returns the logs of a block that reaches a commit state, with the state, one item each.
var CommittedLogs = of(preconf.LogsCommitted, "logs", func(a *Announcement) (items []json.RawMessage) {
	for _, log := range a.Logs {
		items = append(items, a.committed(shape.AppendLog(nil, log, shape.TimeOf(a.View)), logMembers))
	}
	return items
})

// committed returns an object with the consensus block's id and state, if it has one, before the members of another.
// Monad's id is another hash than that of the header; here it follows from that.
func (a *Announcement) committed(whole []byte, members []string) json.RawMessage {
	o, hash := shape.Begin(nil), a.View.Hash()
	if a.State != "" {
		o.Bytes("blockId", crypto.Keccak256(hash[:]))
		o.Text("commitState", a.State)
	}
	var given map[string]json.RawMessage
	_ = json.Unmarshal(whole, &given) // which is an object
	for _, name := range members {
		if value, has := given[name]; has {
			o.Key(name)
			o.Dst = append(o.Dst, value...)
		}
	}
	return o.End()
}
