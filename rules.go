package fakenode

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/fixtures/contracts/predeploys"
)

// chooseRules sets Rules where none are given, or returns an error if those given do not go together with the rest.
func (c *Config) chooseRules() error {
	var against error
	switch {
	case c.Genesis != nil:
		against = errors.New("a genesis of your own, which lacks the contracts that these rules need")
	case c.Import != nil:
		against = errors.New("blocks to import")
	case c.Fork != nil:
		against = errors.New("a fork, which has the deposits of the other chain up to the fork block")
	case c.Hardfork != "" && slices.Index(Hardforks(), c.Hardfork) < slices.Index(Hardforks(), "prague"):
		against = fmt.Errorf("the hard fork %q, which comes before prague", c.Hardfork)
	}
	switch {
	case c.Rules == "" && c.Preset == Base && against == nil:
		c.Rules = OptimismRules
	case c.Rules == "":
		c.Rules = EthereumRules
	case c.Rules == OptimismRules && against != nil:
		return fmt.Errorf("rules %q do not go together with %w", c.Rules, against)
	case c.Rules != EthereumRules && c.Rules != OptimismRules:
		return fmt.Errorf("rules %q are neither %q nor %q", c.Rules, EthereumRules, OptimismRules)
	}
	return nil
}

// optimism returns the rules of an OP-stack chain, or nil under Ethereum's.
func (c Config) optimism() *optimism.Rules {
	if c.Rules != OptimismRules {
		return nil
	}
	return optimism.DefaultRules()
}

// addPredeploys puts the contracts that every OP-stack chain has into a genesis, and the rules into its header.
func addPredeploys(g *chain.Genesis, timestamp uint64) {
	l1 := optimism.DefaultL1(timestamp)
	for address, account := range predeploys.Alloc(l1.Storage()) {
		g.Alloc[address] = account
	}
	g.ExtraData, g.Coinbase = optimism.DefaultRules().ExtraData(), optimism.SequencerFeeVault
}
