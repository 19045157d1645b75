package trace

import (
	"context"
	"fmt"
	"math/big"

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

// replay executes a block again, transaction by transaction. Indices count deposits.
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
	x := &execution{
		about: tracers.Context{
			BlockHash:   r.block.Hash(),
			BlockNumber: r.block.Header().Number,
			TxIndex:     index,
			TxHash:      hashOf(r.block, index),
		},
		config: r.chain.Config(),
	}
	d, signed := at(r.block, index)
	var levy evmstate.Levy
	if d != nil {
		x.deposit, x.msg, x.tx = d.Deposit, d.Message(d.Nonce), standIn(d)
	} else {
		x.tx = r.block.Transaction(signed)
		var err error
		if x.msg, err = r.message(signed); err != nil {
			return nil, err
		}
		if levy, err = r.levy(x.tx); err != nil {
			return nil, err
		}
	}
	x.machine = func(hooks *tracing.Hooks) *evmstate.Machine {
		m := r.machine(hooks)
		m.SetLogIndex(r.firstLog(index))
		m.SetLevy(levy)
		return m
	}
	return x, nil
}

// standIn returns the transaction that a tracer sees in place of a deposit, which go-ethereum's type cannot hold.
func standIn(d *optimism.Included) *types.Transaction {
	return types.NewTx(&types.LegacyTx{Nonce: d.Nonce, GasPrice: new(big.Int), Gas: d.Gas, To: d.To, Value: d.Value, Data: d.Data})
}

// firstLog returns the index in the block of the first log of the transaction at index.
func (r *replay) firstLog(index int) uint {
	var n uint
	deposits := r.block.Deposits()
	for _, d := range deposits[:min(index, len(deposits))] {
		n += uint(len(d.Receipt.Logs))
	}
	for _, receipt := range r.block.Receipts()[:max(index-len(deposits), 0)] {
		n += uint(len(receipt.Logs))
	}
	return n
}

// levy returns what the sender of a transaction is charged besides gas, or nil unless the chain is an OP-stack one.
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

// message returns a signed transaction, by its index among them, as the EVM executes it.
func (r *replay) message(signed int) (*core.Message, error) {
	tx := r.block.Transaction(signed)
	if b := sealedOf(r.block); b != nil && b.Remote() != nil && b.Remote().Transactions[signed].Transaction == nil {
		return nil, fmt.Errorf("transaction %d: %w: the fork knows its effects, not how to execute it", signed, core.ErrTxTypeNotSupported)
	}
	msg, err := core.TransactionToMessage(tx, sentBy{from: r.block.Sender(signed)}, r.block.Header().BaseFee)
	if err != nil {
		return nil, fmt.Errorf("transaction %d: %w", signed, err)
	}
	return msg.SkipGasLimitCapCheck(), nil // the chain's limit may be another: chain.TxGasLimit
}

// sealedOf returns the sealed block behind an Executed one, or nil if it is pre-confirmed.
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
	m.SetTxContext(hashOf(r.block, index), index)
	d, signed := at(r.block, index)
	if d != nil {
		_, _, err := d.Apply(ctx, m, nil)
		return err
	}
	msg, err := r.message(signed)
	if err != nil {
		return err
	}
	levy, err := r.levy(r.block.Transaction(signed))
	if err != nil {
		return err
	}
	m.SetLevy(levy)
	if _, _, err := m.Apply(ctx, msg, nil); err != nil {
		return fmt.Errorf("transaction %d: %w", index, err)
	}
	return nil
}
