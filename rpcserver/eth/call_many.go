package eth

import (
	"cmp"
	"errors"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/explain"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// bundles are lists of calls; those of a list run in one block.
type bundles []struct {
	Transactions  []simulatedCall     `json:"transactions"`
	BlockOverride *api.BlockOverrides `json:"blockOverride"`
}

func (bundles) Wanted() string { return "an array of {transactions, blockOverride?}" }

// stateContext names the block that bundles run on.
type stateContext struct {
	BlockNumber api.BlockTag `json:"blockNumber"` // a hash, too; absent: latest
	// TransactionIndex makes the calls run before that transaction of the block; absent or -1: after all.
	TransactionIndex *int `json:"transactionIndex"`
}

func (stateContext) Wanted() string { return "{blockNumber?, transactionIndex?}" }

type outcome struct {
	Value *hexutil.Bytes `json:"value,omitempty"`
	Error string         `json:"error,omitempty"`
}

// CallMany returns the method eth_callMany: what each call of the bundles returns after those before it. most is the
// highest number of bundles, and of calls in all of them, 0: that of a simulation; describe returns the text of a
// failed call.
func CallMany(most int, describe func(failure error) string) jsonrpc.Method[*api.Request] {
	most = cmp.Or(most, simulate.MaxCalls)
	return jsonrpc.Params3(func(r *api.Request, list bundles, at *stateContext, state *api.StateOverrides) (any, error) {
		defer r.Caller.MayTakeLong()()
		if err := r.TakeTurn(); err != nil {
			return nil, err
		}
		defer r.EndTurn()
		accounts, err := state.Overrides(&r.Network.Behaviour)
		if err != nil {
			return nil, err
		}
		blocks, calls := make([]simulate.Block, len(list)), 0
		for i, bundle := range list {
			calls += len(bundle.Transactions)
			if blocks[i].Overrides, err = bundle.BlockOverride.Overrides(&r.Network.Behaviour); err != nil {
				return nil, err
			}
			for j := range bundle.Transactions {
				blocks[i].Calls = append(blocks[i].Calls, (*api.CallObject)(&bundle.Transactions[j]).Call())
			}
		}
		switch {
		case len(list) == 0:
			return nil, api.InvalidParams("bundles are empty.")
		case max(len(list), calls) > most:
			return nil, api.InvalidParams("%d bundles with %d calls are too many for %s: the limit of both is %d", len(list), calls, r.Method, most)
		case at == nil:
			at = new(stateContext)
		}
		var before *hexutil.Uint
		if index := at.TransactionIndex; index != nil && *index != -1 {
			before = new(hexutil.Uint(*index))
		}
		v, err := explain.CallView(r, at.BlockNumber, before)
		if err != nil {
			return nil, err
		}
		results, err := simulate.RunBundles(r.Ctx, v, blocks, accounts, r.CallLimits())
		if _, large := errors.AsType[*simulate.SizeError](err); large {
			return nil, answerTooLarge(r)
		}
		outcomes := make([][]outcome, len(results))
		for i := range results {
			outcomes[i] = make([]outcome, len(results[i]))
			for j, result := range results[i] {
				if result.Err != nil {
					outcomes[i][j].Error = describe(result.Err)
				} else {
					outcomes[i][j].Value = (*hexutil.Bytes)(&result.ReturnData)
				}
			}
		}
		return outcomes, api.Refused(err)
	}, "bundles", "context", "state overrides")
}
