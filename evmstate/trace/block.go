package trace

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
)

// TxResult is the trace of one transaction of a block.
type TxResult struct {
	TxHash common.Hash
	// Result is the tracer's JSON, or nil if Error is set.
	Result json.RawMessage
	// Error reports why this transaction has no trace: it took too long, or the tracer failed.
	Error string
}

// Executed is a block whose transactions have been executed: a sealed block (*chain.Block), which may be an orphan, or
// a pre-confirmed one, which has the zero hash. The package does not modify what its methods return.
type Executed interface {
	// Load makes sure that the content of the block can be read. It fails only at or below a fork block, with a
	// *remote.Error.
	Load() error
	Hash() common.Hash
	Header() *types.Header
	Transaction(i int) evmstate.Transaction
	Count() int // of transactions
	Receipts() types.Receipts
	Sender(i int) common.Address
}

// Transaction traces the transaction at index of a block. The chain c must have the block's parent.
// The error is ErrGenesis, ErrUnknownParent, an *IndexError, a *chain.PrunedError if the parent's state is no longer
// kept, on a fork a *remote.Error, ErrTimeout, ErrScripts, a *SizeError, or the tracer's own.
func Transaction(ctx context.Context, c *chain.Chain, b Executed, index int, cfg Config) (json.RawMessage, error) {
	x, err := transaction(ctx, c, b, index)
	if err != nil {
		return nil, err
	}
	traced, err := x.run(ctx, &cfg)
	return traced.result, err
}

// transaction returns the transaction at index of a block, ready for execution on those before it.
func transaction(ctx context.Context, c *chain.Chain, b Executed, index int) (*execution, error) {
	if err := b.Load(); err != nil {
		return nil, err
	}
	if n := b.Count(); index < 0 || index >= n {
		return nil, &IndexError{Index: index, Transactions: n}
	}
	r, err := newReplay(ctx, c, b)
	if err != nil {
		return nil, err
	}
	if err := r.skip(ctx, index); err != nil {
		return nil, err
	}
	return r.execution(index)
}

// Block traces all transactions of a block in order. The chain c must have the block's parent. The error is
// ErrGenesis, ErrUnknownParent, a *chain.PrunedError if the parent's state is no longer kept, on a fork a
// *remote.Error, the tracer's own if it cannot be created, ErrTimeout if that takes too long, ErrScripts, a *SizeError,
// or the context's. If a single transaction cannot be traced, its result holds the error.
func Block(ctx context.Context, c *chain.Chain, b Executed, cfg Config) ([]TxResult, error) {
	if err := b.Load(); err != nil {
		return nil, err
	}
	r, err := newReplay(ctx, c, b)
	if err != nil {
		return nil, err
	}
	if err := r.checkTracer(ctx, &cfg); err != nil {
		return nil, err
	}
	results := make([]TxResult, b.Count())
	limit, size := cfg.MaxResult, 0
	for i := range results {
		results[i].TxHash = b.Transaction(i).Hash()
		x, err := r.execution(i)
		if err != nil {
			return nil, err
		}
		traced, err := x.run(ctx, &cfg)
		var tooLarge *SizeError
		switch {
		case err == nil:
			results[i].Result, r.state = traced.result, traced.after
		case ended(ctx, err), errors.Is(err, ErrScripts):
			return nil, err
		case errors.As(err, &tooLarge) && tooLarge.Limit < MaxSize:
			return nil, &SizeError{Limit: limit}
		default:
			results[i].Error = err.Error()
			if err := r.step(ctx, i); err != nil {
				return nil, err
			}
		}
		if size += len(results[i].Result); limit > 0 {
			if size >= limit {
				return nil, &SizeError{Limit: limit}
			}
			cfg.MaxResult = limit - size
		}
	}
	return results, nil
}

// checkTracer returns an error if the tracer cannot be created, also for a block without transactions.
func (r *replay) checkTracer(ctx context.Context, cfg *Config) error {
	ctx, cancel := context.WithTimeoutCause(ctx, cfg.timeout(), ErrTimeout)
	defer cancel()
	_, err := supervise(ctx, cfg, func(ctx context.Context) (*Tracer, error) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		t, err := cfg.tracer(ctx, &budget{limit: within(cfg.MaxResult, 0), end: cancel}, &About{BlockNumber: r.block.Header().Number}, r.chain.TracerConfig())
		if err != nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return t, err
	})
	return err
}

// ViewBefore returns the block as it was just before the transaction at index, for calls in the middle of a block.
// index may be 0 in a block without transactions. The errors are Transaction's.
func ViewBefore(ctx context.Context, c *chain.Chain, b Executed, index int) (chain.View, error) {
	if err := b.Load(); err != nil {
		return chain.View{}, err
	}
	if n := b.Count(); index < 0 || index >= max(n, 1) {
		return chain.View{}, &IndexError{Index: index, Transactions: n}
	}
	r, err := newReplay(ctx, c, b)
	if err != nil {
		return chain.View{}, err
	}
	if err := r.skip(ctx, index); err != nil {
		return chain.View{}, err
	}
	return chain.View{Chain: c, Header: b.Header(), State: r.state}, nil
}
