package userop

import (
	"crypto/ecdsa"
	"encoding/json"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
)

// Bundler takes user operations into transactions on a timeline. It has no pool of its own: an operation immediately
// becomes a transaction that calls handleOps, and the pool, blocks, reorgs, snapshots, worlds and files treat that like
// any other.
type Bundler struct {
	Timeline *preconf.Timeline
	// Key signs bundles. Its account receives the payments of operations.
	Key *ecdsa.PrivateKey
	// Loose makes the bundler check only that the EntryPoint accepts an operation. False: the rules of ERC-7562 as well.
	Loose bool
	// Run simulates calls one after another in the block being built, after the pre-confirmed transactions and with the
	// overrides. A call that fails has a result, too. The bundler returns errors of Run unchanged.
	Run func(overrides simulate.StateOverrides, calls ...simulate.Call) ([]simulate.CallResult, error)
	// Price suggests the gas price of a transaction in the next block, in wei. The caller may change the number.
	Price func(*preconf.Moment) *big.Int
	// MostGas returns the largest gas limit of a transaction in the next block.
	MostGas func(*preconf.Moment) uint64
	// Tell encodes the answers to clients about an operation in a block at a moment, for faults that lie.
	Tell func(*preconf.Moment, *Included) (operation, receipt json.RawMessage, err error)
}

func (b *Bundler) moment() *preconf.Moment { return b.Timeline.Moment() }

// Accept returns the EntryPoint of an operation. The error is the reason why the operation is not valid.
func (b *Bundler) Accept(o *Operation, entryPoint common.Address) (EntryPoint, error) {
	v, err := EntryPointAt(b.moment(), entryPoint)
	if err != nil {
		return EntryPoint{}, err
	}
	if err := o.check(v); err != nil {
		return EntryPoint{}, err
	}
	_, err = stateOf(b.moment().Pending(), *o.Sender)
	return v, err
}

// Clear removes all operations from the pool.
func (b *Bundler) Clear() {
	for _, o := range Pool(b.moment()) {
		b.Timeline.DropTransaction(o.Bundle.Hash())
	}
}

// run simulates calls one after another in the block being built, behind the bundles in the pool that have operations
// of the same sender, up to the operation that is replaced, if any, and returns the results of the calls.
func (b *Bundler) run(sender common.Address, replaced *Waiting, state simulate.StateOverrides, calls ...simulate.Call) ([]simulate.CallResult, error) {
	before := bundlesBefore(b.moment(), sender, replaced)
	results, err := b.Run(state, append(before, calls...)...)
	if err != nil {
		return nil, err
	}
	return results[len(before):], nil
}

// bundlesBefore returns the bundles in the pool that have an operation of that sender, up to the replaced one, if any.
func bundlesBefore(m *preconf.Moment, sender common.Address, replaced *Waiting) (calls []simulate.Call) {
	for _, pooled := range m.Pool() {
		if replaced != nil && pooled.Tx.Hash() == replaced.Bundle.Hash() {
			return calls
		}
		for _, o := range operationsOf(pooled.Tx) {
			if *o.Sender == sender {
				calls = append(calls, callOf(pooled.Tx, pooled.From))
				break
			}
		}
	}
	return calls
}

func callOf(tx *types.Transaction, from common.Address) simulate.Call {
	value, _ := uint256.FromBig(tx.Value())
	return simulate.Call{
		From: &from, To: tx.To(), Gas: new(tx.Gas()), Value: value, Data: tx.Data(), Authorizations: tx.SetCodeAuthorizations(),
	}
}

// operationsOf returns the operations in a transaction that calls handleOps of an EntryPoint.
func operationsOf(tx *types.Transaction) []*Operation {
	if tx.To() == nil {
		return nil
	}
	v, ok := at(*tx.To())
	if !ok {
		return nil
	}
	operations := v.operations(tx.Data())
	for _, o := range operations {
		o.Authorization = authorizationOf(tx, *o.Sender)
	}
	return operations
}

// EntryPoint is a version of the contract that operations are sent to.
type EntryPoint struct {
	Name    string // such as "0.8"
	Address common.Address
	creator common.Address // calls the factories of accounts
	legacy  bool           // takes operations in the form of v0.6
}

// entryPoints are all versions, the newest first.
var entryPoints = []EntryPoint{
	{Name: "0.9", Address: entrypoint.V09Address, creator: entrypoint.V09SenderCreatorAddress},
	{Name: "0.8", Address: entrypoint.V08Address, creator: entrypoint.V08SenderCreatorAddress},
	{Name: "0.7", Address: entrypoint.V07Address, creator: entrypoint.V07SenderCreatorAddress},
	{Name: "0.6", Address: entrypoint.V06Address, creator: entrypoint.V06SenderCreatorAddress, legacy: true},
}

// handleOpsCalls returns the call of handleOps with operations.
func (v EntryPoint) handleOpsCalls(beneficiary common.Address, ops ...*Operation) []byte {
	if v.legacy {
		return entrypoint.PackHandleOps(beneficiary, each(ops, (*Operation).legacy)...)
	}
	return entrypoint.PackHandlePackedOps(beneficiary, each(ops, (*Operation).packed)...)
}

// operations returns the operations in the call data of handleOps, none in other call data.
func (v EntryPoint) operations(data []byte) []*Operation {
	if v.legacy {
		ops, _ := entrypoint.UnpackHandleOps(data)
		return each(ops, unpackedLegacy)
	}
	ops, _ := entrypoint.UnpackHandlePackedOps(data)
	return each(ops, v.unpacked)
}

// each returns f of each element of a list.
func each[A, B any](list []A, f func(A) B) []B {
	made := make([]B, len(list))
	for i := range list {
		made[i] = f(list[i])
	}
	return made
}

func addresses() []common.Address {
	return each(entryPoints, func(v EntryPoint) common.Address { return v.Address })
}

// at returns the EntryPoint with an address, and reports whether there is one.
func at(address common.Address) (v EntryPoint, ok bool) {
	for _, v := range entryPoints {
		if v.Address == address {
			return v, true
		}
	}
	return EntryPoint{}, false
}

// Supported returns the addresses of the EntryPoints that the chain has, the newest first.
func Supported(m *preconf.Moment) ([]common.Address, error) {
	present := []common.Address{}
	for _, address := range addresses() {
		state, err := stateOf(m.Latest(), address)
		if err != nil {
			return nil, err
		}
		if len(state.Code(address)) > 0 {
			present = append(present, address)
		}
	}
	return present, nil
}

// EntryPointAt returns the EntryPoint at an address. The error names the EntryPoints that the chain has.
func EntryPointAt(m *preconf.Moment, address common.Address) (EntryPoint, error) {
	present, err := Supported(m)
	if err != nil {
		return EntryPoint{}, err
	}
	if v, ok := at(address); ok && slices.Contains(present, address) {
		return v, nil
	}
	return EntryPoint{}, invalid("EntryPoint %s is not supported, want one of %s", address, present)
}

// stateOf returns the state of a View, with the given accounts loaded.
func stateOf(v *preconf.View, accounts ...common.Address) (*evmstate.State, error) {
	state, err := v.State()
	for _, account := range accounts {
		if err == nil {
			err = state.Load(account)
		}
	}
	return state, err
}
