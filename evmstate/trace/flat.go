package trace

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// Flat describes the execution of a transaction or call, in the form of OpenEthereum's trace module.
type Flat struct {
	// TxHash is zero for a call.
	TxHash common.Hash
	// Frames begins with the transaction's own frame; each frame precedes the frames of its calls.
	Frames []Frame
	// StateDiff is nil unless it was asked for.
	StateDiff StateDiff
}

// FlatConfig chooses the parts of a Flat besides its frames, and sets limits.
type FlatConfig struct {
	StateDiff bool
	// MaxResult limits the JSON to about that many bytes, for several messages all of it together. 0 means MaxSize, which
	// is the most.
	MaxResult int
	// GasCap is the gas that a traced call may use; 0 means the default of package simulate.
	GasCap uint64
}

// flat executes the message and returns its Flat and the state after it. It adds the size of the Flat to used, the
// bytes of those before it.
func (x *execution) flat(ctx context.Context, f FlatConfig, used *int) (Flat, *evmstate.State, error) {
	recorder, limit := new(frameRecorder), within(f.MaxResult, 0)
	traced, err := x.run(ctx, &Config{recorder: recorder, MaxResult: limit - *used})
	if errors.As(err, new(*SizeError)) {
		err = &SizeError{Limit: limit}
	}
	if err != nil {
		return Flat{}, nil, err
	}
	flat := Flat{TxHash: x.about.TxHash, Frames: recorder.frames}
	*used += recorder.budget.used
	if f.StateDiff {
		flat.StateDiff = newStateDiff(traced.before, traced.after)
		*used += flat.StateDiff.size()
	}
	if *used >= limit {
		return Flat{}, nil, &SizeError{Limit: limit}
	}
	return flat, traced.after, nil
}

// FlatTransaction traces the transaction at index of a block like Transaction, with the same errors.
func FlatTransaction(ctx context.Context, c *chain.Chain, b Executed, index int, cfg FlatConfig) (Flat, error) {
	x, err := transaction(ctx, c, b, index)
	if err != nil {
		return Flat{}, err
	}
	flat, _, err := x.flat(ctx, cfg, new(int))
	return flat, err
}

// FlatBlock traces all transactions of a block. Its errors are Block's, or the first one of a transaction that cannot
// be traced. The genesis block has no transactions and thus no traces.
func FlatBlock(ctx context.Context, c *chain.Chain, b Executed, cfg FlatConfig) ([]Flat, error) {
	if err := b.Load(); err != nil {
		return nil, err
	}
	if b.Count() == 0 {
		return nil, nil
	}
	r, err := newReplay(ctx, c, b)
	if err != nil {
		return nil, err
	}
	flats, used := make([]Flat, b.Count()), 0
	for i := range flats {
		x, err := r.execution(i)
		if err != nil {
			return nil, err
		}
		if flats[i], r.state, err = x.flat(ctx, cfg, &used); err != nil {
			return nil, fmt.Errorf("transaction %s: %w", x.about.TxHash, err)
		}
	}
	return flats, nil
}

// FlatCalls traces calls one after another on any View: each sees the changes of those before it. cfg has one entry for
// each call. Its errors are Call's.
func FlatCalls(ctx context.Context, v chain.View, calls []simulate.Call, cfg []FlatConfig) ([]Flat, error) {
	flats, used := make([]Flat, len(calls)), 0
	for i, call := range calls {
		x, err := callExecution(v, call, nil, nil, cfg[i].GasCap)
		if err != nil {
			return nil, err
		}
		if flats[i], v.State, err = x.flat(ctx, cfg[i], &used); err != nil {
			return nil, err
		}
	}
	return flats, nil
}
