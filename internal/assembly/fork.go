package assembly

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/keeping"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
)

// logged returns a fork that logs to s.Logger, unless it has a logger of its own.
func (s *Spec) logged(fork remote.Config) *remote.Config {
	fork.Logger = cmp.Or(fork.Logger, s.Logger)
	return &fork
}

// forkChain returns the chain of a main network that goes on from a block of another chain: the development accounts
// and the token's owner have their balance and no code after that block, and everything else is as it is there.
func (s *Spec) forkChain(config remote.Config) (*chain.Chain, error) {
	f, err := remote.Open(context.Background(), *s.logged(config))
	if err != nil {
		return nil, err
	}
	options := s.Chain
	if options.Optimism, err = s.forkRules(f); err != nil {
		return nil, err
	}
	name := s.Hardfork
	if options.Optimism != nil {
		name = cmp.Or(name, options.Optimism.Upgrade.Hardfork)
	}
	if name == "" {
		if name, err = chain.HardforkAt(f); err != nil {
			return nil, err
		}
	}
	rules, err := chain.ForkConfig(name, cmp.Or(s.ChainID, f.ChainID()))
	if err != nil {
		return nil, err
	}
	if id := s.TestnetID; rules.ChainID.Uint64() == id {
		return nil, fmt.Errorf("chain id %d of the fork is that of the test network: give another chain id or preset", id)
	}
	source := f.At(f.Number())
	funded := append([]fixtures.Account{paytoken.Owner}, s.Accounts...)
	needed := slices.SortedFunc(maps.Keys(chain.SystemContracts(rules)), common.Address.Cmp)
	needed = append(needed, paytoken.AddressOn(f))
	if to := s.Main.FeeRecipient; to != nil {
		needed = append(needed, *to)
	}
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
		state = state.WithBalance(account.Address, &s.Balance).WithCode(account.Address, nil)
	}
	return chain.NewFork(f, rules, state, options)
}

// forkRules returns the rules after the fork block of f, those given or its own, or nil for Ethereum's.
func (s *Spec) forkRules(f *remote.Fork) (*optimism.Rules, error) {
	rules := chain.OptimismAt(f)
	switch {
	case s.Expected.Rules == keeping.Ethereum:
		return nil, nil
	case s.Expected.Rules == optimism.Denim.Name && rules == nil:
		return nil, fmt.Errorf("rules %q do not go together with a fork of block %d of chain %d, whose time has no milliseconds", s.Expected.Rules, f.Number(), f.ChainID())
	}
	return rules, nil
}

// Refork makes a network begin anew at a block of a remote chain. Without a URL it stays on the present chain. Another
// chain or block has no cache file. kept is the file of the node, nil for none.
func (s *Spec) Refork(kept *keeping.File, on *preconf.Timeline, url, block string) error {
	if l2, _ := on.Pair(); l2 != nil {
		return errors.New("the network and its L1 belong together: they can be reset without forking only")
	}
	if kept != nil {
		if err := kept.MayLeave(on); err != nil {
			return err
		}
	}
	config := remote.Config{URL: url, Block: block}
	if present := on.Moment().Chain().Fork(); present != nil {
		same := present.Config()
		if same.Offline || same.URL == "" {
			return errors.New("the fork is offline: it can be reset to its own block only, without forking")
		}
		if url == "" || url == same.URL { // with its fallbacks
			same.Block, same.CacheFile, same.PruneUnused = block, "", false
			config = same
		}
	}
	if config.URL == "" {
		return errors.New("no URL to fork from: give forking.jsonRpcUrl")
	}
	begun, err := s.forkChain(config)
	if err != nil {
		return err
	}
	return on.ResetTo(begun, func() {
		if kept != nil {
			kept.Leave(on)
		}
	})
}
