package chain

import (
	"maps"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Precompiles returns a copy of the precompiled contracts of a block with these rules.
func (c *Chain) Precompiles(rules params.Rules) vm.PrecompiledContracts {
	if c.rollup != nil {
		return maps.Clone(c.rollup.Upgrade.Precompiles(rules))
	}
	return vm.ActivePrecompiledContracts(rules)
}

// TracerConfig returns the fork rules for go-ethereum's tracers, which learn from them which addresses are precompiles.
// All upgrades of OP-stack chains have precompiles at the addresses of osaka, whichever hard fork's EVM they run.
func (c *Chain) TracerConfig() *params.ChainConfig {
	if c.rollup == nil || c.config.OsakaTime != nil {
		return c.config
	}
	config := *c.config
	config.OsakaTime = config.PragueTime
	return &config
}

// BlobConfig returns the limits on blobs at a time in Unix seconds, nil before Cancun. An OP-stack chain has no blobs:
// they are zero.
func (c *Chain) BlobConfig(at uint64) *params.BlobConfig {
	if c.rollup != nil {
		return new(params.BlobConfig)
	}
	return c.config.BlobConfig(c.config.LatestFork(at))
}

// SystemContracts returns the contracts that blocks call at a time in Unix seconds, by their names in EIP-7910.
func (c *Chain) SystemContracts(at uint64) map[string]common.Address {
	contracts := c.config.ActiveSystemContracts(at)
	if c.rollup != nil {
		maps.DeleteFunc(contracts, func(name string, _ common.Address) bool { return !optimism.HasSystemContract(name) })
	}
	return contracts
}
