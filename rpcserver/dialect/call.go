package dialect

import (
	"cmp"
	"maps"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/eth"
)

// mostGas returns the largest gas limit of a transaction of the next block.
func mostGas(m *preconf.Moment) uint64 {
	next := m.Pending().Header()
	if nextRules(m).IsOsaka {
		return min(next.GasLimit, params.MaxTxGas)
	}
	return next.GasLimit
}

// nextRules returns the rules of the next block.
func nextRules(m *preconf.Moment) params.Rules {
	next := m.Pending().Header()
	return m.Chain().Config().Rules(next.Number, true, next.Time)
}

// fromFirst gives a call without a sender the first development account.
func fromFirst(r *api.Request, object *api.CallObject) {
	if accounts := r.Network.Addresses(); object.From == nil && len(accounts) > 0 {
		object.From = &accounts[0]
	}
}

// estimating returns a method that estimates at pending where no block is given, as development nodes do.
func estimating(run eth.Executor) eth.Executor {
	return func(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
		if tag == nil {
			tag = &api.BlockTag{Kind: api.TagPending}
		}
		return run(r, object, tag, state, block)
	}
}

// afford removes fees below the base fee from a call, and lends its sender the most that the call may cost.
func afford(e *eth.Execution) error {
	call := &e.Call
	price := call.GasPrice
	if price == nil {
		price = call.MaxFeePerGas
	}
	base := e.View.Header.BaseFee
	if e.Block != nil && e.Block.BaseFee != nil {
		base = e.Block.BaseFee
	}
	if price == nil || base != nil && price.Cmp(base) < 0 {
		call.GasPrice, call.MaxFeePerGas, call.MaxPriorityFeePerGas, price = nil, nil, nil, nil
	}
	if call.Value == nil && price == nil {
		return nil
	}
	if call.From == nil {
		call.From = new(common.Address)
	}
	if err := e.Request.Load(*call.From); err != nil {
		return err
	}
	cost := new(big.Int)
	if gas := e.Request.CallLimits().GasCap; price != nil {
		cost.Mul(price, new(big.Int).SetUint64(min(gas, *cmp.Or(call.Gas, &gas))))
	}
	if call.Value != nil {
		cost.Add(cost, call.Value.ToBig())
	}
	need, overflow := uint256.FromBig(cost)
	account := e.State[*call.From]
	balance := account.Balance
	if balance == nil {
		balance = e.View.State.Balance(*call.From)
	}
	if overflow || !balance.Lt(need) {
		return nil
	}
	lent := simulate.StateOverrides{}
	maps.Copy(lent, e.State)
	account.Balance = need
	lent[*call.From] = account
	e.State = lent
	return nil
}
