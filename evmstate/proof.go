package evmstate

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// AccountProof proves an account and some of its storage slots against the root of a State (EIP-1186). If the account
// does not exist, Proof shows its absence and the other fields are zero.
type AccountProof struct {
	Address     common.Address
	Proof       [][]byte     // RLP of the account trie's nodes, from the root down
	Balance     *uint256.Int // wei
	CodeHash    common.Hash
	Nonce       uint64
	StorageHash common.Hash // root of the account's storage trie
	Storage     []StorageProof
}

// StorageProof proves one storage slot against an account's storage root. For an unset slot Value is zero and Proof
// shows its absence.
type StorageProof struct {
	Slot, Value common.Hash
	Proof       [][]byte
}

// StorageRoot returns the root of an account's storage trie as of the last Commit; types.EmptyRootHash if the account
// does not exist.
func (s *State) StorageRoot(address common.Address) common.Hash {
	if a := s.account(address); a != nil {
		return a.trie.Hash()
	}
	return types.EmptyRootHash
}

// Proof returns the proof of an account and of the given slots, in the given order. If s is not committed, Proof
// commits a copy and drops it.
func (s *State) Proof(address common.Address, slots []common.Hash) *AccountProof {
	s = s.Commit()
	proof := &AccountProof{
		Address:  address,
		Proof:    s.trie.Prove(crypto.Keccak256(address[:])),
		Balance:  s.Balance(address),
		CodeHash: s.CodeHash(address),
		Nonce:    s.Nonce(address),
		Storage:  make([]StorageProof, 0, len(slots)),
	}
	a := s.account(address)
	if a == nil {
		a = new(account)
	} else {
		proof.StorageHash = a.trie.Hash()
	}
	for _, slot := range slots {
		proof.Storage = append(proof.Storage, StorageProof{
			Slot:  slot,
			Value: a.slot(slot),
			Proof: a.trie.Prove(crypto.Keccak256(slot[:])),
		})
	}
	return proof
}
