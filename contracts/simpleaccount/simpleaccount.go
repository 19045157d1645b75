// Package simpleaccount is an account for user operations with one owner, and its factory, with the interfaces of the
// published SimpleAccount and SimpleAccountFactory of EntryPoint 0.6, 0.7, 0.8 and 0.9: Solidity source and compiled
// code. The code is fakenode's own: accounts are EIP-1167 clones, so their addresses differ from those on public
// chains, and they cannot be upgraded.
package simpleaccount

import (
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/contracts"
)

// Addresses of the factories on every chain, by the EntryPoint of their accounts.
var (
	V06FactoryAddress = common.HexToAddress("0x9406Cc6185a346906296840746125a0E44976454")
	V07FactoryAddress = common.HexToAddress("0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985")
	V08FactoryAddress = common.HexToAddress("0x13E9ed32155810FDbd067D4522C492D6f68E5944")
	V09FactoryAddress = common.HexToAddress("0xf4A7018FdBF22804526eC4b77DcE4f9b0D27a395")
)

// Implementation returns the account that a factory's accounts clone: the first contract that it created.
func Implementation(factory common.Address) common.Address { return crypto.CreateAddress(factory, 1) }

// Predeploys returns the genesis accounts of all versions. Do not modify.
var Predeploys = sync.OnceValue(func() types.GenesisAlloc {
	alloc := types.GenesisAlloc{}
	for factory, code := range map[common.Address]struct{ factory, account string }{
		V06FactoryAddress: {"factory", "v06"}, V07FactoryAddress: {"factory", "v07"},
		V08FactoryAddress: {"factory_v08", "v08"}, V09FactoryAddress: {"factory_v09", "v09"},
	} {
		implementation := Implementation(factory)
		alloc[factory] = types.Account{Code: contracts.Immutable(compiled(code.factory), implementation), Balance: new(big.Int), Nonce: 2}
		alloc[implementation] = types.Account{Code: compiled(code.account), Storage: locked, Balance: new(big.Int), Nonce: 1}
	}
	return alloc
})

func compiled(name string) []byte {
	return contracts.Compiled(contracts.Files, "simpleaccount/"+name+".code")
}

// locked is the storage after an implementation's constructor: initialized, and owned by nobody.
var locked = map[common.Hash]common.Hash{{}: common.BigToHash(new(big.Int).Lsh(common.Big1, 160))}
