package evmstate

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// object is an account as the Overlay sees it during one transaction, whether it
// exists or not.
type object struct {
	fields
	address   common.Address
	base      *account // before the transaction; nil: did not exist
	warm      bool     // on the access list (EIP-2929)
	slots     table[common.Hash, slot]
	transient table[common.Hash, common.Hash] // EIP-1153
}

// fields is what the journal saves of an object as a whole.
type fields struct {
	nonce   uint64
	balance *uint256.Int // never changed in place
	code    *Code        // nil: none

	exists     bool
	touched    bool // written to, by whatever is not reverted
	created    bool // a contract of this transaction (EIP-6780)
	destructed bool
}

// slot is a storage slot that the transaction read or wrote.
type slot struct {
	base, value common.Hash // before the transaction and now
	warm        bool        // on the access list (EIP-2929)
}

var zero = new(uint256.Int)

// load makes the object the account that was there before the transaction.
func (o *object) load(address common.Address, base *account) {
	o.address, o.base = address, base
	o.fields = fields{balance: zero}
	if base != nil {
		o.fields = fields{nonce: base.nonce, balance: &base.balance, code: base.code, exists: true}
	}
}

// unload lets go of everything but memory to be used again.
func (o *object) unload() {
	o.base, o.fields, o.warm = nil, fields{}, false
	o.slots.reset()
	o.transient.reset()
}

func (o *object) empty() bool {
	return o.nonce == 0 && o.code == nil && o.balance.IsZero()
}

// slot returns the slot at a storage key.
func (o *object) slot(key common.Hash) *slot {
	if s := o.slots.find(key); s != nil {
		return s
	}
	s := o.slots.add(key)
	value := o.base.slot(key)
	*s = slot{base: value, value: value}
	return s
}

// result returns the account after the transaction and the slots it changed;
// base itself when it changed nothing.
func (o *object) result() (*account, []common.Hash) {
	var changed []common.Hash
	for i, s := range o.slots.used() {
		if s.value != s.base {
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
