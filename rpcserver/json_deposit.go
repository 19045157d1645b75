package rpcserver

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf"
)

// depositObject is a deposit of an OP-stack chain as eth_getTransactionByHash answers it.
type depositObject struct {
	deposit *optimism.Included
	in      *inclusion
}

// depositOf returns deposit i of a View.
func depositOf(v *preconf.View, i int) depositObject {
	return depositObject{&v.Deposits()[i], includedIn(v.Header(), v.Hash(), i)}
}

func (d depositObject) AppendJSON(dst []byte) []byte {
	o := beginObject(dst)
	d.members(&o)
	return o.end()
}

// members writes all members.
func (d depositObject) members(o *object) {
	deposit := d.deposit
	transactionObject{in: d.in}.place(o)
	o.quantity("depositReceiptVersion", optimism.ReceiptVersion)
	o.bytes("from", deposit.From[:])
	o.quantity("gas", deposit.Gas)
	o.quantity("gasPrice", 0)
	o.bytes("hash", deposit.Hash[:])
	o.bytes("input", deposit.Data)
	o.bool("isSystemTx", deposit.IsSystem)
	mint := deposit.Mint
	if mint == nil {
		mint = new(big.Int)
	}
	o.big("mint", mint)
	o.quantity("nonce", deposit.Nonce)
	o.bytes("sourceHash", deposit.SourceHash[:])
	o.address("to", deposit.To)
	o.big("value", deposit.Value)
	o.quantity("type", optimism.DepositType)
	for _, part := range []string{"v", "r", "s"} {
		o.quantity(part, 0)
	}
}

// depositReceiptObject is the receipt of a deposit.
type depositReceiptObject struct {
	depositObject
	profile Profile
}

// depositReceiptOf returns the receipt of deposit i of a View.
func depositReceiptOf(v *preconf.View, i int, profile Profile) depositReceiptObject {
	return depositReceiptObject{depositOf(v, i), profile}
}

func (d depositReceiptObject) AppendJSON(dst []byte) []byte {
	deposit, receipt := d.deposit, d.deposit.Receipt
	o := beginObject(dst)
	o.bytes("blockHash", d.in.blockHash[:])
	o.quantity("blockNumber", d.in.number)
	if d.profile == Spec {
		o.quantity("blockTimestamp", d.in.time)
	}
	if receipt.ContractAddress == (common.Address{}) {
		o.null("contractAddress")
	} else {
		o.bytes("contractAddress", receipt.ContractAddress[:])
	}
	o.quantity("cumulativeGasUsed", receipt.CumulativeGasUsed)
	o.quantity("depositNonce", deposit.Nonce)
	o.quantity("depositReceiptVersion", optimism.ReceiptVersion)
	o.quantity("effectiveGasPrice", 0)
	o.bytes("from", deposit.From[:])
	o.quantity("gasUsed", receipt.GasUsed)
	o.key("logs")
	o.dst = logList(receipt.Logs).AppendJSON(o.dst)
	o.bytes("logsBloom", receipt.Bloom[:])
	o.quantity("status", receipt.Status)
	o.address("to", deposit.To)
	o.bytes("transactionHash", deposit.Hash[:])
	o.quantity("transactionIndex", uint64(d.in.index))
	o.quantity("type", optimism.DepositType)
	return o.end()
}

// appendFees writes what the transaction paid beside gas on an OP-stack chain, as its nodes do.
func (r receiptObject) appendFees(o *object) {
	size, err := optimism.SizeOf(r.tx)
	if err != nil {
		return // it was executed, so it can be encoded
	}
	f := r.fees
	o.quantity("blobGasUsed", r.receipt.BlobGasUsed)
	o.quantity("daFootprintGasScalar", uint64(f.FootprintScalar()))
	o.quantity("l1BaseFeeScalar", uint64(f.BaseFeeScalar))
	o.key("l1BlobBaseFee")
	o.dst = appendU256(o.dst, &f.BlobBaseFee)
	o.quantity("l1BlobBaseFeeScalar", uint64(f.BlobBaseFeeScalar))
	o.key("l1Fee")
	o.dst = appendU256(o.dst, f.L1Fee(size))
	o.key("l1GasPrice")
	o.dst = appendU256(o.dst, &f.L1BaseFee)
	o.quantity("l1GasUsed", optimism.L1GasUsed(size))
	if f.HasOperatorFee() {
		o.quantity("operatorFeeConstant", f.OperatorFeeConstant)
		o.quantity("operatorFeeScalar", uint64(f.OperatorFeeScalar))
	}
}
