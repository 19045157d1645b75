package optimism

import (
	"fmt"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

// Levy takes the L1 fee and the operator fee from the sender of one transaction, and gives them and the base fee to
// their vaults. It implements evmstate.Levy.
type Levy struct {
	fees  Fees
	l1Fee *uint256.Int
}

// NewLevy returns the levy on a transaction of that FastLZ size.
func NewLevy(fees Fees, compressed uint64) *Levy {
	return &Levy{fees: fees, l1Fee: fees.L1Fee(compressed)}
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

// Settle gives back the operator fee of the gas that was not used, and fills the vaults.
func (l *Levy) Settle(o *evmstate.Overlay, msg *core.Message, gasUsed uint64, baseFee *uint256.Int) {
	operator := l.fees.OperatorFee(gasUsed)
	unused := l.fees.OperatorFee(msg.GasLimit)
	o.AddBalance(msg.From, unused.Sub(unused, operator), tracing.BalanceIncreaseGasReturn)
	burnt := uint256.NewInt(gasUsed)
	o.AddBalance(BaseFeeVault, burnt.Mul(burnt, baseFee), tracing.BalanceIncreaseRewardTransactionFee)
	o.AddBalance(L1FeeVault, l.l1Fee, tracing.BalanceIncreaseRewardTransactionFee)
	o.AddBalance(OperatorFeeVault, operator, tracing.BalanceIncreaseRewardTransactionFee)
}
