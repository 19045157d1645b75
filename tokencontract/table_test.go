package tokencontract_test

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
)

// testChain is the chain that a case runs on. Development accounts 0 to 9 must be able to pay for transactions.
type testChain interface {
	// ID returns the chain id.
	ID() uint64
	// Now returns the earliest timestamp, in Unix seconds, that the next Send can run at.
	Now() uint64
	// SetTime makes the next Send run in a block with this timestamp. It is never before Now.
	SetTime(timestamp uint64)
	// Send runs a transaction and waits for it. A nil recipient creates a contract.
	Send(from fixtures.Account, to *common.Address, data []byte) ending
	// Call runs a message on the state after the last Send and changes nothing.
	Call(from, to common.Address, data []byte) ending
	// Storage returns a contract's storage word.
	Storage(account common.Address, slot common.Hash) common.Hash
	// Delegate makes an account run the code at an address (EIP-7702).
	Delegate(account fixtures.Account, to common.Address)
}

// ending is how a transaction or call ended.
type ending struct {
	Succeeded bool
	Output    []byte         // return data, also of a revert
	Created   common.Address // the contract, of a creation
	Logs      []*types.Log
}

// tableCase is one row of the table.
type tableCase struct {
	name string
	run  func(t require.TestingT, c testChain)
}

// allCases returns the whole table.
func allCases() []tableCase {
	return slices.Concat(
		settlementCases(), boundCases(), orderCases(), cancelCases(), permitCases(), batchCases(), limitCases(),
		allowanceCases(), transferCases(), mintCases(), roleCases(), blacklistCases(), rescueCases(), initializeCases(),
		storageCases(), signatureCases(), delegationCases(),
	)
}

// newCase builds a case that runs in a fresh world.
func newCase(name string, run func(w *world)) tableCase {
	return tableCase{name, func(t require.TestingT, c testChain) { run(newWorld(t, c)) }}
}
