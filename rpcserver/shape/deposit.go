package shape

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf"
)

// Deposit is a deposit of an OP-stack chain as eth_getTransactionByHash answers it.
type Deposit struct {
	deposit *optimism.Included
	in      *inclusion
}

// DepositOf returns deposit i of a View.
func DepositOf(v *preconf.View, i int) Deposit {
	return Deposit{&v.Deposits()[i], includedIn(v.Header(), v.Hash(), i)}
}

func (d Deposit) AppendJSON(dst []byte) []byte {
	o := Begin(dst)
	d.members(&o)
	return o.End()
}

// members writes all members.
func (d Deposit) members(o *Object) {
	deposit := d.deposit
	Transaction{in: d.in}.place(o)
	o.Quantity("depositReceiptVersion", optimism.ReceiptVersion)
	o.Bytes("from", deposit.From[:])
	o.Quantity("gas", deposit.Gas)
	o.Quantity("gasPrice", 0)
	o.Bytes("hash", deposit.Hash[:])
	o.Bytes("input", deposit.Data)
	o.bool("isSystemTx", deposit.IsSystem)
	mint := deposit.Mint
	if mint == nil {
		mint = new(big.Int)
	}
	o.Big("mint", mint)
	o.Quantity("nonce", deposit.Nonce)
	o.Bytes("sourceHash", deposit.SourceHash[:])
	o.address("to", deposit.To)
	o.Big("value", deposit.Value)
	o.Quantity("type", optimism.DepositType)
	for _, part := range []string{"v", "r", "s"} {
		o.Quantity(part, 0)
	}
}

// DepositReceipt is the receipt of a deposit.
type DepositReceipt struct {
	Deposit
	profile Profile
}

// DepositReceiptOf returns the receipt of deposit i of a View.
func DepositReceiptOf(v *preconf.View, i int, profile Profile) DepositReceipt {
	return DepositReceipt{DepositOf(v, i), profile}
}

func (d DepositReceipt) AppendJSON(dst []byte) []byte {
	deposit, receipt := d.deposit, d.deposit.Receipt
	o := Begin(dst)
	o.Bytes("blockHash", d.in.blockHash[:])
	o.Quantity("blockNumber", d.in.number)
	if d.profile == Spec {
		o.Quantity("blockTimestamp", d.in.time)
	}
	if receipt.ContractAddress == (common.Address{}) {
		o.Null("contractAddress")
	} else {
		o.Bytes("contractAddress", receipt.ContractAddress[:])
	}
	o.Quantity("cumulativeGasUsed", receipt.CumulativeGasUsed)
	o.Quantity("depositNonce", deposit.Nonce)
	o.Quantity("depositReceiptVersion", optimism.ReceiptVersion)
	o.Quantity("effectiveGasPrice", 0)
	o.Bytes("from", deposit.From[:])
	o.Quantity("gasUsed", receipt.GasUsed)
	o.Key("logs")
	o.Dst = Logs(receipt.Logs).AppendJSON(o.Dst)
	o.Bytes("logsBloom", receipt.Bloom[:])
	o.Quantity("status", receipt.Status)
	o.address("to", deposit.To)
	o.Bytes("transactionHash", deposit.Hash[:])
	o.Quantity("transactionIndex", uint64(d.in.index))
	o.Quantity("type", optimism.DepositType)
	return o.End()
}

// appendFees writes what the transaction paid beside gas on an OP-stack chain, as its nodes do.
func (r Receipt) appendFees(o *Object) {
	size, err := optimism.SizeOf(r.tx)
	if err != nil {
		return // it was executed, so it can be encoded
	}
	f := r.fees
	o.Quantity("blobGasUsed", r.receipt.BlobGasUsed)
	o.Quantity("daFootprintGasScalar", uint64(f.FootprintScalar()))
	o.Quantity("l1BaseFeeScalar", uint64(f.BaseFeeScalar))
	o.Key("l1BlobBaseFee")
	o.Dst = AppendU256(o.Dst, &f.BlobBaseFee)
	o.Quantity("l1BlobBaseFeeScalar", uint64(f.BlobBaseFeeScalar))
	o.Key("l1Fee")
	o.Dst = AppendU256(o.Dst, f.L1Fee(size))
	o.Key("l1GasPrice")
	o.Dst = AppendU256(o.Dst, &f.L1BaseFee)
	o.Quantity("l1GasUsed", optimism.L1GasUsed(size))
	if f.HasOperatorFee() {
		o.Quantity("operatorFeeConstant", f.OperatorFeeConstant)
		o.Quantity("operatorFeeScalar", uint64(f.OperatorFeeScalar))
	}
}
