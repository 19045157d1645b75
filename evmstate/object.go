package evmstate

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// object is an account, existing or not, as the Overlay sees it during one transaction.
type object struct {
	fields
	overlay   *Overlay
	address   common.Address
	base      *account // account before the transaction, or nil if it did not exist
	warm      bool     // on the access list (EIP-2929)
	read      bool     // on the block access list (EIP-7928); reverting leaves it there
	slots     table[common.Hash, slot]
	transient table[common.Hash, common.Hash] // EIP-1153
}

// fields holds the part of an object that the journal saves as a whole.
type fields struct {
	nonce   uint64
	balance *uint256.Int // in wei; never modified in place
	code    *Code        // nil if the account has none

	exists     bool
	touched    bool // written to, and the write was not reverted
	created    bool // contract created by this transaction (EIP-6780)
	destructed bool
}

// slot is a storage slot that the transaction read or wrote.
type slot struct {
	base, value common.Hash // value before the transaction and now
	saved       int         // position in the journal of the last value saved there, if it is there still
	warm        bool        // on the access list (EIP-2929)
	read        bool        // on the block access list with its account (EIP-7928)
	unread      bool        // written without reading, so base is not known (Machine.OpenBlock)
}

var zero = new(uint256.Int)

// load sets the object to the account before the transaction; base is nil if there was none.
func (o *object) load(overlay *Overlay, address common.Address, base *account) {
	o.overlay, o.address, o.base = overlay, address, base
	o.fields = o.before()
}

func (o *object) before() fields {
	if o.base == nil {
		return fields{balance: zero}
	}
	return fields{nonce: o.base.nonce, balance: &o.base.balance, code: o.base.code, exists: true}
}

// unload drops everything the object refers to but keeps its memory for reuse.
func (o *object) unload() {
	o.base, o.fields, o.warm, o.read = nil, fields{}, false, false
	o.slots.reset()
	o.transient.reset()
}

// empty reports whether the account is empty (EIP-161) or does not exist.
func (o *object) empty() bool {
	return o.nonce == 0 && o.code == nil && o.balance.IsZero()
}

// slot returns the slot at a storage key and loads it from the base on first use.
func (o *object) slot(key common.Hash) *slot {
	if s := o.slots.find(key); s != nil {
		return s
	}
	s := o.slots.add(key)
	if o.base == nil || o.base.remote == nil {
		value := o.base.slot(key)
		*s = slot{base: value, value: value}
		return s
	}
	*s = o.remoteSlot(key)
	return s
}

// remoteSlot returns a slot of an account that has storage in a Source.
func (o *object) remoteSlot(key common.Hash) slot {
	if o.overlay.failure != nil {
		return slot{}
	}
	if _, held := o.base.storage.Get(key); !held && o.overlay.writeOnly && writesBlindly[o.code.hash()] {
		return slot{unread: true}
	}
	value, err := o.base.find(key)
	if err != nil {
		o.overlay.fail(err)
	}
	return slot{base: value, value: value}
}

// result returns the account after the transaction and the keys of the slots that changed. It returns base itself if
// nothing changed.
func (o *object) result() (*account, []common.Hash) {
	var changed []common.Hash
	for i, s := range o.slots.used() {
		if s.value != s.base || s.unread {
			changed = append(changed, o.slots.keys[i])
		}
	}
	base := o.base
	if base != nil && changed == nil && o.nonce == base.nonce && o.code == base.code && o.balance.Eq(&base.balance) {
		return base, nil
	}
	a := new(account)
	if base != nil {
		*a = *base
	}
	a.nonce, a.balance, a.code = o.nonce, *o.balance, o.code
	for _, key := range changed {
		a.setSlot(key, o.slots.find(key).value)
	}
	return a, changed
}
