package evmstate

import (
	"bytes"

	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/trie"
)

// State is the accounts of a chain at one moment. It is immutable, shares
// structure with the States it came from and those that come from it, and is
// safe for concurrent use.
type State struct {
	accounts *accountMap
	trie     trie.Trie // of the accounts, as of the last Commit
	dirty    *dirty    // what changed since; nil: the State is committed
}

// NewState returns the State without accounts.
func NewState() *State {
	return &State{accounts: immutable.NewMap[common.Address, *account](addressHasher{})}
}

// StateFromAlloc returns the committed State of a genesis allocation. Accounts
// that are empty are kept, as in the genesis block. The allocation is copied; a
// balance beyond 256 bits is taken modulo 2^256.
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

// Exist reports whether the account exists; an empty one may.
func (s *State) Exist(address common.Address) bool { return s.account(address) != nil }

// Balance returns the balance in wei, a copy; 0 when the account does not exist.
func (s *State) Balance(address common.Address) *uint256.Int {
	if a := s.account(address); a != nil {
		return a.balance.Clone()
	}
	return new(uint256.Int)
}

// Nonce returns the nonce, 0 when the account does not exist.
func (s *State) Nonce(address common.Address) uint64 {
	if a := s.account(address); a != nil {
		return a.nonce
	}
	return 0
}

// Code returns the code, nil when there is none. It must not be modified.
func (s *State) Code(address common.Address) []byte {
	if a := s.account(address); a != nil {
		return a.code.bytes()
	}
	return nil
}

// CodeHash returns the hash of the code: types.EmptyCodeHash when there is none,
// the zero hash when the account does not exist.
func (s *State) CodeHash(address common.Address) common.Hash {
	if a := s.account(address); a != nil {
		return a.code.hash()
	}
	return common.Hash{}
}

// Storage returns the value of a storage slot, zero when it is not set.
func (s *State) Storage(address common.Address, slot common.Hash) common.Hash {
	return s.account(address).slot(slot)
}

// Alloc returns all accounts as a genesis allocation. The caller may modify it.
func (s *State) Alloc() types.GenesisAlloc {
	alloc := make(types.GenesisAlloc, s.accounts.Len())
	for accounts := s.accounts.Iterator(); !accounts.Done(); {
		address, a, _ := accounts.Next()
		genesis := types.Account{Nonce: a.nonce, Balance: a.balance.ToBig(), Code: bytes.Clone(a.code.bytes())}
		if a.storage != nil {
			genesis.Storage = make(map[common.Hash]common.Hash, a.storage.Len())
			for slots := a.storage.Iterator(); !slots.Done(); {
				key, value, _ := slots.Next()
				genesis.Storage[key] = value
			}
		}
		alloc[address] = genesis
	}
	return alloc
}

// account returns the account, nil when it does not exist.
func (s *State) account(address common.Address) *account {
	a, _ := s.accounts.Get(address)
	return a
}

// set puts an account in the place of what is at address, nil for none, and notes
// it and the slots that changed as dirty. It changes s: for States that are not
// handed out yet.
func (s *State) set(address common.Address, a *account, slots []common.Hash) {
	if a == nil {
		s.accounts = s.accounts.Delete(address)
	} else {
		s.accounts = s.accounts.Set(address, a)
	}
	s.dirty = &dirty{address: address, slots: slots, next: s.dirty}
}
