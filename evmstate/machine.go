package evmstate

import (
	"context"
	"fmt"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
)

// Machine runs messages on a State within one block context. Not safe for
// concurrent use.
type Machine struct {
	overlay Overlay
	evm     *vm.EVM
}

var machines = sync.Pool{New: func() any { return new(Machine) }}

// NewMachine returns a Machine that starts from base, which it does not change.
// The hooks of cfg.Tracer are called for state changes too; OnTxStart and OnTxEnd
// are left to the caller. Release it when done.
func NewMachine(base *State, block vm.BlockContext, config *params.ChainConfig, cfg vm.Config) *Machine {
	m := machines.Get().(*Machine)
	m.overlay.base, m.overlay.hooks = base, cfg.Tracer
	m.evm = vm.NewEVM(block, &m.overlay, config, cfg)
	m.evm.SetJumpDestCache(sharedJumpDests)
	return m
}

// EVM returns the EVM, which runs on the Overlay, for system calls and tracers.
func (m *Machine) EVM() *vm.EVM { return m.evm }

// Overlay returns the state that the EVM works on. Who writes to it other than
// through Apply must call Finalise after.
func (m *Machine) Overlay() *Overlay { return &m.overlay }

// SetTxContext names the transaction that the logs of the next Apply belong to.
func (m *Machine) SetTxContext(hash common.Hash, index int) {
	m.overlay.SetTxContext(hash, index, 0)
}

// SetLogIndex sets the Index of the next log, for a Machine that begins in the
// middle of a block. Without it logs are counted from 0.
func (m *Machine) SetLogIndex(index uint) { m.overlay.logSize = index }

// Apply runs one message and finalises it. gp is the gas left in the block, nil
// for no limit.
//
// The logs are the message's own, new for this call: their BlockHash is zero, and
// Index runs over all messages of the Machine, from 0. An error means that the
// message is invalid (core.Err…) or that ctx ended (it wraps ctx.Err()): neither
// the State nor gp changed. After ctx ended the Machine can only be released.
func (m *Machine) Apply(ctx context.Context, msg *core.Message, gp *core.GasPool) (*core.ExecutionResult, []*types.Log, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, fmt.Errorf("execution aborted: %w", err)
	}
	m.overlay.begin()
	var before core.GasPool
	if gp != nil {
		before = *gp
	}
	result, err := m.run(ctx, msg, gp)
	if err != nil {
		m.overlay.discard()
		m.overlay.dropLogs()
		if gp != nil {
			*gp = before
		}
		return nil, nil, err
	}
	m.overlay.Finalise(m.evm.GetRules())
	logs := m.overlay.logs
	for _, log := range logs {
		log.BlockNumber, log.BlockTimestamp = m.evm.Context.BlockNumber.Uint64(), m.evm.Context.Time
	}
	return result, logs, nil
}

func (m *Machine) run(ctx context.Context, msg *core.Message, gp *core.GasPool) (*core.ExecutionResult, error) {
	if ctx.Done() == nil {
		return core.ApplyMessage(m.evm, msg, gp)
	}
	stop := context.AfterFunc(ctx, m.evm.Cancel)
	result, err := core.ApplyMessage(m.evm, msg, gp)
	if !stop() {
		// The EVM ends a cancelled run as if it had succeeded.
		return nil, fmt.Errorf("execution aborted: %w", ctx.Err())
	}
	return result, err
}

// State returns the base with every message applied so far. It is not committed.
func (m *Machine) State() *State { return m.overlay.State() }

// Commit is State, committed; the Machine goes on from there. Receipts before
// Byzantium need its root after each transaction.
func (m *Machine) Commit() *State {
	m.overlay.base = m.overlay.State().Commit()
	return m.overlay.base
}

// Release ends the use of the Machine, its EVM and its Overlay. What they handed
// out stays valid.
func (m *Machine) Release() {
	m.evm.Release()
	m.evm = nil
	m.overlay.release()
	machines.Put(m)
}
