package evmstate

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate/internal/trie"
)

// Run computes the roots of a State while a few accounts change again and again, without making the States in between.
// It is not safe for concurrent use, but each of its Storages may be used by another goroutine than it.
type Run struct {
	from *State
	trie *trie.Edit
	of   []*Storage
}

// Storage is an account in a Run, with its storage.
type Storage struct {
	address common.Address
	key     common.Hash // of the account in the trie of accounts
	account account     // but for its trie
	trie    *trie.Edit
	keccak  crypto.KeccakState
}

// Run returns a Run that starts from s, which must be committed, and the Storages of accounts that exist.
func (s *State) Run(addresses ...common.Address) (*Run, []*Storage) {
	r := &Run{from: s, trie: s.trie.Edit()}
	for _, address := range addresses {
		a := *s.account(address)
		r.of = append(r.of, &Storage{
			address: address, key: crypto.Keccak256Hash(address[:]), account: a, trie: a.trie.Edit(), keccak: crypto.NewKeccakState(),
		})
	}
	return r, r.of
}

// Set writes a value to a slot; zero clears it.
func (s *Storage) Set(slot, value common.Hash) {
	var integer [1 + common.HashLength]byte
	key := crypto.HashData(s.keccak, slot[:])
	if s.account.setSlot(slot, value); value == (common.Hash{}) {
		s.trie.Delete(key[:])
		return
	}
	s.trie.Put(key[:], appendInteger(integer[:0], value[:]))
}

// Root returns the root of the storage so far.
func (s *Storage) Root() common.Hash { return s.trie.Hash() }

// SetNonce sets the nonce of the account for the next Root of the Run.
func (s *Storage) SetNonce(nonce uint64) { s.account.nonce = nonce }

// Root returns the root of the State with these roots of its Storages, in their order.
func (r *Run) Root(storages ...common.Hash) common.Hash {
	var encoding [maxEncoding]byte
	for i, s := range r.of {
		r.trie.Put(s.key[:], s.account.encode(encoding[:0], storages[i]))
	}
	return r.trie.Hash()
}

// State returns the committed State after the last Root, for which all of the last roots of the Storages were given.
// The Run must not be used afterwards.
func (r *Run) State() *State {
	next := &State{accounts: r.from.accounts, trie: r.trie.Trie(), origin: r.from.origin}
	for _, s := range r.of {
		s.account.trie = s.trie.Trie()
		next.accounts = next.accounts.Set(s.address, &s.account)
	}
	return next
}
