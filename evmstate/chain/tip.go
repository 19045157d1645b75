package chain

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
)

// leastTip is the tip in wei that nodes of OP-stack chains propose at least.
const leastTip = params.GWei / 1000

// SuggestedTip returns the tip in wei to propose for a transaction, the caller's to change. By Ethereum's rules it is
// Options.Tip, which makes transactions repeatable: any tip suffices. By those of an OP-stack chain it is leastTip, or,
// if the newest block had no place for another transaction as large as its largest, a tenth more than the median of the
// tips in that block, as nodes there propose.
func (c *Chain) SuggestedTip() *big.Int {
	if c.Optimism == nil {
		return new(big.Int).SetUint64(cmp.Or(c.Tip, params.GWei))
	}
	head := c.Head()
	header, receipts, largest := head.Header(), head.Receipts(), uint64(0)
	for _, receipt := range receipts {
		largest = max(largest, receipt.GasUsed)
	}
	tip := big.NewInt(leastTip)
	if header.GasUsed+largest <= header.GasLimit {
		return tip
	}
	tips := make([]*big.Int, len(receipts))
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
