package fakenode

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/fakenode/fakenode/userop"
	"github.com/holiman/uint256"
)

// SetPaymaster decides which operations the paymaster service (ERC-7677) sponsors from now on; the zero Paymaster
// sponsors all. The error names what is wrong with p.
func (n *Network) SetPaymaster(p Paymaster) error { return userop.SetPaymaster(n.Timeline(), p) }

// SetPaymasterDeposit makes the deposit of the service's paymaster at every EntryPoint that much wei, below 2^112. It
// has 1,000 ether in a genesis with the payment contracts; elsewhere there is none, which is an error.
func (n *Network) SetPaymasterDeposit(wei *uint256.Int) error {
	return userop.SetPaymasterDeposit(n.Timeline(), wei)
}

// Operation returns where a user operation is, by its hash: as Place of its bundle, with the fault that struck it. An
// operation that was lost with a pre-confirmation is Unknown.
func (n *Network) Operation(hash common.Hash) OperationPlace {
	return userop.PlaceOf(n.Timeline().Moment(), hash)
}

// BundlerFault lets the bundler do something wrong with operations to come. The error names what is wrong with f.
func (n *Network) BundlerFault(f BundlerFault) error { return userop.Fail(n.Timeline(), f) }

// ClearBundlerFaults disarms all faults of the bundler and ends its lies. What it holds in the pool stays held.
func (n *Network) ClearBundlerFaults() {
	n.node.t.Helper()
	n.check(userop.ClearFaults(n.Timeline()))
}
