package evmstate

import (
	"encoding/binary"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/params"
)

// Prepare begins the execution of a message: it clears transient storage (EIP-1153) and, from Berlin on, starts a new
// access list (EIP-2929, EIP-2930, EIP-3651).
func (o *Overlay) Prepare(rules params.Rules, sender, coinbase common.Address, to *common.Address, precompiles []common.Address, list types.AccessList) {
	if o.settled {
		o.merge()
	}
	o.recording, o.creating = rules.IsAmsterdam, false
	for _, object := range o.objects.used() {
		object.read = false // accesses before this, such as paying for gas, do not count
		object.transient.reset()
	}
	if !rules.IsEIP2929 {
		return
	}
	for _, object := range o.objects.used() {
		object.warm = false
		for _, slot := range object.slots.used() {
			slot.warm = false
		}
	}
	o.object(sender).warm = true
	if to != nil {
		o.object(*to).warm = true
	}
	o.precompiles = precompiles
	for _, tuple := range list {
		object := o.object(tuple.Address)
		object.warm = true
		for _, key := range tuple.StorageKeys {
			object.slot(key).warm = true
		}
	}
	if rules.IsShanghai || o.warmCoinbase {
		o.object(coinbase).warm = true
	}
}

// AddAddressToAccessList makes an account warm (EIP-2929).
func (o *Overlay) AddAddressToAccessList(address common.Address) {
	o.heat(&o.object(address).warm)
}

// AddSlotToAccessList makes a storage slot and its account warm (EIP-2929).
func (o *Overlay) AddSlotToAccessList(address common.Address, key common.Hash) {
	object := o.object(address)
	o.heat(&object.warm)
	o.heat(&object.slot(key).warm)
}

// AddressInAccessList reports whether an account is warm (EIP-2929).
func (o *Overlay) AddressInAccessList(address common.Address) bool {
	return o.object(address).warm || o.isPrecompile(address)
}

// SlotInAccessList reports whether an account and a storage slot of it are warm (EIP-2929).
func (o *Overlay) SlotInAccessList(address common.Address, key common.Hash) (addressWarm, slotWarm bool) {
	if o.recent.is(&address, &key) && o.recent.object.warm {
		return true, o.recent.slot.warm
	}
	object := o.object(address)
	slot := object.slots.find(key)
	return object.warm || o.isPrecompile(address), slot != nil && slot.warm
}

// isPrecompile reports whether address is a precompile. There are about twenty and most messages
// use none of them, so putting each on the access list would cost more than the transfer that follows.
func (o *Overlay) isPrecompile(address common.Address) bool {
	if !low(address) {
		return false
	}
	if o.contracts != nil {
		_, is := o.contracts[address]
		return is
	}
	return slices.Contains(o.precompiles, address)
}

// low reports whether address is one of the first 65,536 addresses. The precompiles of all forks are there.
func low(address common.Address) bool {
	return uint64At(address[:])|uint64At(address[8:])|uint64(binary.LittleEndian.Uint16(address[16:])) == 0
}

// accesses returns the accounts and slots that the settled transaction accessed (EIP-7928): those it read, also in
// reverted frames, and those it changed. It returns nil before Amsterdam, and if Prepare was not called.
func (o *Overlay) accesses() *bal.ConstructionBlockAccessList {
	if !o.recording {
		return nil
	}
	list := bal.NewConstructionBlockAccessList()
	for _, object := range o.objects.used() {
		if object.read {
			list.AccountRead(object.address)
		}
		for i, slot := range object.slots.used() {
			if slot.read {
				list.StorageRead(object.address, object.slots.keys[i])
			}
		}
		if object.touched {
			o.recordChanges(list, object)
		}
	}
	return list
}

// recordChanges adds the differences between an account before the transaction and after it.
func (o *Overlay) recordChanges(list *bal.ConstructionBlockAccessList, object *object) {
	before, after := object.before(), object.fields
	if removed := o.removes(object); removed || object.destructed {
		after = fields{balance: zero}
		if !removed {
			after.balance = object.balance
		}
	} else {
		for i, slot := range object.slots.used() {
			if slot.value != slot.base || slot.unread {
				list.StorageWrite(o.accessIndex, object.address, object.slots.keys[i], slot.value)
			}
		}
	}
	if !after.balance.Eq(before.balance) {
		list.BalanceChange(o.accessIndex, object.address, after.balance)
	}
	if after.nonce != before.nonce {
		list.NonceChange(object.address, o.accessIndex, after.nonce)
	}
	if after.code.hash() != before.code.hash() {
		list.CodeChange(object.address, o.accessIndex, after.code.bytes())
	}
}
