package evmstate

import "github.com/ethereum/go-ethereum/core/types/bal"

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
