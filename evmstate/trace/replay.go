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
		x.deposit, x.tx = included.Deposit(), standIn(included)
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
	x.msg = r.chain.TxGasLimit().Lift(msg).SkipGasLimitCapCheck().SkipEOACheck()
	x.levy, err = r.levy(x.tx)
	return x, err
}

// standIn returns the transaction that a tracer sees in place of a deposit.
func standIn(tx *optimism.Included) *types.Transaction {
	return types.NewTx(&types.LegacyTx{
		Nonce: tx.Nonce(), GasPrice: new(big.Int), Gas: tx.Gas(), To: tx.To(), Value: tx.Value(), Data: tx.Data(),
	})
}

// firstLog returns the index in the block of the first log of the transaction at index.
func (r *replay) firstLog(index int) uint {
	var n uint
	for _, receipt := range r.block.Receipts()[:index] {
		n += uint(len(receipt.Logs))
	}
	return n
}

// levy returns the Levy for the sender of a transaction, or nil unless the block is an OP-stack chain's, which begins
// with a deposit.
func (r *replay) levy(tx *types.Transaction) (evmstate.Levy, error) {
	first := r.block.Transaction(0)
	if optimism.IncludedOf(first) == nil {
		return nil, nil
	}
	l1, _, err := optimism.ReadL1(first)
	if err != nil {
		return nil, err
	}
	size, err := optimism.SizeOf(tx)
	return r.chain.Optimism().NewLevy(l1.Fees, size), err
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
	x, err := r.execution(index)
	if err != nil {
		return err
	}
	m.SetTxContext(x.about.TxHash, index)
	if _, _, err := x.apply(ctx, m); err != nil {
		return fmt.Errorf("transaction %d: %w", index, err)
	}
	return nil
}
