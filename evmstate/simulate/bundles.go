package simulate

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// RunBundles executes bundles of calls as eth_callMany does: each call runs as in RunCall, but sees what the calls
// before it changed. The first bundle runs in the block of v. The block overrides of a bundle hold for those after it,
// too, and after each one the block's number and time go up by 1. StateOverrides of a Block are ignored: so holds for
// all bundles. The errors are RunCall's and a *SizeError. All calls share the time of the limits.
func RunBundles(ctx context.Context, v chain.View, bundles []Block, so StateOverrides, l Limits) ([][]CallResult, error) {
	ctx, cancel := l.start(ctx)
	defer cancel()
	e, err := NewEnvironment(ctx, v, so, new(BlockOverrides))
	if err != nil {
		return nil, err
	}
	results, size := make([][]CallResult, len(bundles)), 0
	for i, bundle := range bundles {
		if bundle.Overrides == nil {
			bundle.Overrides = new(BlockOverrides)
		}
		if err := e.override(bundle.Overrides); err != nil {
			return nil, err
		}
		for j := range bundle.Calls {
			result, err := e.run(ctx, &bundle.Calls[j], l.gasCap(), true)
			if err != nil {
				return nil, err
			}
			if size += result.size(); l.MaxResult > 0 && size > l.MaxResult {
				return nil, &SizeError{Limit: l.MaxResult}
			}
			results[i] = append(results[i], *result)
		}
		e.Block.BlockNumber = new(big.Int).Add(e.Block.BlockNumber, common.Big1)
		e.Block.Time++
	}
	return results, nil
}
