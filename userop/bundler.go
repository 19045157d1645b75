package userop

import (
	"crypto/ecdsa"
	"encoding/json"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
)

// Bundler takes user operations into transactions on a timeline. It keeps nothing: an operation is at once a
// transaction that calls handleOps, so the pool, blocks, reorgs, snapshots, worlds and files treat it as any other.
type Bundler struct {
	Timeline *preconf.Timeline
	// Key signs bundles. What operations pay goes to its account.
	Key *ecdsa.PrivateKey
	// Loose makes the bundler only check that the EntryPoint takes an operation. False: the rules of ERC-7562 as well.
	Loose bool
	// Run simulates calls one after another in the block being built, on top of what is pre-confirmed and of the
	// overrides. A call that fails has a result, too. Its errors are returned as they are.
	Run func(overrides simulate.StateOverrides, calls ...simulate.Call) ([]simulate.CallResult, error)
	// Price suggests what a transaction in the next block pays for gas, in wei. The caller may change it.
	Price func(*preconf.Moment) *big.Int
	// MostGas returns how much gas a transaction in the next block may ask for.
	MostGas func(*preconf.Moment) uint64
	// Tell encodes what clients are told of an operation in a block at a moment, for faults that lie.
	Tell func(*preconf.Moment, *Included) (operation, receipt json.RawMessage, err error)
}

// moment returns the present one.
func (b *Bundler) moment() *preconf.Moment { return b.Timeline.Moment() }

// account returns the account that sends bundles.
func (b *Bundler) account() common.Address { return crypto.PubkeyToAddress(b.Key.PublicKey) }

// Accept returns the EntryPoint that an operation is for. The error says what is wrong with the operation.
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
		if replaced != nil && pooled.Transaction.Hash() == replaced.Bundle.Hash() {
			return calls
		}
		for _, o := range operationsOf(pooled.Transaction) {
			if *o.Sender == sender {
				calls = append(calls, callOf(pooled.Transaction, pooled.Sender))
				break
			}
		}
	}
	return calls
}

// callOf returns the call that a transaction makes.
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
