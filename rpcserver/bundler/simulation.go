package bundler

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// account returns the account that sends bundles and gets what operations pay: the node's last one.
func account(r *api.Request) common.Address {
	return crypto.PubkeyToAddress(r.Network.Keys[len(r.Network.Keys)-1].PublicKey)
}

// run simulates calls one after another in the block being built, behind the bundles in the pool that have operations
// of the same sender, up to the operation that is replaced, if any, and returns the results of the calls.
func run(r *api.Request, sender common.Address, replaced *waiting, state simulate.StateOverrides, calls ...simulate.Call) ([]simulate.CallResult, error) {
	before := bundlesBefore(r, sender, replaced)
	results, err := r.SimulatePending(state, append(before, calls...)...)
	if err != nil {
		return nil, err
	}
	return results[len(before):], nil
}

// bundlesBefore returns the bundles in the pool that have an operation of that sender, up to the replaced one, if any.
func bundlesBefore(r *api.Request, sender common.Address, replaced *waiting) (calls []simulate.Call) {
	for _, pooled := range r.Moment().Pool() {
		if replaced != nil && pooled.Transaction.Hash() == replaced.bundle.Hash() {
			return calls
		}
		for _, o := range operationsOf(pooled.Transaction) {
			if *o.Sender == sender {
				calls = append(calls, api.CallOf(pooled.Transaction, pooled.Sender))
				break
			}
		}
	}
	return calls
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
