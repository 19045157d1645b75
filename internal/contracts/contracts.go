// Package contracts knows the names of the contracts that a node is built of: the payment token, and those of package
// fixtures/contracts.
package contracts

import (
	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/tokencontract"
)

// Names has the names of our own contracts, and of their functions, events and errors. They are read when first asked
// for.
var Names = artifacts.Compiled(contracts.Files, tokencontract.Files)
