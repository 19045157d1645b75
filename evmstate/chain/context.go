package chain

import (
	"cmp"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

// View is the place at which a call is executed: Header gives the block context, State the accounts, and Chain the
// blocks below for BLOCKHASH.
type View struct {
	Chain  *Chain
	Header *types.Header
	State  *evmstate.State
}

// lowestBlobFee is the blob base fee in wei of a block without excess blob gas (EIP-4844). It is a variable because
// most blocks have this fee and computing it takes long.
var lowestBlobFee = big.NewInt(params.BlobTxMinBlobGasprice)

// BlockContext returns the EVM's view of the block with header h, which may be a block, an orphan or a draft on this
// chain. The returned value shares the numbers of h, so the caller must not modify them.
func (c *Chain) BlockContext(h *types.Header) vm.BlockContext {
	block := vm.BlockContext{
		CanTransfer:      core.CanTransfer,
		Transfer:         core.Transfer,
		GetHash:          c.HashFunc(h),
		Coinbase:         h.Coinbase,
		GasLimit:         h.GasLimit,
		BlockNumber:      h.Number,
		Time:             h.Time,
		Difficulty:       h.Difficulty,
		BaseFee:          h.BaseFee,
		CostPerStateByte: cmp.Or(c.stateByteGas, params.CostPerStateByte),
	}
	if h.SlotNumber != nil {
		block.SlotNum = *h.SlotNumber
	}
	switch {
	case h.ExcessBlobGas == nil:
	case *h.ExcessBlobGas == 0:
		block.BlobBaseFee = lowestBlobFee
	default:
		block.BlobBaseFee = eip4844.CalcBlobFee(c.config, h)
	}
	if h.Difficulty.Sign() == 0 {
		// Without it the EVM applies the rules of proof of work, whatever the fork.
		random := h.MixDigest
		block.Random = &random
	}
	return block
}

// HashFunc returns the function that resolves BLOCKHASH for the block with header h. It looks at the branch of h's
// parent and returns the zero hash for blocks that are not below h. The EVM itself limits how far back a contract can
// look.
func (c *Chain) HashFunc(h *types.Header) vm.GetHashFunc {
	parent := h.ParentHash
	return func(n uint64) common.Hash {
		for b, canonical := c.BlockByHash(parent); b != nil; b, canonical = c.BlockByHash(b.parent) {
			switch {
			case b.Number() == n:
				return b.hash
			case b.Number() < n:
				return common.Hash{}
			case n < c.base:
				return common.Hash{} // of a fork: the Machine asks the State's Source
			case canonical:
				return c.BlockByNumber(n).hash
			}
		}
		return common.Hash{}
	}
}

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
