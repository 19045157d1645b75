package trace

import (
	"context"
	"errors"

	"github.com/ethereum/go-ethereum/core/vm"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// Failure executes the transaction at index of a block again and returns why it failed: an *evmstate.RevertError, or an
// error of go-ethereum's vm package. A nil failure means that the transaction succeeded. The errors are Transaction's,
// without a tracer's.
func Failure(ctx context.Context, c *chain.Chain, b Executed, index int) (failure, err error) {
	v, err := ViewBefore(ctx, c, b, index)
	if err != nil {
		return nil, err
	}
	r := &replay{chain: c, block: b, state: v.State}
	x, err := r.execution(index)
	if err != nil {
		return nil, err
	}
	m := x.machine(nil)
	defer m.Release()
	m.SetTxContext(x.about.TxHash, index)
	result, _, err := x.apply(ctx, m)
	if err != nil {
		return nil, err
	}
	if errors.Is(result.Err, vm.ErrExecutionReverted) {
		return c.Reverted(result.Revert()), nil
	}
	return result.Err, nil
}
