package tokencontract

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Storage slots of the token, the same as the real one's. The entry of a mapping is at keccak256(key ‖ slot).
const (
	SlotOwner               = 0
	SlotPauser              = 1 // and paused, in byte 20 from the right
	SlotBlacklister         = 2
	SlotFormerBlacklist     = 3
	SlotName                = 4
	SlotSymbol              = 5
	SlotDecimals            = 6
	SlotCurrency            = 7
	SlotMasterMinter        = 8 // and initialized, in byte 20 from the right
	SlotBalances            = 9 // bit 255 of a word: blacklisted; the rest: balance in token units
	SlotAllowances          = 10
	SlotTotalSupply         = 11
	SlotMinters             = 12
	SlotMinterAllowances    = 13
	SlotRescuer             = 14
	SlotDomainSeparator     = 15
	SlotAuthorizationStates = 16
	SlotPermitNonces        = 17
	SlotInitializedVersion  = 18
)

// MaxBalance is the highest balance of an account in token units, 2^255 - 1.
var MaxBalance = new(uint256.Int).Rsh(new(uint256.Int).SetAllOne(), 1)

// ErrNoOwner is returned for a genesis token without an owner.
var ErrNoOwner = errors.New("token owner is the zero address")

// Genesis describes a token that exists from the genesis block on.
type Genesis struct {
	Params
	Variant Variant
	Address common.Address // address of the token
	ChainID uint64         // id of the token's chain

	Version  string // one character; "" is Version
	Decimals uint8  // 0 is Decimals

	// Minters maps each minter to the amount that it may mint, in token units.
	Minters map[common.Address]*uint256.Int
	// Balances maps each holder to its balance in token units. Their sum is the total supply.
	Balances map[common.Address]*uint256.Int
}

// Alloc returns the genesis account of a token: its code, and the storage as it is after deploying the token,
// configuring its minters and minting its balances. The error is ErrNoOwner or names a supply above MaxBalance.
func Alloc(g Genesis) (types.Account, error) {
	p := g.withDefaults()
	if p.Owner == (common.Address{}) {
		return types.Account{}, ErrNoOwner
	}
	supply := new(uint256.Int)
	for holder, balance := range g.Balances {
		if _, overflow := supply.AddOverflow(supply, balance); overflow || supply.Gt(MaxBalance) {
			return types.Account{}, fmt.Errorf("token balance %s of %s brings the supply over 2^255 - 1", balance, holder)
		}
	}

	s := storage{}
	flag := uint256.NewInt(1)
	s.set(slot(SlotOwner), addressWord(p.Owner))
	s.set(slot(SlotPauser), addressWord(p.Pauser))
	s.set(slot(SlotBlacklister), addressWord(p.Blacklister))
	s.setString(slot(SlotName), p.Name)
	s.setString(slot(SlotSymbol), p.Symbol)
	s.set(slot(SlotDecimals), uint256.NewInt(uint64(cmp.Or(g.Decimals, Decimals))))
	s.setString(slot(SlotCurrency), p.Currency)
	initialized := new(uint256.Int).Lsh(flag, 160)
	s.set(slot(SlotMasterMinter), initialized.Or(initialized, addressWord(p.MasterMinter)))
	if g.Variant != Native { // whose balances are the accounts' own
		for holder, balance := range g.Balances {
			s.set(MappingSlot(SlotBalances, holder), balance)
		}
		s.set(MappingSlot(SlotBalances, g.Address), new(uint256.Int).Lsh(flag, 255)) // closed to transfers
	}
	s.set(slot(SlotTotalSupply), supply)
	for minter, allowance := range g.Minters {
		s.set(MappingSlot(SlotMinters, minter), flag)
		s.set(MappingSlot(SlotMinterAllowances, minter), allowance)
	}
	domain := Domain{Name: p.Name, Version: cmp.Or(g.Version, Version), ChainID: g.ChainID, VerifyingContract: g.Address}
	s[slot(SlotDomainSeparator)] = domain.Separator()
	s.set(slot(SlotInitializedVersion), uint256.NewInt(3))

	return types.Account{Code: withVersion(g.Variant.RuntimeCode(), cmp.Or(g.Version, Version)), Storage: s, Balance: new(big.Int), Nonce: 1}, nil
}

// withVersion returns a token's code with another version than "2", which is in the code as a text and by its hash.
func withVersion(code []byte, version string) []byte {
	if version == Version {
		return code
	}
	const push, shift = 0x60, 0x1b // PUSH1 and SHL: the text is shifted to the left of a word
	code = bytes.ReplaceAll(code, []byte{push, Version[0] / 2, push, 249, shift}, []byte{push, version[0], push, 248, shift})
	return bytes.ReplaceAll(code, crypto.Keccak256([]byte(Version)), crypto.Keccak256([]byte(version)))
}

// MappingSlot returns the storage slot of an account's entry in the mapping at a slot,
// keccak256(abi.encode(account, slot)).
func MappingSlot(mapping uint64, account common.Address) common.Hash {
	base := slot(mapping)
	return crypto.Keccak256Hash(common.LeftPadBytes(account[:], 32), base[:])
}

// AuthorizationSlot returns the storage slot of the state of an authorization, which is 1 once it is used or canceled.
func AuthorizationSlot(authorizer common.Address, nonce common.Hash) common.Hash {
	inner := MappingSlot(SlotAuthorizationStates, authorizer)
	return crypto.Keccak256Hash(nonce[:], inner[:])
}

// storage holds a contract's storage. As on a chain, it has no entries for zero words.
type storage map[common.Hash]common.Hash

func (s storage) set(at common.Hash, value *uint256.Int) {
	if !value.IsZero() {
		s[at] = value.Bytes32()
	}
}

// setString stores a string as Solidity does: up to 31 bytes are in one word with twice the length in its last byte.
// For a longer string that word is twice the length plus one, and the bytes are at keccak256(slot) and after.
func (s storage) setString(at common.Hash, value string) {
	if len(value) < 32 {
		var word common.Hash
		copy(word[:], value)
		word[31] = byte(len(value) * 2)
		s[at] = word
		return
	}
	s.set(at, uint256.NewInt(uint64(len(value))*2+1))
	place := new(uint256.Int).SetBytes(crypto.Keccak256(at[:]))
	for rest := []byte(value); len(rest) > 0; rest = rest[min(32, len(rest)):] {
		var word common.Hash
		copy(word[:], rest)
		s.set(place.Bytes32(), new(uint256.Int).SetBytes(word[:]))
		place.AddUint64(place, 1)
	}
}

func slot(n uint64) common.Hash {
	return uint256.NewInt(n).Bytes32()
}

func addressWord(a common.Address) *uint256.Int {
	return new(uint256.Int).SetBytes(a[:])
}
