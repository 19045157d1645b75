package shape

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf"
)

// Receipt is a receipt as eth_getTransactionReceipt answers it. A pre-confirmed one has the zero
// block hash.
type Receipt struct {
	receipt *types.Receipt
	tx      *types.Transaction
	from    common.Address
	in      *inclusion
	profile Profile
	fees    *optimism.Fees // what was paid beside gas on an OP-stack chain; nil on others
}

// ReceiptOf returns the receipt of a View's transaction of that index.
func ReceiptOf(v *preconf.View, index int, profile Profile) Receipt {
	object := Receipt{
		receipt: v.Receipts()[index],
		tx:      v.Transaction(index),
		from:    v.Sender(index),
		in:      placeOf(v, index),
		profile: profile,
	}
	if v.Chain().Optimism() != nil {
		object.fees = new(v.Fees())
	}
	return object
}

// PlacedReceipt is the receipt of the transaction or deposit at a position of a View's block; position counts deposits
// too.
type PlacedReceipt struct {
	view     *preconf.View
	position int
	profile  Profile
}

// ReceiptAt returns the receipt at a position of a View's block.
func ReceiptAt(v *preconf.View, position int, profile Profile) PlacedReceipt {
	return PlacedReceipt{v, position, profile}
}

func (p PlacedReceipt) AppendJSON(dst []byte) []byte {
	i, signed := p.view.Signed(p.position)
	if !signed {
		return DepositReceiptOf(p.view, p.position, p.profile).AppendJSON(dst)
	}
	own := ReceiptOf(p.view, i, p.profile)
	if t := RemoteTransaction(p.view, i); t != nil {
		return receiptAnswer(own, t).AppendJSON(dst)
	}
	return own.AppendJSON(dst)
}

func (r Receipt) AppendJSON(dst []byte) []byte {
	receipt, hash := r.receipt, r.tx.Hash()
	o := Begin(dst)
	if r.tx.Type() == types.BlobTxType {
		o.Quantity("blobGasUsed", receipt.BlobGasUsed)
		o.Big("blobGasPrice", receipt.BlobGasPrice)
	}
	o.Bytes("blockHash", r.in.blockHash[:])
	o.Quantity("blockNumber", r.in.number)
	if r.profile == Spec { // as L2 nodes have it; geth has not
		o.Quantity("blockTimestamp", r.in.time)
	}
	if r.tx.To() == nil {
		o.Bytes("contractAddress", receipt.ContractAddress[:])
	} else {
		o.Null("contractAddress")
	}
	o.Quantity("cumulativeGasUsed", receipt.CumulativeGasUsed)
	o.Big("effectiveGasPrice", receipt.EffectiveGasPrice)
	o.Bytes("from", r.from[:])
	o.Quantity("gasUsed", receipt.GasUsed)
	o.Key("logs")
	o.Dst = Logs(receipt.Logs).AppendJSON(o.Dst)
	o.Bytes("logsBloom", receipt.Bloom[:])
	if len(receipt.PostState) > 0 { // before Byzantium
		o.Bytes("root", receipt.PostState)
	} else {
		o.Quantity("status", receipt.Status)
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

// Receipts is the answer to eth_getBlockReceipts.
type Receipts []PlacedReceipt

// ReceiptsOf returns all receipts of a View.
func ReceiptsOf(v *preconf.View, profile Profile) Receipts {
	list := make(Receipts, v.Count())
	for i := range list {
		list[i] = ReceiptAt(v, i, profile)
	}
	return list
}

func (l Receipts) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, r := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.AppendJSON(dst)
	}
	return append(dst, ']')
}
