package evmstate

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// WithBalance returns the State with the balance of an account set, in wei. The
// account is created if it does not exist, and stays if that leaves it empty.
func (s *State) WithBalance(address common.Address, wei *uint256.Int) *State {
	return s.with(address, func(a *account) { a.balance = *wei })
}

// WithNonce returns the State with the nonce of an account set. The account is
// created if it does not exist.
func (s *State) WithNonce(address common.Address, nonce uint64) *State {
	return s.with(address, func(a *account) { a.nonce = nonce })
}

// WithCode returns the State with the code of an account set, or removed when
// there is none. The code is copied. The account is created if it does not exist.
func (s *State) WithCode(address common.Address, code []byte) *State {
	return s.with(address, func(a *account) { a.code = newCode(code) })
}

// WithStorage returns the State with one storage slot set; zero clears it. The
// account is created if it does not exist.
func (s *State) WithStorage(address common.Address, slot, value common.Hash) *State {
	return s.with(address, func(a *account) { a.setSlot(slot, value) }, slot)
}

// WithStorageCleared returns the State with all storage of an account cleared.
func (s *State) WithStorageCleared(address common.Address) *State {
	if s.account(address) == nil {
		return s
	}
	return s.with(address, func(a *account) { a.clearStorage() })
}

// WithoutAccount returns the State without an account and its storage.
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
