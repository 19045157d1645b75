package evmstate

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/internal/trie"
	"github.com/fakenode/fakenode/internal/persistent"
)

// account is an account as a State holds it. It must not be modified once a State holds it.
type account struct {
	nonce   uint64
	balance uint256.Int                              // wei
	code    *Code                                    // nil if the account has none
	storage persistent.Map[common.Hash, common.Hash] // slots that are set
	trie    trie.Trie                                // storage trie as of the last Commit

	remote *remoteStorage // slots that storage has no entry for; nil if there are none
}

// find returns the value at a storage key, or zero if the slot is not set or the account is nil. The error is the
// Source's.
func (a *account) find(key common.Hash) (value common.Hash, err error) {
	if a == nil {
		return value, nil
	}
	value, held := a.storage.Get(key)
	if !held && a.remote != nil {
		return a.remote.slot(key)
	}
	return value, nil
}

// slot is find for slots known to be local or loaded: it panics with find's error.
func (a *account) slot(key common.Hash) common.Hash {
	value, err := a.find(key)
	if err != nil {
		panic(err)
	}
	return value
}

// setSlot sets a storage slot; a zero value clears it. Over a Source a zero is kept, as it hides the value there. No
// State may hold the account yet.
func (a *account) setSlot(key, value common.Hash) {
	if value != (common.Hash{}) || a.remote != nil {
		a.storage = a.storage.Set(key, value)
	} else {
		a.storage = a.storage.Delete(key)
	}
}

// maxEncoding is the length of the longest RLP of an account: nonce, balance, storage root and code hash take 68 to 108
// bytes, so the length of the list takes one byte.
const maxEncoding = 110

// encode returns, in an empty buf of maxEncoding bytes, the RLP of the account with that storage root as the account
// trie stores it (Yellow Paper 4.1).
func (a *account) encode(buf []byte, root common.Hash) []byte {
	buf = rlp.AppendUint64(buf[:2], a.nonce)
	balance := a.balance.Bytes32()
	buf = appendInteger(buf, balance[:])
	code := a.code.hash()
	buf = append(append(buf, 0x80+common.HashLength), root[:]...)
	buf = append(append(buf, 0x80+common.HashLength), code[:]...)
	buf[0], buf[1] = 0xf8, byte(len(buf)-2)
	return buf
}

// appendInteger appends the RLP of a big-endian integer of at most 32 bytes.
func appendInteger(buf, integer []byte) []byte {
	integer = common.TrimLeftZeroes(integer)
	if len(integer) != 1 || integer[0] >= 0x80 {
		buf = append(buf, 0x80+byte(len(integer)))
	}
	return append(buf, integer...)
}

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
