package evmstate

import "github.com/ethereum/go-ethereum/common"

// GetState returns the value of a storage slot.
func (o *Overlay) GetState(address common.Address, key common.Hash) common.Hash {
	return o.read(address).readSlot(key).value
}

// GetStateAndCommittedState returns the value of a storage slot now and before the transaction.
func (o *Overlay) GetStateAndCommittedState(address common.Address, key common.Hash) (now, before common.Hash) {
	slot := o.read(address).readSlot(key)
	return slot.value, slot.base
}

// SetState sets a storage slot and returns the value before.
func (o *Overlay) SetState(address common.Address, key, value common.Hash) common.Hash {
	object := o.existing(address)
	slot := object.readSlot(key)
	before := slot.value
	if before == value && !slot.unread {
		return before
	}
	if !object.touched {
		o.touch(object)
	}
	o.setWord(&slot.value, value)
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
		o.setWord(word, value)
	}
}
