// Package erc7562 checks the validation of a user operation by the rules of ERC-7562 for opcodes, calls and storage,
// while an EntryPoint executes it. It knows neither requests nor stakes: a violation names the entities that a stake
// allows it.
package erc7562

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// Operation names the contracts that take part in the validation of an operation.
type Operation struct {
	EntryPoint common.Address
	Creator    common.Address // calls the factory for the EntryPoint
	Sender     common.Address
	Factory    *common.Address // nil: none, or the sender's own delegation (EIP-7702)
	Paymaster  *common.Address // nil: the sender pays
}

// Entity is the role of a contract in the validation of an operation.
type Entity string

// The entities. The EntryPoint is not one.
const (
	Sender    Entity = "sender"
	Factory   Entity = "factory"
	Paymaster Entity = "paymaster"
)

// Violation is a breach of a rule by the validation of an operation. As JSON it has the members of ERC-7769.
type Violation struct {
	// Rule is the id in ERC-7562, such as "OP-011".
	Rule string `json:"rule"`
	// Entity is the entity that broke the rule, itself or by a contract that it called; Address is the entity's.
	Entity  Entity         `json:"entity"`
	Address common.Address `json:"address"`
	// Did describes the breach, and Remedy how to avoid it.
	Did    string `json:"-"`
	Remedy string `json:"-"`
	// Staked are the entities whose stake allows it; one with a stake is enough. Empty: no stake allows it.
	Staked []Entity `json:"-"`
}

// Watch checks the last transaction that its Hooks see, which calls handleOps with the operation alone. It is not safe
// for concurrent use.
type Watch struct {
	op    Operation
	state tracing.StateDB
	// frames are the open ones, the outermost first.
	frames []frame
	// hashes are the hashes of 64 bytes or more that begin with the address of an entity.
	hashes   map[common.Address][]uint256.Int
	created  bool   // the factory was called
	deployed bool   // it created the sender
	done     bool   // the validation is over, or broke a rule that no stake excuses
	stop     func() // ends the calls of the Hooks
	broken   []Violation
}

type frame struct {
	entity Entity // empty: the EntryPoint itself
	enters bool   // the EntryPoint called the entity
	code   common.Address
	last   vm.OpCode // limits the next opcode: GAS, EXTCODESIZE of the EntryPoint, or 0
}

// New returns a Watch for an operation.
func New(op Operation) *Watch { return &Watch{op: op, done: true} }

// Hooks returns the hooks for the execution, including OnTxStart and OnTxEnd. They call stop when the rest of the
// execution does not matter.
func (w *Watch) Hooks(stop func()) *tracing.Hooks {
	return &tracing.Hooks{
		OnTxStart: func(block *tracing.VMContext, _ *types.Transaction, _ common.Address) {
			*w = Watch{op: w.op, state: block.StateDB, frames: w.frames[:0], hashes: map[common.Address][]uint256.Int{}, stop: stop}
		},
		OnTxEnd:  func(*types.Receipt, error) { w.done = true },
		OnEnter:  w.enter,
		OnExit:   w.exit,
		OnOpcode: w.opcode,
	}
}

// Operation returns the operation to check.
func (w *Watch) Operation() *Operation { return &w.op }

// Violations returns the violations in the order in which they happened, up to the first that no stake excuses.
func (w *Watch) Violations() []Violation { return w.broken }

// Address returns the address of an entity.
func (o *Operation) Address(e Entity) common.Address {
	switch {
	case e == Factory && o.Factory != nil:
		return *o.Factory
	case e == Paymaster && o.Paymaster != nil:
		return *o.Paymaster
	}
	return o.Sender
}

func (w *Watch) enter(depth int, typ byte, from, to common.Address, input []byte, _ uint64, value *big.Int) {
	if w.done {
		return
	}
	next := frame{code: to}
	if depth > 0 && len(w.frames) > 0 {
		switch parent := w.frames[len(w.frames)-1]; {
		case parent.entity != "":
			next.entity = parent.entity
			if parent.code != w.op.EntryPoint { // else the EntryPoint calls for the entity
				w.call(parent, vm.OpCode(typ), from, to, input, value)
			}
		case to == w.op.EntryPoint: // it executes the operation
			w.done = true
			w.stop()
			return
		case to == w.op.Sender:
			next.entity, next.enters = Sender, true
		case from == w.op.Creator:
			next.entity, next.enters, w.created = Factory, true, true
			w.undelegated(next)
		case w.op.Paymaster != nil && to == *w.op.Paymaster:
			next.entity, next.enters = Paymaster, true
			w.undelegated(next)
		}
	}
	w.frames = append(w.frames, next)
}

func (w *Watch) exit(_ int, output []byte, _ uint64, err error, _ bool) {
	if w.done || len(w.frames) == 0 {
		return
	}
	f := w.frames[len(w.frames)-1]
	w.frames = w.frames[:len(w.frames)-1]
	if f.entity == "" {
		return
	}
	var invalid *vm.ErrInvalidOpCode
	switch {
	case errors.Is(err, vm.ErrOutOfGas) || errors.Is(err, vm.ErrCodeStoreOutOfGas):
		w.breaks(f, "OP-020", "runs out of gas"+w.in(f), "what it can do depends on the bundle's gas: give the inner call enough")
	case errors.As(err, &invalid):
		w.breaks(f, "OP-013", "meets an "+invalid.Error()+w.in(f), "a later hard fork may define it")
	case err == nil && f.enters && f.entity == Paymaster && hasContext(output):
		w.breaks(f, "EREP-050", "returns a context", "return an empty one", Paymaster)
	}
}

// hasContext reports whether validatePaymasterUserOp returned a context that is not empty.
func hasContext(output []byte) bool {
	if len(output) < 96 {
		return false
	}
	at := new(big.Int).SetBytes(output[:32])
	if !at.IsUint64() || at.Uint64() > uint64(len(output)-32) {
		return false
	}
	return new(big.Int).SetBytes(output[at.Uint64():at.Uint64()+32]).Sign() > 0
}

// undelegated requires that an entity other than the sender has code of its own (EIP-7702).
func (w *Watch) undelegated(f frame) {
	if _, ok := types.ParseDelegation(w.state.GetCode(f.code)); ok {
		w.breaks(f, "AUTH-020", "is an account with a delegation", "take a contract, which nobody can delegate anew")
	}
}

// breaks notes a violation, once for each rule and entity.
func (w *Watch) breaks(f frame, rule, did, remedy string, staked ...Entity) {
	same := func(v Violation) bool {
		return v.Rule == rule && v.Entity == f.entity && slices.Equal(v.Staked, staked)
	}
	if slices.ContainsFunc(w.broken, same) {
		return
	}
	w.broken = append(w.broken, Violation{rule, f.entity, w.op.Address(f.entity), did, remedy, staked})
	w.done = len(staked) == 0
}

// in names the code that a frame runs if it is not the entity's own.
func (w *Watch) in(f frame) string {
	if f.code == w.op.Address(f.entity) {
		return ""
	}
	return fmt.Sprintf(" in the code of %s", f.code)
}
