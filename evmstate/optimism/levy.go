package optimism

import (
	"fmt"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

// Levy takes the L1 fee and the operator fee from the sender of one transaction, gives back gas that the sequencer
// refunds, and gives the fees and the base fee to their vaults. It implements evmstate.Levy.
type Levy struct {
	fees   Fees
	l1Fee  *uint256.Int
	refund uint64 // gas
}

// NewLevy returns the levy on a transaction of that FastLZ size. Without rules nothing is refunded.
func (r *Rules) NewLevy(fees Fees, compressed uint64) *Levy {
	l := &Levy{fees: fees, l1Fee: fees.L1Fee(compressed)}
	if r != nil {
		l.refund = r.Upgrade.GasRefund
	}
	return l
}

// SizeOf returns the FastLZ size of a transaction.
func SizeOf(tx *types.Transaction) (uint64, error) {
	encoded, err := tx.MarshalBinary()
	if err != nil {
		return 0, err
	}
	return CompressedSize(encoded), nil
}

// Cost returns the most that the levy takes in wei from the sender of a transaction with that gas limit.
func (l *Levy) Cost(gasLimit uint64) *uint256.Int {
	cost := l.fees.OperatorFee(gasLimit)
	return cost.Add(cost, l.l1Fee)
}

// Charge takes the L1 fee and the operator fee of the gas limit. The error is core.ErrInsufficientFunds.
func (l *Levy) Charge(o *evmstate.Overlay, msg *core.Message) error {
	cost := l.Cost(msg.GasLimit)
	if balance := o.GetBalance(msg.From); balance.Lt(cost) {
		return fmt.Errorf("%w: address %s have %s want %s for the L1 fee and the operator fee", core.ErrInsufficientFunds,
			msg.From, balance, cost)
	}
	o.SubBalance(msg.From, cost, tracing.BalanceDecreaseGasBuy)
	return nil
}

// Settle gives back the operator fee of the gas that was not used and the gas that is refunded, and fills the vaults.
func (l *Levy) Settle(o *evmstate.Overlay, msg *core.Message, gasUsed uint64, block *vm.BlockContext) (refund uint64) {
	refund = min(l.refund, gasUsed)
	gasUsed -= refund
	baseFee := uint256.MustFromBig(block.BaseFee)
	operator := l.fees.OperatorFee(gasUsed)
	unused := l.fees.OperatorFee(msg.GasLimit)
	o.AddBalance(msg.From, unused.Sub(unused, operator), tracing.BalanceIncreaseGasReturn)
	if refund > 0 {
		back := uint256.NewInt(refund)
		o.AddBalance(msg.From, new(uint256.Int).Mul(back, msg.GasPrice), tracing.BalanceIncreaseGasReturn)
		if msg.GasPrice.Gt(baseFee) {
			o.SubBalance(block.Coinbase, back.Mul(back, new(uint256.Int).Sub(msg.GasPrice, baseFee)), tracing.BalanceDecreaseGasBuy)
		}
	}
	burnt := uint256.NewInt(gasUsed)
	o.AddBalance(BaseFeeVault, burnt.Mul(burnt, baseFee), tracing.BalanceIncreaseRewardTransactionFee)
	o.AddBalance(L1FeeVault, l.l1Fee, tracing.BalanceIncreaseRewardTransactionFee)
	o.AddBalance(OperatorFeeVault, operator, tracing.BalanceIncreaseRewardTransactionFee)
	return refund
}
