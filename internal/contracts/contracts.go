// Package contracts knows the names of our own contracts: the payment token, those of the module's contracts and
// fixtures/contracts, and those below this one, which only a genesis places.
package contracts

import (
	"embed"

	"github.com/fakenode/fakenode/contracts"
	helpers "github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/tokencontract"
)

// files holds the compiler's results for the contracts below this package.
//
//go:embed */compiled.json */*.abi */*.code
var files embed.FS

// Names has the names of our own contracts, and of their functions, events and errors; of functions with one selector
// the first counts. They are read when first asked for.
var Names = artifacts.Compiled(tokencontract.Files, contracts.Files, helpers.Files, files)
