// Package simple7702 is an account's code for EIP-7702, with the interface of the published Simple7702Account: Solidity
// source, compiled code, Go bindings. An account that delegates to it executes batches of calls and user operations.
// The code is fakenode's own.
//
//	node.Delegate(account, simple7702.V08Address)
//	data := simple7702.PackExecuteBatch(calls) // which the account sends to itself
package simple7702

import (
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/contracts"
)

// Addresses of the code for accounts of EntryPoint 0.8 and 0.9 on every chain.
var (
	V08Address = common.HexToAddress("0xe6Cae83BdE06E4c305530e199D7217f42808555B")
	V09Address = common.HexToAddress("0xa46cc63eBF4Bd77888AA327837d20b23A63a56B5")
)

// entryPoints maps the code of a version to its EntryPoint.
var entryPoints = map[common.Address]common.Address{
	V08Address: common.HexToAddress("0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108"),
	V09Address: common.HexToAddress("0x433709009B8330FDa32311DF1C2AFA402eD8D009"),
}

// binding is parsed on first use, because parsing takes longer than starting a node.
var binding = sync.OnceValue(NewSimple7702Account)

// Predeploys returns the genesis accounts of both versions. Do not modify.
var Predeploys = sync.OnceValue(func() types.GenesisAlloc {
	alloc := types.GenesisAlloc{}
	for address, entryPoint := range entryPoints {
		alloc[address] = types.Account{Code: contracts.Immutable(accountRuntime(), entryPoint), Balance: new(big.Int), Nonce: 1}
	}
	return alloc
})

// Call is a call of a batch.
type Call = Simple7702AccountCall

// PackExecuteBatch returns the call data that makes an account execute calls, all or none.
func PackExecuteBatch(calls []Call) []byte { return binding().PackExecuteBatch(calls) }
