package evmstate

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// WithBalance returns the State with the balance of an account set, in wei. The account is created if it does not
// exist, and is kept even if it is empty (EIP-161) afterwards.
func (s *State) WithBalance(address common.Address, wei *uint256.Int) *State {
	return s.with(address, func(a *account) { a.balance = *wei })
}

// WithNonce returns the State with the nonce of an account set. The account is created if it does not exist.
func (s *State) WithNonce(address common.Address, nonce uint64) *State {
	return s.with(address, func(a *account) { a.nonce = nonce })
}

// WithCode returns the State with the code of an account set to a copy of code, or removed if code is empty. The
// account is created if it does not exist.
func (s *State) WithCode(address common.Address, code []byte) *State {
	return s.with(address, func(a *account) { a.code = newCode(code) })
}

// WithStorage returns the State with one storage slot set; a zero value clears it. The account is created if it does
// not exist.
func (s *State) WithStorage(address common.Address, slot, value common.Hash) *State {
	return s.with(address, func(a *account) { a.setSlot(slot, value) }, slot)
}

// WithStorageCleared returns the State with all storage of an account cleared, or s itself if the account does not
// exist.
func (s *State) WithStorageCleared(address common.Address) *State {
	if s.account(address) == nil {
		return s
	}
	return s.with(address, func(a *account) { a.clearStorage() })
}

// WithoutAccount returns the State without an account and its storage, or s itself if the account does not exist.
func (s *State) WithoutAccount(address common.Address) *State {
	if s.account(address) == nil {
		return s
	}
	next := *s
	next.set(address, nil, nil)
	return &next
}

func (s *State) with(address common.Address, change func(*account), slots ...common.Hash) *State {
	a := new(account)
	if old := s.account(address); old != nil {
		*a = *old
	}
	change(a)
	next := *s
	next.set(address, a, slots)
	return &next
}
