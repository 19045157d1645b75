package rpcserver

import (
	"maps"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// mostGas returns how much gas a transaction of the next block can have.
func mostGas(m *preconf.Moment) uint64 {
	next := m.Pending().Header()
	if rules := m.Chain().Config().Rules(next.Number, true, next.Time); rules.IsOsaka {
		return min(next.GasLimit, params.MaxTxGas)
	}
	return next.GasLimit
}

// unchecked returns a call and its overrides such that what the call costs cannot be too much for its sender, nor its
// fees too low.
func unchecked(r *api.Request, v chain.View, call simulate.Call, so simulate.StateOverrides) (simulate.Call, simulate.StateOverrides, error) {
	price := call.GasPrice
	if price == nil {
		price = call.MaxFeePerGas
	}
	if base := v.Header.BaseFee; price == nil || base != nil && price.Cmp(base) < 0 {
		call.GasPrice, call.MaxFeePerGas, call.MaxPriorityFeePerGas, price = nil, nil, nil, nil
	}
	if call.Value == nil && price == nil {
		return call, so, nil
	}
	if call.From == nil {
		call.From = new(common.Address)
	}
	if err := r.Load(*call.From); err != nil {
		return call, so, err
	}
	cost := new(big.Int)
	if price != nil {
		cost.Mul(price, new(big.Int).SetUint64(r.CallLimits().GasCap))
	}
	if call.Value != nil {
		cost.Add(cost, call.Value.ToBig())
	}
	need, overflow := uint256.FromBig(cost)
	account := so[*call.From]
	balance := account.Balance
	if balance == nil {
		balance = v.State.Balance(*call.From)
	}
	if overflow || !balance.Lt(need) {
		return call, so, nil
	}
	lent := simulate.StateOverrides{}
	maps.Copy(lent, so)
	account.Balance = need
	lent[*call.From] = account
	return call, lent, nil
}
