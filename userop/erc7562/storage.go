package erc7562

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// longestHashed limits the memory, in bytes, that is hashed again to find the slots of an entity.
const longestHashed = 512

// hash notes a hash of memory that begins with the address of an entity, like the hash of a mapping's slot.
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
