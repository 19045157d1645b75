package shape

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
)

// Receipt is a receipt as eth_getTransactionReceipt answers it: a pre-confirmed one has the zero block hash.
type Receipt struct {
	receipt *types.Receipt
	tx      evmstate.Transaction
	from    common.Address
	view    *preconf.View
	in      *inclusion
	members ReceiptMembers
	fees    *optimism.Fees // paid besides gas on an OP-stack chain; nil on others
	gas     *tracing.Gas   // of both kinds, before refunds; nil before Amsterdam
}

// ReceiptOf returns the receipt of an executed transaction.
func ReceiptOf(found preconf.Found, members ReceiptMembers) Receipt {
	v := found.View
	object := Receipt{
		receipt: found.Receipt,
		tx:      found.Transaction,
		from:    found.Sender,
		view:    v,
		in:      placeOf(found),
		members: members,
	}
	if v.Chain().Optimism != nil {
		object.fees = new(v.Fees())
	}
	if gas := v.GasByKind(); gas != nil {
		object.gas = &gas[found.Index]
	}
	return object
}

func (r Receipt) AppendJSON(dst []byte) []byte {
	if other, ok := r.tx.(*remote.Transaction); ok {
		r.tx = other.Signed()
		return appendRemote(dst, r, other.Signed() != nil, other.Answer)
	}
	receipt, hash := r.receipt, r.tx.Hash()
	o := Begin(dst)
	if r.tx.Type() == types.BlobTxType {
		o.Quantity("blobGasUsed", receipt.BlobGasUsed)
		o.Big("blobGasPrice", receipt.BlobGasPrice)
	} else if r.members == AnvilMembers && r.view.Header().ExcessBlobGas != nil {
		o.Big("blobGasPrice", eip4844.CalcBlobFee(r.view.Chain().Config(), r.view.Header()))
	}
	o.hashOrNull("blockHash", r.in.blockHash)
	o.Quantity("blockNumber", r.in.number)
	switch r.members {
	case AllMembers: // as on L2 nodes
		o.Quantity("blockTimestamp", r.in.time)
	case AnvilMembers:
		o.Int("blockTimestamp", int(r.in.time))
	}
	if r.tx.To() == nil {
		o.Bytes("contractAddress", receipt.ContractAddress[:])
	} else {
		o.Null("contractAddress")
	}
	o.Quantity("cumulativeGasUsed", receipt.CumulativeGasUsed)
	if _, ok := r.tx.(*optimism.Included); ok {
		o.Quantity("depositNonce", r.tx.Nonce())
		o.Quantity("depositReceiptVersion", optimism.ReceiptVersion)
	}
	o.Big("effectiveGasPrice", receipt.EffectiveGasPrice)
	own := r.gas != nil && r.members == AllMembers // no other node has these
	if own {
		o.Quantity("executionGasUsed", r.gas.Execution)
	}
	o.Bytes("from", r.from[:])
	o.Quantity("gasUsed", receipt.GasUsed)
	o.Add("logs", logsAt(r.in.precise, receipt.Logs))
	o.Bytes("logsBloom", receipt.Bloom[:])
	if len(receipt.PostState) > 0 { // before Byzantium
		o.Bytes("root", receipt.PostState)
	} else {
		o.Quantity("status", receipt.Status)
	}
	if own {
		o.Quantity("stateGasUsed", r.gas.State)
	}
	o.address("to", r.tx.To())
	o.Bytes("transactionHash", hash[:])
	o.Quantity("transactionIndex", uint64(r.in.index))
	o.Quantity("type", uint64(r.tx.Type()))
	if r.fees != nil {
		r.appendFees(&o)
	}
	return o.End()
}

// MarshalJSON makes a Receipt a member of other answers.
func (r Receipt) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// Size returns about how many bytes the receipt takes.
func (r Receipt) Size() int {
	const fixed = 1300
	if r.receipt == nil { // the other chain's own object
		return fixed
	}
	return fixed + Logs{list: r.receipt.Logs}.Size()
}

// ReceiptMembers selects the members of receipts. Zero: AllMembers.
type ReceiptMembers int

const (
	// AllMembers includes the time of the block, and the gas of both kinds, as the contract has them.
	AllMembers ReceiptMembers = iota
	// StandardMembers leaves out what execution-apis lacks.
	StandardMembers
	// AnvilMembers are those, the time of the block as a plain number, and the price of its blob gas, with blobs or
	// without.
	AnvilMembers
)

// Receipts is the answer to eth_getBlockReceipts.
type Receipts []Receipt

// ReceiptsOf returns all receipts of a View.
func ReceiptsOf(v *preconf.View, members ReceiptMembers) Receipts {
	list := make(Receipts, v.Count())
	for i := range list {
		list[i] = ReceiptOf(v.At(i), members)
	}
	return list
}

func (l Receipts) AppendJSON(dst []byte) []byte {
	return AppendArray(dst, len(l), func(dst []byte, i int) []byte { return l[i].AppendJSON(dst) })
}

// Size returns about how many bytes the list takes.
func (l Receipts) Size() (size int) {
	for _, r := range l {
		size += r.Size()
	}
	return size
}

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

// MarshalJSON makes Logs a member of other answers.
func (l Logs) MarshalJSON() ([]byte, error) { return l.AppendJSON(nil), nil }

// Size returns about how many bytes the list takes: often millions, which should not be copied as a buffer grows.
func (l Logs) Size() int {
	const fixed, perTopic = 400, 70
	size := len("[]")
	for _, log := range l.list {
		size += fixed + perTopic*len(log.Topics) + 2*len(log.Data)
	}
	return size
}

// AppendLog appends one log object (contract D-logShape). A pre-confirmed one has the zero block hash.
func AppendLog(dst []byte, log *types.Log, time BlockTime) []byte {
	o := Begin(dst)
	o.Bytes("address", log.Address[:])
	o.Key("topics")
	o.Dst = appendHashes(o.Dst, log.Topics)
	o.Bytes("data", log.Data)
	o.Quantity("blockNumber", log.BlockNumber)
	o.Bytes("transactionHash", log.TxHash[:])
	o.Quantity("transactionIndex", uint64(log.TxIndex))
	o.hashOrNull("blockHash", log.BlockHash)
	o.Quantity("blockTimestamp", log.BlockTimestamp)
	time.member(&o, "blockTimestampMs")
	o.Quantity("logIndex", uint64(log.Index))
	o.bool("removed", log.Removed)
	return o.End()
}
