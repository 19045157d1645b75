package trace

import (
	"cmp"
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
)

// MaxSize is the size in bytes of the largest trace of one transaction or call. Making its JSON takes several times as
// much.
const MaxSize = 64 << 20

// MaxStructLogs is the size in bytes from which on the struct logger records no further steps: it encodes each step and
// then all of them again.
const MaxStructLogs = 32 << 20

// SizeError is returned for a trace that is larger than Config.MaxResult or MaxSize.
type SizeError struct {
	Limit int // bytes
}

// Error returns the limit.
func (e *SizeError) Error() string {
	return fmt.Sprintf("the trace is too large: the limit is %d bytes", e.Limit)
}

// budget counts the bytes that the tracers of one message record, about as many as their JSON will have.
type budget struct {
	limit, used int
	end         context.CancelCauseFunc // ends the execution
}

// charge counts bytes and reports whether they may be recorded. The first that may not end the execution with a
// *SizeError, and none may from then on.
func (b *budget) charge(size int) bool {
	before := b.used
	if b.used += size; b.used <= b.limit {
		return true
	}
	if before <= b.limit {
		b.end(&SizeError{Limit: b.limit})
	}
	return false
}

// within returns the lower limit of both, in bytes, which is at most MaxSize; 0 is none.
func within(limit, other int) int {
	return min(cmp.Or(limit, MaxSize), cmp.Or(other, MaxSize), MaxSize)
}

// frameSize and entrySize are about how many bytes a call or a log, and a slot or another small record, take in JSON.
const (
	frameSize = 256
	entrySize = 128
)

// bounded returns the hooks of one of go-ethereum's tracers, which charge what it records to the budget.
func (b *budget) bounded(tracer string, hooks *tracing.Hooks) *tracing.Hooks {
	with := *hooks
	switch tracer {
	case "flatCallTracer":
		b.chargeCalls(&with, 2*frameSize, 16)
	case "erc7562Tracer":
		b.chargeCalls(&with, 4*frameSize, 2) // it encodes each call anew for every call around it
		b.chargeSteps(&with, b.preimage, b.access)
	case "4byteTracer":
		enter := with.OnEnter
		with.OnEnter = func(depth int, op byte, from, to common.Address, input []byte, gas uint64, value *big.Int) {
			b.charge(entrySize)
			enter(depth, op, from, to, input, gas, value)
		}
	case "keccak256PreimageTracer":
		b.chargeSteps(&with, b.preimage)
	case "prestateTracer":
		b.chargeAccounts(&with)
		b.chargeSteps(&with, b.access)
	}
	return &with
}

// chargeCalls charges calls, with their data. These tracers copy each call once for every call around it, so as many
// levels of nesting as perCall add as much as the call itself.
func (b *budget) chargeCalls(hooks *tracing.Hooks, size, perCall int) {
	level := 0
	nested := func(size int) { b.charge(size + size*level/perCall) }
	enter, exit, log := hooks.OnEnter, hooks.OnExit, hooks.OnLog
	hooks.OnEnter = func(depth int, op byte, from, to common.Address, input []byte, gas uint64, value *big.Int) {
		level = depth
		nested(size + 2*len(input))
		enter(depth, op, from, to, input, gas, value)
	}
	hooks.OnExit = func(depth int, output []byte, gasUsed uint64, err error, reverted bool) {
		level = depth
		nested(2 * len(output))
		exit(depth, output, gasUsed, err, reverted)
	}
	if log != nil {
		hooks.OnLog = func(l *types.Log) {
			nested(frameSize + 2*len(l.Data))
			log(l)
		}
	}
}

// chargeSteps calls the functions with the operation and the stack of each step that the EVM can make.
func (b *budget) chargeSteps(hooks *tracing.Hooks, charge ...func(vm.OpCode, tracing.OpContext)) {
	step := hooks.OnOpcode
	hooks.OnOpcode = func(pc uint64, op byte, gas, cost uint64, scope tracing.OpContext, data []byte, depth int, err error) {
		if err == nil {
			for _, f := range charge {
				f(vm.OpCode(op), scope)
			}
		}
		step(pc, op, gas, cost, scope, data, depth, err)
	}
}

func (b *budget) preimage(op vm.OpCode, scope tracing.OpContext) {
	if stack := scope.StackData(); op == vm.KECCAK256 && len(stack) >= 2 {
		if size := stack[len(stack)-2]; size.IsUint64() {
			b.charge(entrySize/2 + int(min(size.Uint64(), MaxSize)))
		}
	}
}

func (b *budget) access(op vm.OpCode, _ tracing.OpContext) {
	switch op {
	case vm.SLOAD, vm.SSTORE, vm.TLOAD, vm.TSTORE:
		b.charge(entrySize)
	}
}

// chargeAccounts charges each account that a step looks at, with its code.
func (b *budget) chargeAccounts(hooks *tracing.Hooks) {
	var state tracing.StateDB
	begin := hooks.OnTxStart
	hooks.OnTxStart = func(at *tracing.VMContext, tx *types.Transaction, from common.Address) {
		state = at.StateDB
		begin(at, tx, from)
	}
	known := make(map[common.Address]struct{})
	b.chargeSteps(hooks, func(op vm.OpCode, scope tracing.OpContext) {
		place := 1 // of the address on the stack
		switch op {
		case vm.BALANCE, vm.EXTCODESIZE, vm.EXTCODECOPY, vm.EXTCODEHASH, vm.SELFDESTRUCT:
		case vm.CALL, vm.CALLCODE, vm.DELEGATECALL, vm.STATICCALL:
			place = 2
		case vm.CREATE, vm.CREATE2:
			b.charge(2 * frameSize)
			return
		default:
			return
		}
		stack := scope.StackData()
		if len(stack) < place {
			return
		}
		account := common.Address(stack[len(stack)-place].Bytes20())
		if _, ok := known[account]; !ok {
			known[account] = struct{}{}
			b.charge(2*frameSize + 2*len(state.GetCode(account)))
		}
	})
}
