package evmstate

import (
	"bytes"
	"maps"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/internal/trie"
	"github.com/fakenode/fakenode/internal/persistent"
)

// State holds the accounts of a chain at one moment. It is immutable and safe for concurrent use, and it shares
// structure with the States it was made from and those made from it.
type State struct {
	accounts persistent.Map[common.Address, *account]
	trie     trie.Trie // account trie as of the last Commit
	dirty    *dirty    // changes since the last Commit; nil if the State is committed
	origin   *origin   // accounts that the map has no entry for; nil if there are none
	tracked  *tracked  // changes since Tracked, as of the last Commit; nil if nobody asked for them
}

// NewState returns a State without accounts.
func NewState() *State { return new(State) }

// StateFromAlloc returns the committed State of a genesis allocation. It keeps empty accounts, as the genesis block
// does. It copies the allocation; a balance in wei of more than 256 bits is taken modulo 2^256.
func StateFromAlloc(alloc types.GenesisAlloc) *State {
	s := NewState()
	for address, genesis := range alloc {
		a := &account{nonce: genesis.Nonce, code: newCode(genesis.Code)}
		if genesis.Balance != nil {
			a.balance.SetFromBig(genesis.Balance)
		}
		slots := make([]common.Hash, 0, len(genesis.Storage))
		for key, value := range genesis.Storage {
			a.setSlot(key, value)
			slots = append(slots, key)
		}
		s.set(address, a, slots)
	}
	return s.Commit()
}

// Exist reports whether the account exists. An empty account (EIP-161) may exist.
func (s *State) Exist(address common.Address) bool { return s.account(address) != nil }

// Balance returns a copy of the balance in wei, or 0 if the account does not exist.
func (s *State) Balance(address common.Address) *uint256.Int {
	if a := s.account(address); a != nil {
		return a.balance.Clone()
	}
	return new(uint256.Int)
}

// Nonce returns the nonce, or 0 if the account does not exist.
func (s *State) Nonce(address common.Address) uint64 {
	if a := s.account(address); a != nil {
		return a.nonce
	}
	return 0
}

// Code returns the code, or nil if there is none. The caller must not modify it.
func (s *State) Code(address common.Address) []byte {
	if a := s.account(address); a != nil {
		return a.code.bytes()
	}
	return nil
}

// CodeHash returns the hash of the code: types.EmptyCodeHash if the account has none, and the zero hash if the account
// does not exist.
func (s *State) CodeHash(address common.Address) common.Hash {
	if a := s.account(address); a != nil {
		return a.code.hash()
	}
	return common.Hash{}
}

// Storage returns the value of a storage slot, or zero if it is not set.
func (s *State) Storage(address common.Address, slot common.Hash) common.Hash {
	return s.account(address).slot(slot)
}

// Shares reports whether the account, existing or not, is the same in another State, at the cost of two look-ups. False
// may also mean that it was written and is equal.
func (s *State) Shares(other *State, address common.Address) bool {
	a, _ := s.accounts.Get(address)
	b, _ := other.accounts.Get(address)
	return a == b
}

// WrittenSince returns the accounts that were written since an earlier State, each of them once, in no particular
// order. If s was not made from earlier, or was committed since, it returns the accounts written since the last Commit.
func (s *State) WrittenSince(earlier *State) []common.Address {
	var written []common.Address
	seen := make(map[common.Address]bool)
	for d := s.dirty; d != nil && d != earlier.dirty; d = d.next {
		if !seen[d.address] {
			seen[d.address] = true
			written = append(written, d.address)
		}
	}
	return written
}

// Alloc returns all accounts as a genesis allocation; over a Source, only the accounts and slots that changed. The
// caller may modify it.
func (s *State) Alloc() types.GenesisAlloc {
	alloc := make(types.GenesisAlloc, s.accounts.Len())
	for address, a := range s.accounts.All() {
		if a == gone {
			continue
		}
		genesis := types.Account{Nonce: a.nonce, Balance: a.balance.ToBig(), Code: bytes.Clone(a.code.bytes())}
		if a.storage.Len() > 0 {
			genesis.Storage = maps.Collect(a.storage.All())
		}
		alloc[address] = genesis
	}
	return alloc
}

// find returns the account, or nil if it does not exist. The error is the Source's.
func (s *State) find(address common.Address) (*account, error) {
	a, held := s.accounts.Get(address)
	if s.origin == nil {
		return a, nil
	}
	if held {
		return existing(a), nil
	}
	return s.origin.account(address)
}

// account is find for accounts known to be local or loaded: it panics with find's error.
func (s *State) account(address common.Address) *account {
	a, err := s.find(address)
	if err != nil {
		panic(err)
	}
	return a
}

// set replaces the account at address, or removes it if a is nil, and records it and the slots that changed as dirty.
// It modifies s, so s must not have been handed out yet.
func (s *State) set(address common.Address, a *account, slots []common.Hash) {
	switch {
	case a != nil:
		s.accounts = s.accounts.Set(address, a)
	case s.origin != nil:
		s.accounts = s.accounts.Set(address, gone)
	default:
		s.accounts = s.accounts.Delete(address)
	}
	s.dirty = &dirty{address: address, slots: slots, next: s.dirty}
}

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
	return s.WithSlots(address, Slot{slot, value})
}

// WithSlots is WithStorage of several slots.
func (s *State) WithSlots(address common.Address, slots ...Slot) *State {
	keys := make([]common.Hash, len(slots))
	for i, slot := range slots {
		keys[i] = slot.Key
	}
	return s.with(address, func(a *account) {
		for _, slot := range slots {
			a.setSlot(slot.Key, slot.Value)
		}
	}, keys...)
}

// WithStorageCleared returns the State with all storage of an account cleared, or s itself if the account does not
// exist.
func (s *State) WithStorageCleared(address common.Address) *State {
	if s.account(address) == nil {
		return s
	}
	return s.with(address, func(a *account) {
		a.storage, a.trie, a.remote = persistent.Map[common.Hash, common.Hash]{}, trie.Trie{}, nil
	})
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
