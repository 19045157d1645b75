package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// replay executes a block again, transaction by transaction.
type replay struct {
	chain *chain.Chain
	block Executed
	state *evmstate.State // before the next transaction
}

// newReplay returns a replay of b that starts from the parent's state and has made the block's system calls.
func newReplay(ctx context.Context, c *chain.Chain, b Executed) (*replay, error) {
	h := b.Header()
	if h.Number.Sign() == 0 {
		return nil, ErrGenesis
	}
	parent, err := c.Parent(h)
	if err != nil {
		return nil, err
	}
	if parent == nil {
		return nil, fmt.Errorf("block %d: %w", h.Number, ErrUnknownParent)
	}
	state, err := c.StateAt(parent)
	if err != nil {
		return nil, err
	}
	r := &replay{chain: c, block: b, state: state}
	m := r.machine(nil)
	defer m.Release()
	if err := m.OpenBlock(func() {
		core.PreExecution(ctx, h.ParentBeaconRoot, parent.Header(), c.Config(), m.EVM(), h.Number, h.Time)
	}); err != nil {
		return nil, err
	}
	r.state = m.State()
	return r, nil
}

// machine returns a machine for the next transaction. As in go-ethereum it accepts transactions below the base fee,
// which a test may have made the node include.
func (r *replay) machine(hooks *tracing.Hooks) *evmstate.Machine {
	return r.chain.Machine(r.state, r.chain.BlockContext(r.block.Header()), vm.Config{Tracer: hooks, NoBaseFee: true})
}

// execution returns the transaction at index, ready for execution on the current state.
func (r *replay) execution(index int) (*execution, error) {
	tx := r.block.Transaction(index)
	x := &execution{
		about: About{
			BlockHash:   r.block.Hash(),
			BlockNumber: r.block.Header().Number,
			TxIndex:     index,
			TxHash:      tx.Hash(),
		},
		config: r.chain.TracerConfig(),
		tx:     evmstate.Signed(tx),
	}
	x.machine = func(hooks *tracing.Hooks) *evmstate.Machine {
		m := r.machine(hooks)
		m.SetLogIndex(r.firstLog(index))
		return m
	}
	if included := optimism.IncludedOf(tx); included != nil {
		x.deposit, x.tx = included.Deposit(), types.NewTx(&types.LegacyTx{
			Nonce: included.Nonce(), GasPrice: new(big.Int), Gas: included.Gas(), To: included.To(), Value: included.Value(), Data: included.Data(),
		})
		x.msg = x.deposit.Message(included.Nonce())
		return x, nil
	}
	if _, last := tx.(*optimism.PostExec); last {
		x.idle, x.tx = true, types.NewTx(&types.LegacyTx{GasPrice: new(big.Int), To: tx.To(), Data: tx.Data()})
		x.msg = &core.Message{To: tx.To(), Data: tx.Data(), Value: new(uint256.Int), GasPrice: new(uint256.Int)}
		return x, nil
	}
	if x.tx == nil {
		return nil, fmt.Errorf("transaction %d: %w: the fork knows its effects, not how to execute it", index, core.ErrTxTypeNotSupported)
	}
	msg, err := core.TransactionToMessage(x.tx, sentBy{from: r.block.Sender(index)}, r.block.Header().BaseFee)
	if err != nil {
		return nil, fmt.Errorf("transaction %d: %w", index, err)
	}
	// The block holds the transaction already: the chain's limit may have changed (chain.TxGasLimit), or an impersonated
	// contract may be the sender.
	x.msg = r.chain.TxGasLimit.Lift(msg).SkipGasLimitCapCheck().SkipEOACheck()
	x.levy, err = r.levy(x.tx)
	return x, err
}

// firstLog returns the index in the block of the first log of the transaction at index.
func (r *replay) firstLog(index int) uint {
	var n uint
	for _, receipt := range r.block.Receipts()[:index] {
		n += uint(len(receipt.Logs))
	}
	return n
}

// levy returns the Levy for the sender of a transaction, or nil if there is none. The block of an OP-stack chain begins
// with a deposit.
func (r *replay) levy(tx *types.Transaction) (evmstate.Levy, error) {
	first := r.block.Transaction(0)
	if optimism.IncludedOf(first) == nil {
		return r.chain.Levy(), nil
	}
	l1, _, err := optimism.ReadL1(first)
	if err != nil {
		return nil, err
	}
	size, err := optimism.SizeOf(tx)
	return r.chain.Optimism.NewLevy(l1.Fees, size), err
}

// sentBy is a signer that knows the sender, because blocks may hold unsigned transactions of impersonated accounts.
type sentBy struct {
	types.Signer
	from common.Address
}

func (s sentBy) Sender(*types.Transaction) (common.Address, error) { return s.from, nil }

// Equal returns false, which keeps other signers from taking over the sender.
func (s sentBy) Equal(types.Signer) bool { return false }

// skip executes the transactions from first to the one before end.
func (r *replay) skip(ctx context.Context, first, end int) error {
	m := r.machine(nil)
	defer m.Release()
	for i := first; i < end; i++ {
		x, err := r.execution(i)
		if err != nil {
			return err
		}
		m.SetTxContext(x.about.TxHash, i)
		if _, _, err := x.apply(ctx, m); err != nil {
			return fmt.Errorf("transaction %d: %w", i, err)
		}
	}
	r.state = m.State()
	return nil
}

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

// Transaction traces the transaction at index of a block. The chain c must have the block's parent. The error is
// ErrGenesis, ErrUnknownParent, one that names an index that the block does not have, a *chain.PrunedError if the
// parent's state is no longer kept, on a fork a *remote.Error, ErrTimeout, ErrScripts, a *SizeError, or the tracer's
// own.
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
	r, err := before(ctx, c, b, index, 0)
	if err != nil {
		return nil, err
	}
	return r.execution(index)
}

// before returns a replay of b up to the transaction at index. A block without transactions counts as one of least.
func before(ctx context.Context, c *chain.Chain, b Executed, index, least int) (*replay, error) {
	if err := b.Load(); err != nil {
		return nil, err
	}
	if n := b.Count(); index < 0 || index >= max(n, least) {
		return nil, fmt.Errorf("transaction index %d out of range: the block has %d transactions", index, n)
	}
	r, err := newReplay(ctx, c, b)
	if err != nil {
		return nil, err
	}
	return r, r.skip(ctx, 0, index)
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
		case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)), errors.Is(err, ErrScripts):
			return nil, err
		case errors.As(err, &tooLarge) && tooLarge.Limit < MaxSize:
			return nil, &SizeError{Limit: limit}
		default:
			results[i].Error = err.Error()
			if err := r.skip(ctx, i, i+1); err != nil {
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
	r, err := before(ctx, c, b, index, 1)
	if err != nil {
		return chain.View{}, err
	}
	return chain.View{Chain: c, Header: b.Header(), State: r.state}, nil
}
