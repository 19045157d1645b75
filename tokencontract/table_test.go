package tokencontract_test

import (
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

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
	run  func(t *testing.T, c *evm)
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
	return tableCase{name, func(t *testing.T, c *evm) { run(newWorld(t, c)) }}
}
