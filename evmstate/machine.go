package evmstate

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
)

// Machine executes messages on a State within one block context. It is not safe for concurrent use.
type Machine struct {
	overlay Overlay
	evm     *vm.EVM
	levy    Levy               // nil: messages pay for gas alone
	ledger  *ledger            // nil: the native coin is no token (SetNativeToken)
	config  params.ChainConfig // the EVM's own

	limit  CodeLimit
	stored uint64 // size of the code that was last to be stored, in bytes; only with a limit
}

// Levy charges the sender of a message for what a chain takes besides gas, such as fees for data on L1.
type Levy interface {
	// Charge takes the levy before the message is executed. With an error the message is invalid.
	Charge(o *Overlay, msg *core.Message) error
	// Settle completes the levy after the message used that much gas, in a block with these values. It returns how much of
	// the gas it has given back to the sender, which the message then has not used; less than 0 for gas that it has
	// charged, too. failure says why it has undone the message, nil if it has not.
	Settle(o *Overlay, msg *core.Message, gasUsed uint64, block *vm.BlockContext) (refund int64, failure error)
}

var machines = sync.Pool{New: func() any { return new(Machine) }}

// NewMachine returns a Machine that starts from base and leaves base unchanged. It calls the hooks of cfg.Tracer for
// execution and for state changes; calling OnTxStart and OnTxEnd is left to the caller. Release must be called when the
// Machine is no longer needed.
func NewMachine(base *State, block vm.BlockContext, config *params.ChainConfig, cfg vm.Config) *Machine {
	m := machines.Get().(*Machine)
	m.overlay.base, m.overlay.hooks = base, cfg.Tracer
	m.config, m.limit = *config, 0
	m.evm = vm.NewEVM(block, &m.overlay, &m.config, cfg)
	m.evm.SetJumpDestCache(sharedJumpDests)
	if base.origin != nil {
		m.overlay.evm = m.evm
		m.evm.Context.GetHash = m.overlay.sourceHash(block.GetHash)
	}
	return m
}

// EVM returns the EVM that runs on the Overlay. It is for system calls and tracers.
func (m *Machine) EVM() *vm.EVM { return m.evm }

// Overlay returns the state that the EVM works on. A caller that writes to it other than through Apply must call
// Finalise afterwards.
func (m *Machine) Overlay() *Overlay { return &m.overlay }

// SetTxContext sets the transaction hash and index of the logs that the next Apply returns, and of its Accesses.
func (m *Machine) SetTxContext(hash common.Hash, index int) {
	m.overlay.SetTxContext(hash, index, uint32(index+1))
}

// SetLogIndex sets the Index of the next log. It is for a Machine that starts in the middle of a block; without it the
// first log has index 0.
func (m *Machine) SetLogIndex(index uint) { m.overlay.logSize = index }

// Touched reports whether the message that Apply executed last called an account or looked at it, even in a reverted
// frame. Call it before State.
func (m *Machine) Touched(account common.Address) bool { return m.overlay.objects.find(account) != nil }

// SetPrecompiles replaces the precompiled contracts of the rules, which are warm from the start (EIP-2929). All of them
// must have one of the first 65,536 addresses. The Machine does not modify the map.
func (m *Machine) SetPrecompiles(contracts vm.PrecompiledContracts) {
	m.evm.SetPrecompiles(contracts)
	m.overlay.contracts = contracts
}

// SetLevy sets the Levy of the next messages; nil charges nothing.
func (m *Machine) SetLevy(l Levy) { m.levy = l }

// Apply executes one message and finalises it. gp is the gas left in the block; nil means no limit.
//
// The returned logs are this message's and belong to the caller. Their BlockHash is zero, and their Index counts on
// over all messages of the Machine. An error means that the message is invalid (core.Err…), that ctx ended (the error
// wraps ctx.Err()) or that a Source failed; in all cases neither the State nor gp changes. After ctx has ended during
// an execution, or a Source failed, the Machine can only be released.
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
	if m.overlay.failure != nil {
		err = m.overlay.failure // it counts before any other outcome
	}
	if err != nil {
		m.overlay.discard()
		m.overlay.logSize -= uint(len(m.overlay.logs))
		m.overlay.logs = nil
		if gp != nil {
			*gp = before
		}
		return nil, nil, err
	}
	m.overlay.settle(m.evm.GetRules())
	logs := m.overlay.logs
	for _, log := range logs {
		log.BlockNumber, log.BlockTimestamp = m.evm.Context.BlockNumber.Uint64(), m.evm.Context.Time
	}
	return result, logs, nil
}

