// Package tokentest is a table of cases about the token's behaviour that runs on any chain: in a bare EVM, and over
// JSON-RPC against a node. Each case deploys its own token, so cases share nothing but accounts.
//
//	for _, c := range tokentest.Cases() {
//		t.Run(c.Name, func(t *testing.T) { c.Run(t, newChain(t)) })
//	}
package tokentest

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
)

// Chain is the chain that a case runs on. Development accounts 0 to 9 must be able to pay for transactions.
type Chain interface {
	// ID returns the chain id.
	ID() uint64
	// Now returns the earliest timestamp, in Unix seconds, that the next Send can run at.
	Now() uint64
	// SetTime makes the next Send run in a block with this timestamp. It is never before Now.
	SetTime(timestamp uint64)
	// Send runs a transaction and waits for it. A nil recipient creates a contract.
	Send(from fixtures.Account, to *common.Address, data []byte) Outcome
	// Call runs a message on the state after the last Send and changes nothing.
	Call(from, to common.Address, data []byte) Outcome
	// Storage returns a contract's storage word.
	Storage(account common.Address, slot common.Hash) common.Hash
	// Delegate makes an account run the code at an address (EIP-7702).
	Delegate(account fixtures.Account, to common.Address)
}

// Outcome is how a transaction or call ended.
type Outcome struct {
	Succeeded bool
	Output    []byte         // return data, also of a revert
	Created   common.Address // the contract, of a creation
	Logs      []*types.Log
}

// Case is one row of the table.
type Case struct {
	Name string
	Run  func(t require.TestingT, c Chain)
}

// Cases returns the whole table.
func Cases() []Case {
	return slices.Concat(
		settlementCases(), boundCases(), orderCases(), cancelCases(), permitCases(), batchCases(), limitCases(),
		allowanceCases(), transferCases(), mintCases(), roleCases(), blacklistCases(), rescueCases(), initializeCases(),
		storageCases(), signatureCases(), delegationCases(),
	)
}

// newCase builds a case that runs in a fresh world.
func newCase(name string, run func(w *world)) Case {
	return Case{name, func(t require.TestingT, c Chain) { run(newWorld(t, c)) }}
}
