package assembly

import (
	"fmt"
	"maps"
	"sync"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/fixtures"
)

// Contracts says which contracts a genesis holds besides the token and the system contracts.
type Contracts string

// The sets of contracts. The empty one is PaymentContracts: a node with them starts as fast as one without.
const (
	NoContracts       Contracts = "none"
	StandardContracts Contracts = "standard" // Multicall3 and the CREATE2 deployer, which clients expect on any chain
	PaymentContracts  Contracts = "payments" // those, and every payment path (docs/payments.md)
)

// alloc returns the genesis accounts of a set.
func (c Contracts) alloc() types.GenesisAlloc {
	if c == NoContracts {
		return nil
	}
	alloc := fixtures.Predeploys()
	if c == PaymentContracts {
		knowPaymentCode()
		maps.Copy(alloc, fixtures.PaymentContracts())
	}
	return alloc
}

// knowPaymentCode saves a starting process the hashing of code that is always the same, a tenth of its start.
var knowPaymentCode = sync.OnceFunc(func() {
	hashes := fixtures.PaymentCodeHashes()
	for address, account := range fixtures.PaymentContracts() {
		evmstate.KnowCode(hashes[address], account.Code)
	}
})

// Check returns an error if there is no such set.
func (c Contracts) Check() error {
	switch c {
	case NoContracts, StandardContracts, PaymentContracts:
		return nil
	}
	return fmt.Errorf("contracts %q are neither %q, %q nor %q", string(c), NoContracts, StandardContracts, PaymentContracts)
}
