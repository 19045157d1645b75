package evmstate

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/holiman/uint256"
)

// CreateAccount creates an empty account. An account that already exists loses its balance, nonce and code.
func (o *Overlay) CreateAccount(address common.Address) {
	o.create(o.object(address))
}

func (o *Overlay) create(object *object) {
	o.touch(object)
	object.fields = fields{balance: zero, exists: true, touched: true}
}

// existing returns the account at address, creating it if it does not exist.
func (o *Overlay) existing(address common.Address) *object {
	object := o.read(address)
	if !object.exists {
		o.create(object)
	}
	return object
}

// read returns the account at address for an access that belongs into the block access list (EIP-7928).
func (o *Overlay) read(address common.Address) *object {
	object := o.object(address)
	object.read = true
	return object
}

// CreateContract marks an account as a contract created by this transaction.
func (o *Overlay) CreateContract(address common.Address) {
	if object := o.read(address); !object.created {
		// This is no touch, because the mark alone writes nothing.
		o.journal = append(o.journal, change{kind: fieldsChanged, object: object, fields: object.fields})
		object.created = true
	}
}

// IsNewContract reports whether this transaction created the contract (EIP-6780).
func (o *Overlay) IsNewContract(address common.Address) bool { return o.read(address).created }

// Exist reports whether the account exists. A self-destructed account exists until the end of the transaction.
func (o *Overlay) Exist(address common.Address) bool { return o.read(address).exists }

// Empty reports whether the account is empty (EIP-161) or does not exist.
func (o *Overlay) Empty(address common.Address) bool { return o.read(address).empty() }

// Touch makes the account a part of the block access list (EIP-7928), if there is one.
func (o *Overlay) Touch(address common.Address) { o.read(address) }

// GetBalance returns the balance in wei. The caller must not modify it. It keeps its value when the balance changes.
func (o *Overlay) GetBalance(address common.Address) *uint256.Int { return o.read(address).balance }

// AddBalance adds an amount in wei to a balance and returns the balance before. Adding zero touches an empty account
// (EIP-161).
func (o *Overlay) AddBalance(address common.Address, wei *uint256.Int, reason tracing.BalanceChangeReason) uint256.Int {
	object := o.existing(address)
	if wei.IsZero() {
		if object.empty() {
			o.touch(object)
			o.ripemdTouched = o.ripemdTouched || address == ripemd
		}
		return *object.balance
	}
	return o.setBalance(object, Sum(object.balance, wei), reason)
}

// Sum returns a + b in wei, at most 2^256-1: a balance that receives more than it can hold stays there (go-ethereum's
// begins again at zero).
func Sum(a, b *uint256.Int) *uint256.Int {
	sum, overflow := new(uint256.Int).AddOverflow(a, b)
	if overflow {
		sum.SetAllOne()
	}
	return sum
}

// SubBalance subtracts an amount in wei from a balance and returns the balance before.
func (o *Overlay) SubBalance(address common.Address, wei *uint256.Int, reason tracing.BalanceChangeReason) uint256.Int {
	object := o.existing(address)
	if wei.IsZero() {
		return *object.balance
	}
	return o.setBalance(object, new(uint256.Int).Sub(object.balance, wei), reason)
}

func (o *Overlay) setBalance(object *object, balance *uint256.Int, reason tracing.BalanceChangeReason) uint256.Int {
	before := object.balance
	o.touch(object)
	object.balance = balance
	if o.hooks != nil && o.hooks.OnBalanceChange != nil {
		o.hooks.OnBalanceChange(object.address, before.ToBig(), balance.ToBig(), reason)
	}
	return *before
}

// GetNonce returns the nonce.
func (o *Overlay) GetNonce(address common.Address) uint64 { return o.read(address).nonce }

// SetNonce sets the nonce.
func (o *Overlay) SetNonce(address common.Address, nonce uint64, reason tracing.NonceChangeReason) {
	object := o.existing(address)
	before := object.nonce
	o.touch(object)
	object.nonce = nonce
	o.creating = reason == tracing.NonceChangeContractCreator
	if o.hooks != nil {
		o.traceNonce(address, before, nonce, reason)
	}
}

// GetCode returns the code, or nil if there is none. The caller must not modify it.
func (o *Overlay) GetCode(address common.Address) []byte { return o.read(address).code.bytes() }

// GetCodeSize returns the length of the code in bytes.
func (o *Overlay) GetCodeSize(address common.Address) int {
	return len(o.read(address).code.bytes())
}

// GetCodeHash returns the hash of the code, or the zero hash if the account does not exist.
func (o *Overlay) GetCodeHash(address common.Address) common.Hash {
	creating := o.creating
	o.creating = false
	object := o.read(address)
	switch {
	case !object.exists:
		return common.Hash{}
	case creating && object.base != nil && object.base.storage.Len() > 0:
		return taken
	default:
		return object.code.hash()
	}
}

// taken is a code hash of no code that makes the EVM refuse to create a contract at an address. Before creating one the
// EVM checks whether the address has a nonce or code, but not whether it has storage (EIP-7610). The code hash is the
// first thing the EVM reads after it raised the creator's nonce, so GetCodeHash can distinguish that check from other
// reads.
var taken = common.Hash{1}

// SetCode sets the code to a copy of code and returns the code before.
func (o *Overlay) SetCode(address common.Address, code []byte, reason tracing.CodeChangeReason) []byte {
	object := o.existing(address)
	before := object.code
	o.touch(object)
	object.code = newCode(code)
	if o.hooks != nil {
		o.traceCode(address, before, object.code, reason)
	}
	return before.bytes()
}

// SelfDestruct marks an account to be removed when the transaction is finalised. Moving its balance is left to the EVM.
func (o *Overlay) SelfDestruct(address common.Address) {
	if object := o.read(address); object.exists && !object.destructed {
		o.touch(object)
		object.destructed = true
	}
}

// HasSelfDestructed reports whether the account is marked to be removed.
func (o *Overlay) HasSelfDestructed(address common.Address) bool {
	return o.read(address).destructed
}

func (o *Overlay) traceNonce(address common.Address, before, after uint64, reason tracing.NonceChangeReason) {
	if o.hooks.OnNonceChangeV2 != nil {
		o.hooks.OnNonceChangeV2(address, before, after, reason)
	} else if o.hooks.OnNonceChange != nil {
		o.hooks.OnNonceChange(address, before, after)
	}
}

func (o *Overlay) traceCode(address common.Address, before, after *Code, reason tracing.CodeChangeReason) {
	if before.hash() == after.hash() {
		return
	}
	if o.hooks.OnCodeChangeV2 != nil {
		o.hooks.OnCodeChangeV2(address, before.hash(), before.bytes(), after.hash(), after.bytes(), reason)
	} else if o.hooks.OnCodeChange != nil {
		o.hooks.OnCodeChange(address, before.hash(), before.bytes(), after.hash(), after.bytes())
	}
}