func (m *Machine) run(ctx context.Context, msg *core.Message, gp *core.GasPool) (*core.ExecutionResult, error) {
	if m.levy != nil {
		if err := m.levy.Charge(&m.overlay, msg); err != nil {
			return nil, err
		}
	}
	result, err := m.runWithin(ctx, msg, gp)
	if err != nil || m.levy == nil {
		return result, err
	}
	refund, failure := m.levy.Settle(&m.overlay, msg, result.UsedGas, &m.evm.Context)
	if failure != nil {
		result.Err, result.ReturnData = failure, nil
	}
	result.UsedGas -= uint64(refund) // the sum wraps around, as below
	if gp != nil {
		err = cmp.Or(gp.CheckGasLegacy(uint64(max(-refund, 0))), gp.ChargeGasLegacy(uint64(max(refund, 0)), -uint64(refund)))
	}
	return result, err
}

func (m *Machine) runWithin(ctx context.Context, msg *core.Message, gp *core.GasPool) (*core.ExecutionResult, error) {
	if ctx.Done() == nil {
		return m.pay(msg, gp)
	}
	stop := context.AfterFunc(ctx, m.evm.Cancel)
	result, err := m.pay(msg, gp)
	if !stop() {
		// The EVM ends a cancelled run as if it had succeeded.
		return nil, fmt.Errorf("execution aborted: %w", ctx.Err())
	}
	return result, err
}

// execute calls core.ApplyMessage with the limit of code in force.
func (m *Machine) execute(msg *core.Message, gp *core.GasPool) (*core.ExecutionResult, error) {
	if m.limit == 0 {
		return core.ApplyMessage(m.evm, msg, gp)
	}
	if msg.To == nil {
		usual := m.config
		rules, err := m.limit.CheckInit(&usual, m.evm.Context.BlockNumber, m.evm.Context.Time, uint64(len(msg.Data)))
		if err != nil {
			return nil, err
		}
		m.overlay.warmCoinbase = rules != &usual
		m.config = *rules
		defer func() { m.config, m.overlay.warmCoinbase = usual, false }()
	}
	result, err := core.ApplyMessage(m.evm, msg, gp)
	if result != nil {
		result.Err = m.explain(result.Err)
	}
	return result, err
}

// Accesses returns the accounts and slots that the last applied message accessed, for the block access list (EIP-7928),
// or nil before Amsterdam. It must be called before State, Commit and the next Apply.
func (m *Machine) Accesses() *bal.ConstructionBlockAccessList { return m.overlay.accesses() }

// State returns the base with every message applied so far. The returned State is not committed.
func (m *Machine) State() *State { return m.overlay.State() }

// Commit returns the State with every message applied so far, committed, and the Machine continues from it. Receipts
// before Byzantium need the root after each transaction.
func (m *Machine) Commit() *State {
	m.overlay.base = m.overlay.State().Commit()
	return m.overlay.base
}

// Release gives the Machine, its EVM and its Overlay back for reuse; none of them may be used afterwards. States, logs
// and results that they returned stay valid.
func (m *Machine) Release() {
	m.evm.Release()
	m.evm, m.levy, m.ledger = nil, nil, nil
	m.overlay.release()
	machines.Put(m)
}

// RevertError is the error of a call that reverted.
type RevertError struct {
	Data []byte // revert data of the contract: usually an ABI-encoded error, but it may be anything
	// Declared is Data decoded as an error that the contract declares, such as "InsufficientBalance(have: 5, want: 7)".
	// Empty: no such error is known.
	Declared string
}

// Error returns "execution reverted", with the reason if there is one.
func (e *RevertError) Error() string {
	if reason := e.Reason(); reason != "" {
		return "execution reverted: " + reason
	}
	return "execution reverted"
}

// Reason returns the message of an Error(string) or the meaning of a Panic(uint256), the two errors built into
// Solidity, for other data Declared.
func (e *RevertError) Reason() string {
	reason, err := abi.UnpackRevert(e.Data)
	if err != nil {
		return e.Declared
	}
	return reason
}
