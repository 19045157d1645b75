package evmstate

import (
	"hash/maphash"

	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/trie"
)

// account is an account as a State holds it. It is never changed.
type account struct {
	nonce   uint64
	balance uint256.Int // wei
	code    *Code       // nil: none
	storage *storageMap // nil: no slot is set
	trie    trie.Trie   // of the storage, as of the last Commit
}

// slot returns the value at a storage key. A nil account has none.
func (a *account) slot(key common.Hash) (value common.Hash) {
	if a != nil && a.storage != nil {
		value, _ = a.storage.Get(key)
	}
	return value
}

// setSlot is for accounts that no State holds yet.
func (a *account) setSlot(key, value common.Hash) {
	switch {
	case value != common.Hash{} && a.storage == nil:
		a.storage = immutable.NewMap[common.Hash, common.Hash](slotHasher{}).Set(key, value)
	case value != common.Hash{}:
		a.storage = a.storage.Set(key, value)
	case a.storage != nil:
		if a.storage = a.storage.Delete(key); a.storage.Len() == 0 {
			a.storage = nil
		}
	}
}

// clearStorage is for accounts that no State holds yet.
func (a *account) clearStorage() {
	a.storage, a.trie = nil, trie.Trie{}
}

// encode returns the account as the account trie stores it (Yellow Paper,
// section 4.1).
func (a *account) encode() []byte {
	// Nonce, balance, storage root and code hash are 68 to 108 bytes: a list
	// whose length takes one byte.
	buf := make([]byte, 2, 110)
	buf = rlp.AppendUint64(buf, a.nonce)
	balance := a.balance.Bytes32()
	buf = appendInteger(buf, balance[:])
	root, code := a.trie.Hash(), a.code.hash()
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

type (
	accountMap = immutable.Map[common.Address, *account]
	storageMap = immutable.Map[common.Hash, common.Hash]
)

// seed keeps whoever chooses addresses and storage keys from choosing ones that
// collide in the maps. Nothing that is handed out depends on it.
var seed = maphash.MakeSeed()

type addressHasher struct{}

func (addressHasher) Hash(key common.Address) uint32 { return uint32(maphash.Bytes(seed, key[:])) }
func (addressHasher) Equal(a, b common.Address) bool { return a == b }

type slotHasher struct{}

func (slotHasher) Hash(key common.Hash) uint32 { return uint32(maphash.Bytes(seed, key[:])) }
func (slotHasher) Equal(a, b common.Hash) bool { return a == b }
