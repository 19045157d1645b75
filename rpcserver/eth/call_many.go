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
	BlockNumber api.BlockTag `json:"blockNumber" wanted:"{blockNumber?, transactionIndex?}"` // a hash, too; absent: latest
	// TransactionIndex makes the calls run before that transaction of the block; absent or -1: after all.
	TransactionIndex *int `json:"transactionIndex"`
}

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
			blocks[i].Calls = callsOf(bundle.Transactions)
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
		outcomes := api.Each(results, func(results []simulate.CallResult) []outcome {
			return api.Each(results, func(result simulate.CallResult) outcome {
				if result.Err != nil {
					return outcome{Error: describe(result.Err)}
				}
				return outcome{Value: (*hexutil.Bytes)(&result.ReturnData)}
			})
		})
		return outcomes, api.Refused(err)
	}, "bundles", "context", "state overrides").Within(explain.Begin)
}
