package chain

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// newMessage returns the message that the EVM executes for tx. The sender is a parameter so that unsigned transactions
// can be executed too.
func newMessage(tx *types.Transaction, from common.Address, baseFee *big.Int) (*core.Message, error) {
	msg := &core.Message{
		From:                  from,
		To:                    tx.To(),
		Nonce:                 tx.Nonce(),
		GasLimit:              tx.Gas(),
		Data:                  tx.Data(),
		AccessList:            tx.AccessList(),
		BlobHashes:            tx.BlobHashes(),
		SetCodeAuthorizations: tx.SetCodeAuthorizations(),
	}
	for _, amount := range []struct {
		name  string
		value *big.Int
		into  **uint256.Int
	}{
		{"value", tx.Value(), &msg.Value},
		{"maxFeePerGas", tx.GasFeeCap(), &msg.GasFeeCap},
		{"maxPriorityFeePerGas", tx.GasTipCap(), &msg.GasTipCap},
		{"maxFeePerBlobGas", tx.BlobGasFeeCap(), &msg.BlobGasFeeCap},
	} {
		word, overflow := uint256.FromBig(amount.value)
		if overflow || amount.value != nil && amount.value.Sign() < 0 {
			return nil, fmt.Errorf("%s %v is not a 256-bit number", amount.name, amount.value)
		}
		*amount.into = word
	}
	msg.GasPrice = effectiveGasPrice(msg, baseFee)
	return msg, nil
}

// effectiveGasPrice returns the price that msg pays per unit of gas in wei (EIP-1559). baseFee is nil before London.
func effectiveGasPrice(msg *core.Message, baseFee *big.Int) *uint256.Int {
	if baseFee == nil {
		return msg.GasFeeCap // for a legacy transaction this is its gas price
	}
	price := uint256.MustFromBig(baseFee)
	if _, overflow := price.AddOverflow(price, msg.GasTipCap); overflow || price.Gt(msg.GasFeeCap) {
		return msg.GasFeeCap
	}
	return price
}

// newReceipt returns the receipt of a transaction that was just executed, and sets the position of its logs in the
// block. The caller sets the cumulative gas and the blob gas.
func (d *Draft) newReceipt(tx *types.Transaction, msg *core.Message, result *core.ExecutionResult, logs []*types.Log) *types.Receipt {
	for i, l := range logs {
		l.Index = uint(d.logs.len() + i)
	}
	r := &types.Receipt{
		Type:              tx.Type(),
		Status:            types.ReceiptStatusSuccessful,
		Logs:              logs,
		TxHash:            tx.Hash(),
		GasUsed:           result.UsedGas,
		EffectiveGasPrice: msg.GasPrice.ToBig(),
		BlockNumber:       d.header.Number,
		TransactionIndex:  uint(d.transactions.len()),
	}
	if result.Failed() {
		r.Status = types.ReceiptStatusFailed
	}
	if msg.To == nil {
		r.ContractAddress = crypto.CreateAddress(msg.From, msg.Nonce)
	}
	if tx.Type() == types.BlobTxType {
		r.BlobGasPrice = d.block.BlobBaseFee
	}
	r.Bloom = types.CreateBloom(r)
	return r
}
