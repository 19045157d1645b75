package evmstate

import (
	"iter"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Change is an account in one State and its storage slots that differ from an earlier State.
type Change struct {
	Address common.Address
	Exists  bool         // false: the account does not exist, and all else is zero
	Nonce   uint64       // next nonce
	Balance *uint256.Int // wei
	Code    *Code        // nil if the account has none
	Whole   bool         // Slots are the account's whole storage; false: its other slots are as before, or the Source's
	Slots   []Slot       // in no particular order
}

// Slot is a storage slot and its value; zero means that the slot is not set.
type Slot struct{ Key, Value common.Hash }

// tracked lists the accounts and slots that changed since Tracked was called. It is immutable.
type tracked struct {
	from     common.Hash // the root of the State that Tracked was called on
	accounts []trackedAccount
}

type trackedAccount struct {
	address common.Address
	whole   bool // the storage was cleared, or there was none
	slots   []common.Hash
}

// Tracked returns s as a State that remembers which accounts and slots differ from s, for Changes of all States made
// from it. It starts from nothing: changes that s remembered are forgotten.
func (s *State) Tracked() *State {
	next := *s
	next.tracked = &tracked{from: s.Root()}
	return &next
}

// ChangedFrom returns the root of the State that Changes compares with. Without Tracked it is zero.
func (s *State) ChangedFrom() common.Hash {
	if s.tracked == nil {
		return common.Hash{}
	}
	return s.tracked.from
}

// Changes yields the accounts that changed since the State that Tracked returned, in no particular order. An account
// may be among them that changed back. s must be committed. Without Tracked it yields nothing.
func (s *State) Changes() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		if s.tracked == nil {
			return
		}
		for _, t := range s.tracked.accounts {
			if !yield(s.change(t)) {
				return
			}
		}
	}
}

// ChangesSince yields the accounts that were written since an earlier State, as they were and as they are, each of them
// once, in no particular order. For an account that exists in both States, Slots are those that were written, in the
// same order in both, else its whole storage. See WrittenSince for the States that earlier may be.
func (s *State) ChangesSince(earlier *State) iter.Seq2[Change, Change] {
	return func(yield func(Change, Change) bool) {
		written := make(map[common.Address][]common.Hash)
		for d := s.dirty; d != nil && d != earlier.dirty; d = d.next {
			written[d.address] = append(written[d.address], d.slots...)
		}
		for address, slots := range written {
			t := trackedAccount{address: address, slots: union(slots, nil), whole: !earlier.Exist(address) || !s.Exist(address)}
			if !yield(earlier.change(t), s.change(t)) {
				return
			}
		}
	}
}

// All yields every account with its whole storage, in no particular order. Over a Source it yields the accounts that
// changed since its block, deleted ones included, and of storage that the Source has, only the slots that changed.
func (s *State) All() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for address := range s.accounts.All() {
			if !yield(s.change(trackedAccount{address: address, whole: true})) {
				return
			}
		}
	}
}

// With returns the State with changes applied. The State is not committed. With asks no Source.
func (s *State) With(changes iter.Seq[Change]) *State {
	next := *s
	for c := range changes {
		old, held := next.accounts.Get(c.Address)
		if !c.Exists {
			if held || s.origin != nil {
				next.set(c.Address, nil, nil)
			}
			continue
		}
		a := &account{nonce: c.Nonce, balance: *c.Balance, code: c.Code}
		switch old = existing(old); {
		case c.Whole:
		case old != nil:
			a.storage, a.trie, a.remote = old.storage, old.trie, old.remote
		case s.origin != nil && !held:
			a.remote = s.origin.storage(c.Address)
		}
		slots := make([]common.Hash, len(c.Slots))
		for i, slot := range c.Slots {
			a.setSlot(slot.Key, slot.Value)
			slots[i] = slot.Key
		}
		next.set(c.Address, a, slots)
	}
	return &next
}

// change returns the account that t lists, with its present values.
func (s *State) change(t trackedAccount) Change {
	a := s.account(t.address)
	if a == nil {
		return Change{Address: t.address}
	}
	c := Change{Address: t.address, Exists: true, Nonce: a.nonce, Balance: a.balance.Clone(), Code: a.code}
	c.Whole = t.whole && a.remote == nil
	if !t.whole {
		for _, key := range t.slots {
			c.Slots = append(c.Slots, Slot{key, a.slot(key)})
		}
	} else if a.storage.Len() > 0 {
		c.Slots = make([]Slot, 0, a.storage.Len())
		for key, value := range a.storage.All() {
			c.Slots = append(c.Slots, Slot{key, value})
		}
	}
	return c
}

// with returns the list extended by the accounts and slots that a Commit of s is about to write to the tries.
func (t *tracked) with(touched *touchedAccounts, s *State) *tracked {
	if t == nil {
		return nil
	}
	next := make([]trackedAccount, 0, len(t.accounts)+len(touched.keys))
	at := make(map[common.Address]int, len(t.accounts))
	for i, old := range t.accounts {
		at[old.address] = i
		next = append(next, old)
	}
	for i, address := range touched.keys {
		a := s.account(address)
		// An account whose storage was cleared since the last Commit has an empty trie, and no storage of a Source.
		added := trackedAccount{address: address, whole: a == nil || a.trie.Empty() && a.remote == nil}
		if !added.whole {
			added.slots = slices.Clone(touched.entries[i].keys)
		}
		known, ok := at[address]
		if !ok {
			next = append(next, added)
			continue
		}
		old := next[known]
		if added.whole = added.whole || old.whole; !added.whole {
			added.slots = union(old.slots, added.slots)
		} else {
			added.slots = nil
		}
		next[known] = added
	}
	return &tracked{t.from, next}
}

// union returns the keys of both lists, each of them once.
func union(a, b []common.Hash) []common.Hash {
	all := slices.Concat(a, b)
	slices.SortFunc(all, common.Hash.Cmp)
	return slices.Compact(all)
}
