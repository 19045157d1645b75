package rpcserver

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
)

// receiptObject is a receipt as eth_getTransactionReceipt answers it. A pre-confirmed one has the zero
// block hash.
type receiptObject struct {
	receipt *types.Receipt
	tx      evmstate.Transaction
	from    common.Address
	in      *inclusion
	profile Profile
	fees    *optimism.Fees // what was paid beside gas on an OP-stack chain; nil on others
}

// receiptOf returns the receipt of an executed transaction.
func receiptOf(found preconf.Found, profile Profile) receiptObject {
	v := found.View
	object := receiptObject{
		receipt: found.Receipt,
		tx:      found.Transaction,
		from:    found.Sender,
		in:      includedIn(v.Header(), v.Hash(), found.Index),
		profile: profile,
	}
	if v.Chain().Optimism() != nil {
		object.fees = new(v.Fees())
	}
	return object
}

func (r receiptObject) AppendJSON(dst []byte) []byte {
	if other, ok := r.tx.(*remote.Transaction); ok {
		return r.appendRemote(dst, other)
	}
	receipt, hash := r.receipt, r.tx.Hash()
	o := beginObject(dst)
	if r.tx.Type() == types.BlobTxType {
		o.quantity("blobGasUsed", receipt.BlobGasUsed)
		o.big("blobGasPrice", receipt.BlobGasPrice)
	}
	o.bytes("blockHash", r.in.blockHash[:])
	o.quantity("blockNumber", r.in.number)
	if r.profile == Spec { // as L2 nodes have it; geth has not
		o.quantity("blockTimestamp", r.in.time)
	}
	if r.tx.To() == nil {
		o.bytes("contractAddress", receipt.ContractAddress[:])
	} else {
		o.null("contractAddress")
	}
	o.quantity("cumulativeGasUsed", receipt.CumulativeGasUsed)
	if _, ok := r.tx.(*optimism.Included); ok {
		o.quantity("depositNonce", r.tx.Nonce())
		o.quantity("depositReceiptVersion", optimism.ReceiptVersion)
	}
	o.big("effectiveGasPrice", receipt.EffectiveGasPrice)
	o.bytes("from", r.from[:])
	o.quantity("gasUsed", receipt.GasUsed)
	o.key("logs")
	o.dst = logList(receipt.Logs).AppendJSON(o.dst)
	o.bytes("logsBloom", receipt.Bloom[:])
	if len(receipt.PostState) > 0 { // before Byzantium
		o.bytes("root", receipt.PostState)
	} else {
		o.quantity("status", receipt.Status)
	}
	o.address("to", r.tx.To())
	o.bytes("transactionHash", hash[:])
	o.quantity("transactionIndex", uint64(r.in.index))
	o.quantity("type", uint64(r.tx.Type()))
	if r.fees != nil {
		r.appendFees(&o)
	}
	return o.end()
}

// receiptList is the answer to eth_getBlockReceipts.
type receiptList []receiptObject

// receiptsOf returns all receipts of a View.
func receiptsOf(v *preconf.View, profile Profile) receiptList {
	list := make(receiptList, v.Count())
	for i := range list {
		list[i] = receiptOf(v.At(i), profile)
	}
	return list
}

func (l receiptList) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, r := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.AppendJSON(dst)
	}
	return append(dst, ']')
}
