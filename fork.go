package fakenode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
)

// forkCallTimeout is the CallTimeout of a fork without one of its own: a call that meets a cold cache waits for many
// requests, one after another.
const forkCallTimeout = time.Minute

// checkFork rejects what does not go together with Fork.
func (c *Config) checkFork() error {
	switch {
	case c.Fork == nil:
		return nil
	case c.Genesis != nil:
		return errors.New("a fork has no genesis of its own: give either")
	case c.Import != nil:
		return errors.New("blocks cannot be imported into a fork")
	case c.Predeploys != nil || c.Alloc != nil || c.Contracts != "":
		return errors.New("predeploys, dumps and contracts are for a genesis: a fork has the accounts of the other chain")
	}
	return nil
}

// loggedFork returns a fork that logs to c.Logger, unless it has a logger of its own.
func (c Config) loggedFork(fork remote.Config) *remote.Config {
	if fork.Logger == nil {
		fork.Logger = c.Logger
	}
	return &fork
}

// openFork opens the remote chain of a fork.
func (c Config) openFork(fork remote.Config) (*remote.Fork, error) {
	return remote.Open(context.Background(), *c.loggedFork(fork))
}

// forkChain returns the chain of a fork: the development accounts and TokenOwner have their balance and no code after
// the fork block, and everything else is as it is there.
func (c Config) forkChain(f *remote.Fork, accounts []Account) (*chain.Chain, error) {
	options := c.chainOptions()
	var err error
	if options.Optimism, err = c.forkRules(f); err != nil {
		return nil, err
	}
	name := c.Hardfork
	if options.Optimism != nil {
		name = cmp.Or(name, options.Optimism.Upgrade.Hardfork)
	}
	if name == "" {
		if name, err = chain.HardforkAt(f); err != nil {
			return nil, err
		}
	}
	rules, err := chain.ForkConfig(name, cmp.Or(c.ChainID, f.ChainID()))
	if err != nil {
		return nil, err
	}
	if id := presets[c.Preset].testnet; rules.ChainID.Uint64() == id {
		return nil, fmt.Errorf("chain id %d of the fork is that of the test network: give another chain id or preset", id)
	}
	source := f.At(f.Number())
	funded := append([]Account{TokenOwner}, accounts...)
	needed := slices.SortedFunc(maps.Keys(chain.SystemContracts(rules)), common.Address.Cmp)
	needed = append(needed, paytoken.AddressOn(f))
	for _, account := range funded {
		needed = append(needed, account.Address)
	}
	if err := source.Load(needed...); err != nil {
		return nil, err
	}
	state := evmstate.StateFromSource(source)
	for _, account := range funded {
		if err := state.Load(account.Address); err != nil {
			return nil, err
		}
		// On public chains these accounts may be delegated (EIP-7702) to code that empties them.
		state = state.WithBalance(account.Address, c.Balance).WithCode(account.Address, nil)
	}
	return chain.NewFork(f, rules, state, options)
}

// forkRules returns the rules of an OP-stack chain after the fork block of f, or nil for Ethereum's: those given, or as
// the fork block has them.
func (c Config) forkRules(f *remote.Fork) (*optimism.Rules, error) {
	rules := chain.OptimismAt(f)
	switch {
	case c.given.rules == EthereumRules:
		return nil, nil
	case c.given.rules == DenimRules && rules == nil:
		return nil, fmt.Errorf("rules %q do not go together with a fork of block %d of chain %d, whose time has no milliseconds", DenimRules, f.Number(), f.ChainID())
	}
	return rules, nil
}

// Fork returns the remote chain under the main network, or nil if it is not a fork.
func (n *Network) Fork() *remote.Fork { return n.timeline.Moment().Chain().Fork() }

// refork makes a network begin anew at a block of a remote chain, for anvil_reset. Without a URL it stays on the
// present chain. Another chain or block has no cache file.
func (n *Node) refork(on *preconf.Timeline, url, block string) error {
	if l2, _ := on.Pair(); l2 != nil {
		return errors.New("the network and its L1 belong together: they can be reset without forking only")
	}
	kept := n.kept
	if kept != nil {
		if err := kept.MayLeave(on); err != nil {
			return err
		}
	}
	config := remote.Config{URL: url, Block: block, Logger: n.config.Logger}
	if present := on.Moment().Chain().Fork(); present != nil {
		same := present.Config()
		if same.Offline || same.URL == "" {
			return errors.New("the fork is offline: it can be reset to its own block only, without forking")
		}
		if url == "" || url == same.URL {
			same.Block, same.CacheFile, same.PruneUnused = block, "", false
			config = same
		}
	}
	if config.URL == "" {
		return errors.New("no URL to fork from: give forking.jsonRpcUrl")
	}
	fork, err := n.config.openFork(config)
	if err != nil {
		return err
	}
	begun, err := n.config.forkChain(fork, n.accounts)
	if err != nil {
		return err
	}
	return on.ResetTo(begun, func() {
		if kept != nil {
			kept.Leave(on)
		}
	})
}
