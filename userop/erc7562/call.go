package erc7562

import (
	"bytes"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
)

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
