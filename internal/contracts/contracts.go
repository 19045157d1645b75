// Package contracts knows the names of the contracts that a node is built of: the payment token, those of package
// fixtures/contracts, and those below this one, which only a genesis places.
package contracts

import (
	"embed"

	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/tokencontract"
)

// files holds the compiler's results for the contracts below this package.
//
//go:embed */compiled.json */*.abi */*.code
var files embed.FS

// Names has the names of our own contracts, and of their functions, events and errors. They are read when first asked
// for.
var Names = artifacts.Compiled(tokencontract.Files, contracts.Files, files)
