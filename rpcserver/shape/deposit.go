package shape

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// depositMembers writes the members of a deposit of an OP-stack chain that follow its place.
func depositMembers(o *Object, tx *optimism.Included, from common.Address) {
	hash, deposit := tx.Hash(), tx.Deposit()
	o.Quantity("depositReceiptVersion", optimism.ReceiptVersion)
	o.Bytes("from", from[:])
	o.Quantity("gas", deposit.Gas)
	o.Quantity("gasPrice", 0)
	o.Bytes("hash", hash[:])
	o.Bytes("input", deposit.Data)
	o.bool("isSystemTx", deposit.IsSystem)
	mint := deposit.Mint
	if mint == nil {
		mint = new(big.Int)
	}
	o.Big("mint", mint)
	o.Quantity("nonce", tx.Nonce())
	o.Bytes("sourceHash", deposit.SourceHash[:])
	o.address("to", deposit.To)
	o.Big("value", deposit.Value)
	o.Quantity("type", optimism.DepositType)
	for _, part := range []string{"v", "r", "s"} {
		o.Quantity(part, 0)
	}
}

// postExecMembers writes the members of the transaction that ends a block which follow its place: it has no others.
func postExecMembers(o *Object, tx *optimism.PostExec) {
	hash := tx.Hash()
	o.Bytes("from", make([]byte, common.AddressLength))
	o.Quantity("gas", 0)
	o.Bytes("hash", hash[:])
	o.Bytes("input", tx.Data())
	o.Quantity("type", optimism.PostExecType)
	o.Quantity("value", 0)
}

// appendFees writes the fees that the transaction paid besides gas on an OP-stack chain, as its nodes do.
func (r Receipt) appendFees(o *Object) {
	signed := evmstate.Signed(r.tx)
	if signed == nil {
		if r.tx.Type() == optimism.PostExecType {
			o.Quantity("blobGasUsed", 0)
		}
		return // it pays nothing
	}
	size, err := optimism.SizeOf(signed)
	if err != nil {
		return // it was executed, so its size is known
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
	if refund := r.view.Chain().Optimism().Upgrade.GasRefund; refund > 0 {
		o.Quantity("opGasRefund", refund)
	}
	if f.HasOperatorFee() {
		o.Quantity("operatorFeeConstant", f.OperatorFeeConstant)
		o.Quantity("operatorFeeScalar", uint64(f.OperatorFeeScalar))
	}
}
