package evmstate

import (
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// dirty is one entry in the list of accounts and slots that changed since the last Commit, newest first. It is a linked
// list because States share its tail; they would have to copy a slice.
type dirty struct {
	address common.Address
	slots   []common.Hash
	next    *dirty
}

// touchedAccounts holds the accounts and slots of a list of dirty entries, each once, and the hasher for their keys.
type touchedAccounts struct {
	table[common.Address, table[common.Hash, struct{}]]
	keccak crypto.KeccakState
	key    common.Hash
}

var touchedPool = sync.Pool{New: func() any { return &touchedAccounts{keccak: crypto.NewKeccakState()} }}

// keyOf returns the key of an address or slot in its trie, which is good until the next call.
func (t *touchedAccounts) keyOf(name []byte) []byte {
	t.keccak.Reset()
	t.keccak.Write(name)
	t.keccak.Read(t.key[:])
	return t.key[:]
}

// note adds the account and the slots of d.
func (t *touchedAccounts) note(d *dirty) {
	slots := t.find(d.address)
	if slots == nil {
		slots = t.add(d.address)
	}
	for _, slot := range d.slots {
		if slots.find(slot) == nil {
			slots.add(slot)
		}
	}
}

func (t *touchedAccounts) release() {
	for _, slots := range t.used() {
		slots.reset()
	}
	t.reset()
	touchedPool.Put(t)
}

// Commit returns the State with its tries up to date, or s itself if they already are. The work is proportional to what
// changed since the last Commit. Commit a State before handing it to others: on an uncommitted State every Root and
// every Proof does that work again.
//
// Over a Source the tries hold only the accounts that changed since its block, with the slots that changed: the rest of
// the other chain's tries is not here. The root depends on the changes alone, not on what was read.
func (s *State) Commit() *State {
	if s.dirty == nil {
		return s
	}
	touched := touchedPool.Get().(*touchedAccounts)
	defer touched.release()
	for d := s.dirty; d != nil; d = d.next {
		touched.note(d)
	}
	next := &State{accounts: s.accounts, origin: s.origin, tracked: s.tracked.with(touched, s)}
	edit := s.trie.Edit()
	var encoding [maxEncoding]byte
	for i, address := range touched.keys {
		a := s.account(address)
		if a == nil {
			edit.Delete(touched.keyOf(touched.keys[i][:]))
			continue
		}
		if slots := touched.entries[i].keys; len(slots) > 0 {
			a = a.committed(slots, touched)
			next.accounts = next.accounts.Set(address, a)
		}
		edit.Put(touched.keyOf(touched.keys[i][:]), a.encode(encoding[:0], a.trie.Hash()))
	}
	next.trie = edit.Trie()
	next.trie.Hash() // hashing writes to the nodes, so it must come before others share the trie
	return next
}

// Root returns the root hash of the account trie. If s is not committed, Root commits a copy and drops it.
func (s *State) Root() common.Hash { return s.Commit().trie.Hash() }

// committed returns the account with the given slots up to date in its trie, with keys hashed by touched. The slots may
// stem from an earlier account at the same address.
func (a *account) committed(slots []common.Hash, touched *touchedAccounts) *account {
	edit := a.trie.Edit()
	var integer [1 + common.HashLength]byte
	for i := range slots {
		value, key := a.slot(slots[i]), touched.keyOf(slots[i][:])
		if value == (common.Hash{}) {
			edit.Delete(key)
		} else {
			edit.Put(key, appendInteger(integer[:0], value[:]))
		}
	}
	next := *a
	next.trie = edit.Trie()
	next.trie.Hash()
	return &next
}
