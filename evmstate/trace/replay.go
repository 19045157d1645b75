package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/eth/tracers"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
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
	Hash() common.Hash
	Header() *types.Header
	Transactions() types.Transactions
	Receipts() types.Receipts
	Deposits() []optimism.Included // executed before the transactions; none unless the chain is an OP-stack one
	Sender(i int) common.Address
}

// Transaction traces the transaction at index of a block. The chain c must have the block's parent. The error is
// ErrGenesis, ErrUnknownParent, an *IndexError, a *chain.PrunedError if the parent's state is no longer kept,
// ErrTimeout, ErrScripts, a *SizeError, or the tracer's own.
func Transaction(ctx context.Context, c *chain.Chain, b Executed, index int, cfg Config) (json.RawMessage, error) {
	if n := len(b.Transactions()); index < 0 || index >= n {
		return nil, &IndexError{Index: index, Transactions: n}
	}
	r, err := newReplay(ctx, c, b)
	if err != nil {
		return nil, err
	}
	if err := r.skip(ctx, index); err != nil {
		return nil, err
	}
	x, err := r.execution(index)
	if err != nil {
		return nil, err
	}
	traced, _, err := x.run(ctx, &cfg)
	return traced, err
}

// Block traces all transactions of a block in order. The chain c must have the block's parent. The error is ErrGenesis,
// ErrUnknownParent, a *chain.PrunedError if the parent's state is no longer kept, the tracer's own if it cannot be
// created, ErrTimeout if that takes too long, ErrScripts, a *SizeError, or the context's. If a single transaction
// cannot be traced, its result holds the error.
func Block(ctx context.Context, c *chain.Chain, b Executed, cfg Config) ([]TxResult, error) {
	r, err := newReplay(ctx, c, b)
	if err != nil {
		return nil, err
	}
	if err := r.checkTracer(ctx, &cfg); err != nil {
		return nil, err
	}
	results := make([]TxResult, len(b.Transactions()))
	limit, size := cfg.MaxResult, 0
	for i, tx := range b.Transactions() {
		results[i].TxHash = tx.Hash()
		x, err := r.execution(i)
		if err != nil {
			return nil, err
		}
		traced, after, err := x.run(ctx, &cfg)
		switch {
		case err == nil:
			results[i].Result, r.state = traced, after
		case ended(ctx, err), errors.Is(err, ErrScripts):
			return nil, err
		case errors.As(err, new(*SizeError)):
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
	_, err := supervise(ctx, cfg, func() (*tracers.Tracer, error) {
		return cfg.tracer(&tracers.Context{BlockNumber: r.block.Header().Number}, r.chain.Config())
	})
	return err
}

// ViewBefore returns the block as it was just before the transaction at index, for calls in the middle of a block.
// index may be 0 in a block without transactions. The errors are those of Transaction.
func ViewBefore(ctx context.Context, c *chain.Chain, b Executed, index int) (chain.View, error) {
	if n := len(b.Transactions()); index < 0 || index >= max(n, 1) {
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

// replay executes a block again, transaction by transaction.
type replay struct {
	chain *chain.Chain
	block Executed
	state *evmstate.State // before the next transaction
}

// newReplay returns a replay of b that starts from the parent's state and has made the block's system calls and
// executed its deposits.
func newReplay(ctx context.Context, c *chain.Chain, b Executed) (*replay, error) {
	h := b.Header()
	if h.Number.Sign() == 0 {
		return nil, ErrGenesis
	}
	parent, err := parentOf(c, h)
	if err != nil {
		return nil, err
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
	pool := core.NewGasPool(h.GasLimit)
	for i, d := range b.Deposits() {
		if _, err := d.Execute(m, i, pool); err != nil {
			return nil, err
		}
	}
	r.state = m.State()
	return r, nil
}

// parentOf returns the parent of the block with header h, which on a fork may be a block of the remote chain.
func parentOf(c *chain.Chain, h *types.Header) (*chain.Block, error) {
	if parent, _ := c.BlockByHash(h.ParentHash); parent != nil {
		return parent, nil
	}
	if n := h.Number.Uint64(); c.Fork() != nil && n <= c.Base() {
		return c.Ancestor(n - 1)
	}
	return nil, fmt.Errorf("block %d: %w", h.Number, ErrUnknownParent)
}

// machine returns a machine for the next transaction. As in go-ethereum it accepts transactions below the base fee,
// which a test may have made the node include.
func (r *replay) machine(hooks *tracing.Hooks) *evmstate.Machine {
	return r.chain.Machine(r.state, r.chain.BlockContext(r.block.Header()), vm.Config{Tracer: hooks, NoBaseFee: true})
}

// execution returns the transaction at index, ready for tracing on the current state.
func (r *replay) execution(index int) (*execution, error) {
	msg, err := r.message(index)
	if err != nil {
		return nil, err
	}
	tx := r.block.Transactions()[index]
	levy, err := r.levy(tx)
	if err != nil {
		return nil, err
	}
	return &execution{
		about: tracers.Context{
			BlockHash:   r.block.Hash(),
			BlockNumber: r.block.Header().Number,
			TxIndex:     r.position(index),
			TxHash:      tx.Hash(),
		},
		tx:     tx,
		msg:    msg,
		config: r.chain.Config(),
		machine: func(hooks *tracing.Hooks) *evmstate.Machine {
			m := r.machine(hooks)
			m.SetLogIndex(r.firstLog(index))
			m.SetLevy(levy)
			return m
		},
	}, nil
}

// firstLog returns the index in the block of the first log of the transaction at index.
func (r *replay) firstLog(index int) uint {
	var n uint
	for _, d := range r.block.Deposits() {
		n += uint(len(d.Receipt.Logs))
	}
	for _, receipt := range r.block.Receipts()[:index] {
		n += uint(len(receipt.Logs))
	}
	return n
}

// position returns where the transaction at index is in the block, deposits counted.
func (r *replay) position(index int) int { return len(r.block.Deposits()) + index }

// levy returns what is taken from the sender of a transaction beside gas, nil unless the chain is an OP-stack one.
func (r *replay) levy(tx *types.Transaction) (evmstate.Levy, error) {
	deposits := r.block.Deposits()
	if len(deposits) == 0 {
		return nil, nil
	}
	l1, _, err := optimism.ReadAttributes(deposits[0].Deposit)
	if err != nil {
		return nil, err
	}
	size, err := optimism.SizeOf(tx)
	return optimism.NewLevy(l1.Fees, size), err
}

// message returns the transaction at index as the EVM executes it.
func (r *replay) message(index int) (*core.Message, error) {
	tx := r.block.Transactions()[index]
	if b := sealedOf(r.block); b != nil && b.Remote() != nil && b.Remote().Transactions[index].Transaction == nil {
		return nil, fmt.Errorf("transaction %d: %w: the fork knows its effects, not how to execute it", index, core.ErrTxTypeNotSupported)
	}
	msg, err := core.TransactionToMessage(tx, sentBy{from: r.block.Sender(index)}, r.block.Header().BaseFee)
	if err != nil {
		return nil, fmt.Errorf("transaction %d: %w", index, err)
	}
	return msg, nil
}

// sealedOf returns the sealed block behind an Executed one, nil if it is pre-confirmed.
func sealedOf(b Executed) *chain.Block {
	switch b := b.(type) {
	case *chain.Block:
		return b
	case interface{ Block() *chain.Block }:
		return b.Block()
	}
	return nil
}

// sentBy is a signer that knows the sender, because blocks may hold unsigned transactions of impersonated accounts.
type sentBy struct {
	types.Signer
	from common.Address
}

func (s sentBy) Sender(*types.Transaction) (common.Address, error) { return s.from, nil }

// Equal returns false, which keeps other signers from taking over the sender.
func (s sentBy) Equal(types.Signer) bool { return false }

// skip executes the transactions below index without a tracer.
func (r *replay) skip(ctx context.Context, index int) error {
	m := r.machine(nil)
	defer m.Release()
	for i := range index {
		if err := r.apply(ctx, m, i); err != nil {
			return err
		}
	}
	r.state = m.State()
	return nil
}

// step executes one transaction without a tracer.
func (r *replay) step(ctx context.Context, index int) error {
	m := r.machine(nil)
	defer m.Release()
	if err := r.apply(ctx, m, index); err != nil {
		return err
	}
	r.state = m.State()
	return nil
}

func (r *replay) apply(ctx context.Context, m *evmstate.Machine, index int) error {
	msg, err := r.message(index)
	if err != nil {
		return err
	}
	tx := r.block.Transactions()[index]
	levy, err := r.levy(tx)
	if err != nil {
		return err
	}
	m.SetLevy(levy)
	m.SetTxContext(tx.Hash(), r.position(index))
	if _, _, err := m.Apply(ctx, msg, nil); err != nil {
		return fmt.Errorf("transaction %d: %w", index, err)
	}
	return nil
}
