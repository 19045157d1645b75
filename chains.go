package fakenode

import (
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/keeping"
	"github.com/fakenode/fakenode/internal/paytoken"
)

// chains returns the chains of the networks as Config describes them.
func (c Config) chains(accounts []Account, start time.Time) (made keeping.Chains, err error) {
	if c.L1 {
		if made.L1, err = c.l1Chain(accounts, start); err != nil {
			return made, err
		}
		made.Main, err = c.l2Chain(made.L1, accounts, start)
	} else {
		made.Main, err = c.mainChain(accounts, start)
	}
	if err != nil {
		return made, err
	}
	made.Testnet, err = c.presetChain(accounts, start, presets[c.Preset].testnet, paytoken.Testnet, c.Predeploys)
	return made, err
}

// mainChain returns the chain of the main network: a fork's, or a preset's or that of Genesis, continued by Import.
func (c Config) mainChain(accounts []Account, start time.Time) (*chain.Chain, error) {
	var main *chain.Chain
	var err error
	if c.Fork != nil {
		fork, err := c.openFork(*c.Fork)
		if err != nil {
			return nil, err
		}
		return c.forkChain(fork, accounts)
	}
	if c.Genesis != nil {
		main, err = chain.New(c.Genesis, c.chainOptions())
	} else {
		main, err = c.presetChain(accounts, start, c.ChainID, paytoken.Main, c.Predeploys, c.Alloc)
	}
	if err != nil || c.Import == nil {
		return main, err
	}
	if main, err = main.Import(c.Import); err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	return main, nil
}

// presetChain returns a network's chain from the preset, with accounts of the user's own; the later ones win.
func (c Config) presetChain(accounts []Account, start time.Time, chainID uint64, token paytoken.Deployment, own ...types.GenesisAlloc) (*chain.Chain, error) {
	return c.madeFrom(c.recipe(chainID, token), accounts, start, own)
}

// recipe returns what the genesis of a preset's network depends on.
func (c Config) recipe(chainID uint64, token paytoken.Deployment) recipe {
	r := recipe{
		chainID: chainID, hardfork: c.hardfork(), gasLimit: c.GasLimit, baseFee: *c.BaseFee, mnemonic: c.Mnemonic,
		accounts: c.Accounts, balance: *c.Balance, variant: c.Token, token: token, contracts: c.Contracts,
	}
	if rules := c.optimism(); rules != nil {
		r.rollup = *rules
	}
	return r
}

// madeFrom returns the chain on the genesis of a recipe.
func (c Config) madeFrom(r recipe, accounts []Account, start time.Time, own []types.GenesisAlloc) (*chain.Chain, error) {
	own = slices.DeleteFunc(own, func(alloc types.GenesisAlloc) bool { return alloc == nil })
	genesis, err := r.genesis(accounts, start)
	if len(own) > 0 {
		genesis, err = r.genesisWith(own, accounts, start)
	}
	if err != nil {
		return nil, err
	}
	return chain.New(genesis, c.chainOptions())
}

// chainOptions returns the options of every chain of the node.
func (c Config) chainOptions() chain.Options {
	o := chain.Options{
		History: c.History, Lenient: c.lenient(), Track: c.State != "", Optimism: c.optimism(),
		CodeLimit: evmstate.CodeLimit(c.CodeSizeLimit), TxGasLimit: chain.TxGasLimit(c.TxGasLimit),
	}
	if c.known != nil {
		o.Errors = c.known.Error
	}
	return o
}
