// Package smartwallet is a smart account with the interface of Coinbase's smart wallet, and its factory: Solidity
// sources, compiled code, Go bindings and signatures. Its owners are accounts or P-256 keys. The code is
// fakenode's own: accounts are EIP-1167 clones, so their addresses differ from those on public chains, and they cannot
// be upgraded.
//
//	wallet := smartwallet.New(smartwallet.FactoryAddress, smartwallet.AccountOwner(key.Address))
//	signature := smartwallet.WrapSignature(0, key.SignDigest(wallet.Digest(31337, digest)).Bytes())
package smartwallet

import (
	"bytes"
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"github.com/fakenode/fakenode/contracts"
)

// Addresses, on every chain, of the factories and of the implementations that accounts clone. Clients know the
// factories as versions 1.1 and 1.
var (
	FactoryAddress          = common.HexToAddress("0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842")
	ImplementationAddress   = common.HexToAddress("0x00000110dCdEdC9581cb5eCB8467282f2926534d")
	FactoryV1Address        = common.HexToAddress("0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a")
	ImplementationV1Address = common.HexToAddress("0x000100abaad02f1cfC8Bbe32bD5a564817339E72")
)

// factoryBinding is parsed on first use, because parsing takes longer than starting a node.
var factoryBinding = sync.OnceValue(NewSmartWalletFactory)

// Predeploys returns the genesis accounts of both versions, which have the same code. Do not modify.
var Predeploys = sync.OnceValue(func() types.GenesisAlloc {
	alloc := types.GenesisAlloc{}
	locked := map[common.Hash]common.Hash{{}: common.BigToHash(common.Big1)} // as after the constructor: nobody owns it
	for factory, implementation := range map[common.Address]common.Address{
		FactoryAddress: ImplementationAddress, FactoryV1Address: ImplementationV1Address,
	} {
		alloc[factory] = types.Account{Code: contracts.Immutable(factoryRuntime(), implementation), Balance: new(big.Int), Nonce: 1}
		alloc[implementation] = types.Account{Code: smartWalletRuntime(), Storage: locked, Balance: new(big.Int), Nonce: 1}
	}
	return alloc
})

// Account is a smart account, deployed or not.
type Account struct {
	Factory common.Address
	Owners  [][]byte // see AccountOwner and KeyOwner
	Nonce   uint64   // distinguishes accounts of the same owners
}

// New returns the first account of its owners.
func New(factory common.Address, owners ...[]byte) Account {
	return Account{Factory: factory, Owners: owners}
}

// AccountOwner returns an owner that is an account: one with a key, or a contract that answers for itself (ERC-1271).
func AccountOwner(account common.Address) []byte { return common.LeftPadBytes(account[:], 32) }

// KeyOwner returns an owner that is a P-256 key, a passkey's.
func KeyOwner(x, y common.Hash) []byte { return append(x.Bytes(), y[:]...) }

// Address returns the address of the account, deployed or not.
func (a Account) Address() common.Address {
	implementation := ImplementationAddress
	if a.Factory == FactoryV1Address {
		implementation = ImplementationV1Address
	}
	code := append(common.FromHex("3d602d80600a3d3981f3363d3d373d3d3d363d73"), implementation[:]...)
	code = append(code, common.FromHex("5af43d82803e903d91602b57fd5bf3")...)
	salt := crypto.Keccak256Hash(contracts.Pack(
		[]string{"bytes[]", "uint256"}, a.Owners, new(big.Int).SetUint64(a.Nonce),
	))
	return crypto.CreateAddress2(a.Factory, salt, crypto.Keccak256(code))
}

// PackCreate returns the call data that makes the factory create the account. Anyone may send it.
func (a Account) PackCreate() []byte {
	return factoryBinding().PackCreateAccount(a.Owners, new(big.Int).SetUint64(a.Nonce))
}

// Digest returns the 32 bytes that an owner signs for the account to approve a digest (ERC-1271): the digest bound to
// the account.
func (a Account) Digest(chainID uint64, digest common.Hash) common.Hash {
	return contracts.Digest(a.TypedData(chainID, digest))
}

// TypedData returns the typed data whose digest Digest returns, for a wallet to sign.
func (a Account) TypedData(chainID uint64, digest common.Hash) apitypes.TypedData {
	domain := contracts.Domain("Coinbase Smart Wallet", chainID, a.Address())
	return contracts.TypedData(domain, "CoinbaseSmartWalletMessage(bytes32 hash)", apitypes.TypedDataMessage{"hash": digest.Hex()})
}

// WrapSignature returns an owner's signature in the account's form, with the owner's number, counted from 0.
func WrapSignature(owner uint64, signature []byte) []byte {
	tuple := contracts.Pack([]string{"uint256", "bytes"}, new(big.Int).SetUint64(owner), signature)
	return append(common.LeftPadBytes([]byte{common.HashLength}, common.HashLength), tuple...) // it follows its offset
}

// WrapUndeployed returns a wrapped signature with the call that creates the account (ERC-6492), for an account that may
// not be deployed yet.
func (a Account) WrapUndeployed(signature []byte) []byte {
	packed := contracts.Pack([]string{"address", "bytes", "bytes"}, a.Factory, a.PackCreate(), signature)
	return append(packed, bytes.Repeat([]byte{0x64, 0x92}, 16)...)
}
