package preconf

import (
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf/control"
)

// leastTip is the tip in wei that nodes of OP-stack chains propose at least.
const leastTip = params.GWei / 1000

// SuggestedTip returns the tip in wei to propose for a transaction, the caller's to change. By Ethereum's rules it is
// fixed, which makes transactions repeatable: any tip suffices. By those of an OP-stack chain it is leastTip, or, if
// the newest sealed block had no place for another transaction as large as its largest, a tenth more than the median of
// the tips in that block, as nodes there propose. A course of control.OfTip comes before both.
func (m *Moment) SuggestedTip() *big.Int { return m.suggestedTip() }

func (w *world) suggestedTip() *big.Int {
	if value := w.control.Weather.At(w.nextNumber(), control.OfTip); value != nil {
		return new(big.Int).Set(value)
	}
	if w.chain.Optimism() == nil {
		return big.NewInt(params.GWei)
	}
	head := w.chain.Head()
	header, largest := head.Header(), uint64(0)
	for _, receipt := range head.Receipts() {
		largest = max(largest, receipt.GasUsed)
	}
	tip := big.NewInt(leastTip)
	if header.GasUsed+largest <= header.GasLimit || len(head.Receipts()) == 0 {
		return tip
	}
	tips := make([]*big.Int, len(head.Receipts()))
	for i, tx := range head.Transactions() {
		tips[i] = new(big.Int)
		if signed := evmstate.Signed(tx); signed != nil {
			tips[i] = signed.EffectiveGasTipValue(header.BaseFee)
		}
	}
	slices.SortFunc(tips, (*big.Int).Cmp)
	paid := tips[len(tips)/2]
	paid.Add(paid, new(big.Int).Quo(paid, big.NewInt(10)))
	if paid.Cmp(tip) > 0 {
		return paid
	}
	return tip
}
