package erc7562

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// blocked holds the opcodes of OP-011 except CREATE, each with its remedy.
var blocked = map[vm.OpCode]string{
	vm.ORIGIN: readsBundle, vm.GASPRICE: readsBundle,
	vm.BLOCKHASH: readsBlock, vm.COINBASE: readsBlock, vm.NUMBER: readsBlock, vm.PREVRANDAO: readsBlock, vm.GASLIMIT: readsBlock,
	vm.BASEFEE: readsBlock, vm.BLOBHASH: readsBundle, vm.BLOBBASEFEE: readsBlock,
	vm.TIMESTAMP: "return validAfter and validUntil, which the EntryPoint checks",
	vm.INVALID:   "revert instead", vm.SELFDESTRUCT: "leave it to the operation's call",
}

const (
	readsBlock  = "it is another one in the next block: leave it to the operation's call"
	readsBundle = "the bundle decides it: leave it to the operation's call"
)

var watched = func() (w [256]bool) {
	for op := range blocked {
		w[op] = true
	}
	for _, op := range []vm.OpCode{
		vm.KECCAK256, vm.GAS, vm.BALANCE, vm.SELFBALANCE, vm.EXTCODESIZE, vm.EXTCODECOPY, vm.EXTCODEHASH,
		vm.CALL, vm.CALLCODE, vm.DELEGATECALL, vm.STATICCALL, vm.SLOAD, vm.SSTORE, vm.TLOAD, vm.TSTORE,
	} {
		w[op] = true
	}
	return w
}()

// opcode is called before each opcode. The opcode's arguments are on the stack unless err is set.
func (w *Watch) opcode(_ uint64, code byte, _, _ uint64, scope tracing.OpContext, _ []byte, _ int, err error) {
	if w.done || err != nil || len(w.frames) == 0 {
		return
	}
	f := &w.frames[len(w.frames)-1]
	if f.last == 0 && !watched[code] || f.entity == "" || f.code == w.op.EntryPoint {
		return
	}
	op := vm.OpCode(code)
	w.follows(f, op)
	argument := func(i int) *uint256.Int { stack := scope.StackData(); return &stack[len(stack)-1-i] }
	switch op {
	case vm.KECCAK256:
		w.hash(scope.MemoryData(), argument(0), argument(1))
	case vm.GAS:
		f.last = vm.GAS
	case vm.BALANCE, vm.SELFBALANCE:
		w.breaks(*f, "OP-080", fmt.Sprintf("uses %s%s", op, w.in(*f)), "balances change with any transaction: leave it to the operation's call", f.entity)
	case vm.EXTCODESIZE, vm.EXTCODECOPY, vm.EXTCODEHASH:
		w.access(f, op, argument(0).Bytes20())
	case vm.CALL, vm.CALLCODE, vm.DELEGATECALL, vm.STATICCALL:
		w.access(f, op, argument(1).Bytes20())
	case vm.SLOAD, vm.TLOAD, vm.SSTORE, vm.TSTORE:
		w.storage(*f, scope.Address(), argument(0), op)
	default:
		if remedy, ok := blocked[op]; ok {
			w.breaks(*f, "OP-011", fmt.Sprintf("uses %s%s", op, w.in(*f)), remedy)
		}
	}
}

// follows checks an opcode after one that allows only some to follow.
func (w *Watch) follows(f *frame, op vm.OpCode) {
	last := f.last
	f.last = 0
	switch {
	case last == vm.GAS && op != vm.CALL && op != vm.CALLCODE && op != vm.DELEGATECALL && op != vm.STATICCALL:
		w.breaks(*f, "OP-012", "uses GAS not right before a call"+w.in(*f), "the bundle decides how much it is: use it only as the gas of a call")
	case last == vm.EXTCODESIZE && op != vm.ISZERO:
		w.breaks(*f, "OP-054", "uses EXTCODESIZE of the EntryPoint"+w.in(*f), "only ISZERO may follow, as in a check before a call (OP-051)")
	}
}

// lastPrecompile is the last precompile known to read neither state nor block, besides verifyP256 (EIP-7951).
const lastPrecompile = 0x11

var verifyP256 = common.BytesToAddress([]byte{1, 0})

// access checks the account whose code an opcode uses.
func (w *Watch) access(f *frame, op vm.OpCode, account common.Address) {
	code := w.state.GetCode(account)
	_, delegated := types.ParseDelegation(code)
	number := new(uint256.Int).SetBytes(account[:])
	switch {
	case account == w.op.Sender: // OP-042
	case account == w.op.EntryPoint:
		switch op {
		case vm.EXTCODESIZE:
			f.last = op
		case vm.EXTCODECOPY, vm.EXTCODEHASH:
			w.breaks(*f, "OP-054", fmt.Sprintf("uses %s of the EntryPoint%s", op, w.in(*f)), "leave it out")
		}
	case delegated:
		w.breaks(*f, "AUTH-030", fmt.Sprintf("uses %s of %s, an account with a delegation%s", op, account, w.in(*f)), "only the sender may have one")
	case len(code) > 0, account == verifyP256, !number.IsZero() && number.LtUint64(lastPrecompile+1):
	case !number.IsZero() && number.LtUint64(1<<16):
		w.breaks(*f, "OP-062", fmt.Sprintf("uses %s of %s%s", op, account, w.in(*f)), "the precompiles allowed are 0x1 to 0x11 and 0x100")
	default:
		w.breaks(*f, "OP-041", fmt.Sprintf("uses %s of %s, which has no code%s", op, account, w.in(*f)), "deploy it first, or leave it to the operation's call")
	}
}
