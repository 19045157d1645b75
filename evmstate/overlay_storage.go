package evmstate

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
)

// recentSlot is the slot that was looked up last: the EVM asks for a slot two to four times in a row. The zero value is
// none.
type recentSlot struct {
	address common.Address
	key     common.Hash
	object  *object
	slot    *slot
}

// is reports whether there is a recent slot and it is that at key of address. It compares words, because comparing
// arrays is a call.
func (r *recentSlot) is(address *common.Address, key *common.Hash) bool {
	a, b := &r.key, key
	return uint64At(a[24:]) == uint64At(b[24:]) && uint64At(a[:]) == uint64At(b[:]) &&
		uint64At(a[8:]) == uint64At(b[8:]) && uint64At(a[16:]) == uint64At(b[16:]) &&
		uint64At(r.address[12:]) == uint64At(address[12:]) && uint64At(r.address[:]) == uint64At(address[:]) &&
		uint64At(r.address[8:]) == uint64At(address[8:]) && r.slot != nil
}

func uint64At(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// lookUp makes the slot at a key of an account the recent one.
func (o *Overlay) lookUp(address *common.Address, key *common.Hash) {
	object := o.object(*address)
	o.recent = recentSlot{*address, *key, object, object.slot(*key)}
}

// GetState returns the value of a storage slot.
func (o *Overlay) GetState(address common.Address, key common.Hash) common.Hash {
	if !o.recent.is(&address, &key) {
		o.lookUp(&address, &key)
	}
	slot := o.recent.slot
	slot.read = true
	return slot.value
}

// GetStateAndCommittedState returns the value of a storage slot now and before the transaction.
func (o *Overlay) GetStateAndCommittedState(address common.Address, key common.Hash) (now, before common.Hash) {
	if !o.recent.is(&address, &key) {
		o.lookUp(&address, &key)
	}
	slot := o.recent.slot
	slot.read = true
	return slot.value, slot.base
}

// SetState sets a storage slot and returns the value before.
func (o *Overlay) SetState(address common.Address, key, value common.Hash) common.Hash {
	if !o.recent.is(&address, &key) {
		o.lookUp(&address, &key)
	}
	object, slot := o.recent.object, o.recent.slot
	slot.read = true
	if !object.exists {
		o.create(object)
	}
	before := slot.value
	if before == value && !slot.unread {
		return before
	}
	if !object.touched {
		o.touch(object)
	}
	o.setSlot(slot, value)
	if o.hooks != nil && o.hooks.OnStorageChange != nil {
		o.hooks.OnStorageChange(address, key, before, value)
	}
	return before
}

// GetTransientState returns the value of a transient storage slot (EIP-1153).
func (o *Overlay) GetTransientState(address common.Address, key common.Hash) common.Hash {
	if word := o.object(address).transient.find(key); word != nil {
		return *word
	}
	return common.Hash{}
}

// SetTransientState sets a transient storage slot (EIP-1153).
func (o *Overlay) SetTransientState(address common.Address, key, value common.Hash) {
	transient := &o.object(address).transient
	word := transient.find(key)
	if word == nil {
		word = transient.add(key)
		*word = common.Hash{}
	}
	if *word != value {
		o.journal = append(o.journal, change{kind: wordChanged, word: word, value: *word})
		*word = value
	}
}
