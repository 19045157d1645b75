package rpcserver

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// depositMembers writes the members of a deposit of an OP-stack chain that follow its place.
func depositMembers(o *object, tx *optimism.Included, from common.Address) {
	hash, deposit := tx.Hash(), tx.Deposit()
	o.quantity("depositReceiptVersion", optimism.ReceiptVersion)
	o.bytes("from", from[:])
	o.quantity("gas", deposit.Gas)
	o.quantity("gasPrice", 0)
	o.bytes("hash", hash[:])
	o.bytes("input", deposit.Data)
	o.bool("isSystemTx", deposit.IsSystem)
	mint := deposit.Mint
	if mint == nil {
		mint = new(big.Int)
	}
	o.big("mint", mint)
	o.quantity("nonce", tx.Nonce())
	o.bytes("sourceHash", deposit.SourceHash[:])
	o.address("to", deposit.To)
	o.big("value", deposit.Value)
	o.quantity("type", optimism.DepositType)
	for _, part := range []string{"v", "r", "s"} {
		o.quantity(part, 0)
	}
}

// appendFees writes what the transaction paid beside gas on an OP-stack chain, as its nodes do.
func (r receiptObject) appendFees(o *object) {
	signed := evmstate.Signed(r.tx)
	if signed == nil {
		return // a deposit pays nothing
	}
	size, err := optimism.SizeOf(signed)
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
