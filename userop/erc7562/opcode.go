package erc7562

import (
	"bytes"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
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

// Selectors of an EntryPoint.
var (
	depositTo      = common.FromHex("0xb760faf9") // depositTo(address)
	incrementNonce = common.FromHex("0x0bd28e3b") // incrementNonce(uint192)
)

// call checks a call or a creation by an entity, or by a contract that it called.
func (w *Watch) call(f frame, op vm.OpCode, from, to common.Address, input []byte, value *big.Int) {
	switch {
	case op == vm.CREATE || op == vm.CREATE2:
		w.creation(f, op, from, to)
	case op == vm.SELFDESTRUCT: // blocked as an opcode
	case to == w.op.EntryPoint:
		if op != vm.CALL || !w.enters(from, input) {
			w.breaks(f, "OP-054", fmt.Sprintf("calls the EntryPoint (%s%s)%s", op, selector(input), w.in(f)),
				"a validation may only pay it, deposit for the sender (from the sender or the factory), or call incrementNonce (from the sender)")
		}
	case (op == vm.CALL || op == vm.CALLCODE) && value.Sign() > 0:
		w.breaks(f, "OP-061", fmt.Sprintf("sends %s wei to %s%s", value, to, w.in(f)), "only the EntryPoint may get ether: leave it to the operation's call")
	}
}

// enters reports whether an account may call the EntryPoint with that data.
func (w *Watch) enters(from common.Address, input []byte) bool {
	sender := from == w.op.Sender
	switch {
	case len(input) == 0: // OP-053
		return sender
	case bytes.HasPrefix(input, depositTo) && len(input) >= 36: // OP-052
		return (sender || w.op.Factory != nil && from == *w.op.Factory) && common.BytesToAddress(input[4:36]) == w.op.Sender
	case bytes.HasPrefix(input, incrementNonce): // OP-055
		return sender
	}
	return false
}

// selector returns the first bytes of call data, for error texts.
func selector(input []byte) string {
	if len(input) < 4 {
		return ""
	}
	return fmt.Sprintf(" of %#x", input[:4])
}

func (w *Watch) creation(f frame, op vm.OpCode, from, to common.Address) {
	bySender := w.created && from == w.op.Sender
	switch {
	case op == vm.CREATE2 && f.entity == Factory && to == w.op.Sender && !w.deployed: // OP-031
		w.deployed = true
		return
	case op == vm.CREATE && bySender: // OP-032
		return
	}
	rule, remedy := "OP-031", "a factory may use it once, for the sender"
	if op == vm.CREATE {
		rule, remedy = "OP-011", "use CREATE2 for the sender, and leave other creations to the operation's call"
	}
	did := fmt.Sprintf("uses %s%s", op, w.in(f))
	if bySender || w.op.Factory != nil && from == *w.op.Factory || f.entity == Factory && op == vm.CREATE { // EREP-060, EREP-061
		w.breaks(f, rule, did, remedy, Factory)
	} else {
		w.breaks(f, rule, did, remedy)
	}
}

// longestHashed limits the memory, in bytes, that is hashed again to find the slots of an entity.
const longestHashed = 512

func (w *Watch) hash(memory []byte, offset, size *uint256.Int) {
	n := size.Uint64()
	if !size.IsUint64() || n < 64 || n > longestHashed || !offset.IsUint64() {
		return
	}
	data := make([]byte, n)
	if at := offset.Uint64(); at < uint64(len(memory)) {
		copy(data, memory[at:])
	}
	account := common.BytesToAddress(data[:32])
	if common.BytesToHash(account[:]) != common.BytesToHash(data[:32]) {
		return
	}
	for _, e := range []Entity{Sender, Factory, Paymaster} {
		if account == w.op.Address(e) {
			w.hashes[account] = append(w.hashes[account], *new(uint256.Int).SetBytes(crypto.Keccak256(data)))
			return
		}
	}
}

// associatedSlots is the number of slots behind a hash that are associated with the account, too.
const associatedSlots = 128

// associated reports whether a slot of any contract is associated with an account.
func (w *Watch) associated(account common.Address, slot *uint256.Int) bool {
	if slot.Eq(new(uint256.Int).SetBytes(account[:])) {
		return true
	}
	var distance uint256.Int
	for i := range w.hashes[account] {
		if distance.Sub(slot, &w.hashes[account][i]).LtUint64(associatedSlots + 1) {
			return true
		}
	}
	return false
}

// storage checks an access to a slot. The same holds for transient storage (OP-070).
func (w *Watch) storage(f frame, contract common.Address, slot *uint256.Int, op vm.OpCode) {
	if contract == w.op.Sender { // STO-010
		return
	}
	entity := w.op.Address(f.entity)
	ofSender, ofEntity := w.associated(w.op.Sender, slot), w.associated(entity, slot)
	if ofSender && !w.created { // STO-021
		return
	}
	reads := op == vm.SLOAD || op == vm.TLOAD
	did := fmt.Sprintf("writes slot %s of %s (%s)", slot.Hex(), contract, op)
	if reads {
		did = fmt.Sprintf("reads slot %s of %s (%s)", slot.Hex(), contract, op)
	}
	const own = "use the sender's own storage, or slots of mappings by the sender's address"
	switch {
	case ofSender && contract != entity && (reads || ofEntity):
		w.breaks(f, "STO-022", did, "deploy the account first", Factory, f.entity)
	case ofSender && contract != entity:
		w.breaks(f, "STO-022", did, "deploy the account first", Factory)
	case contract == entity:
		w.breaks(f, "STO-031", did, own, f.entity)
	case ofEntity:
		w.breaks(f, "STO-032", did, own, f.entity)
	case f.entity == Sender && reads:
		w.breaks(f, "STO-021", did, own, Sender)
	case f.entity == Sender:
		w.breaks(f, "STO-021", did, own)
	case reads:
		w.breaks(f, "STO-033", did, own, f.entity)
	default:
		w.breaks(f, "STO-032", did, own)
	}
}
