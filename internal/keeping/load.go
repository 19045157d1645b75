package keeping

import (
	"context"
	"fmt"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

type loader struct {
	Options
	path string       // of the file, for errors
	fork *remote.Fork // under the main network and its copies; nil: they have a genesis
}

// openFork opens the fork of the main network in the file, nil if it has a genesis. It must be the one in the options.
func (l loader) openFork(is *store.Fork) (*remote.Fork, error) {
	switch {
	case is == nil && l.Fork == nil:
		return nil, nil
	case is == nil:
		return nil, errNoFork(l.path)
	case l.Fork == nil:
		return nil, fmt.Errorf("%s keeps a fork of %s: the fork's URL or cache file must be given again", l.path, is)
	}
	fork, err := remote.Open(context.Background(), l.Fork.Pinned(is.Number))
	if err != nil {
		return nil, err
	}
	if given := fork.Point(); given != is.Point {
		return nil, fmt.Errorf("%s keeps a fork of %s, not of %s", l.path, is, given)
	}
	return fork, nil
}

func errNoFork(path string) error {
	return fmt.Errorf("%s keeps a network with a genesis of its own, not a fork", path)
}

// checkL1 rejects a file with an L1 if the options have none, and the reverse.
func (l loader) checkL1(l1 *store.Network) error {
	switch has := l1.Origin() != nil; {
	case has && l.L1 == nil:
		return fmt.Errorf("%s keeps a network with an L1 beside it: --l1 must be given again", l.path)
	case !has && l.L1 != nil:
		return fmt.Errorf("%s keeps a network without an L1 beside it", l.path)
	}
	return nil
}

// resume returns the timeline of a network in the file.
func (l loader) resume(n *store.Network) (*preconf.Timeline, error) { return l.resumeAbove(n, nil) }

// resumeAbove returns the timeline of a network above the timeline of its L1, which is nil for none, from the file.
func (l loader) resumeAbove(n, l1 *store.Network) (*preconf.Timeline, error) {
	loaded, err := l.load(n)
	if err != nil {
		return nil, err
	}
	config := l.timeline(n.Name().Network, loaded.Chain)
	if l.L1 != nil && l1 != nil {
		if config.Below, err = l.below(l1); err != nil {
			return nil, err
		}
	}
	timeline, err := l.resumed(config, loaded)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.path, err)
	}
	return timeline, nil
}

// below returns the timeline of an L1 from the file.
func (l loader) below(l1 *store.Network) (*preconf.Timeline, error) {
	loaded, err := l.load(l1)
	if err != nil {
		return nil, err
	}
	config := l.timeline(l1Network, loaded.Chain)
	config.Saved = loaded.Saved
	below, err := preconf.New(config)
	if err != nil {
		return nil, fmt.Errorf("%s: l1: %w", l.path, err)
	}
	return below, nil
}

func (l loader) load(n *store.Network) (*store.Loaded, error) {
	options := l.Chain
	options.Lenient = true
	var err error
	if options.Optimism, err = l.rules(n); err != nil {
		return nil, err
	}
	var fork *remote.Fork
	if n.Origin() != nil && n.Origin().Fork != nil {
		fork = l.fork
	}
	loaded, err := n.Load(fork, options)
	if err != nil {
		return nil, err
	}
	if loaded == nil {
		return nil, fmt.Errorf("%s: it has the main network and lacks the network %q", l.path, n.Name().Network)
	}
	return loaded, nil
}

// rules returns the rules that the first block of a network names, nil for Ethereum's. After a genesis, unexpected
// rules are an error.
func (l loader) rules(n *store.Network) (*optimism.Rules, error) {
	origin := n.Origin()
	switch {
	case origin == nil, origin.Fork != nil && origin.Upgrade == "", n.Name().Network == l1Network:
		return nil, nil
	case origin.Fork != nil:
		return chain.OptimismAt(l.fork), nil
	case origin.Upgrade == "":
		return nil, l.checkRules(Ethereum)
	}
	upgrade, err := optimism.UpgradeNamed(origin.Upgrade)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.path, err)
	}
	return optimism.RulesIn(origin.Genesis.ExtraData, upgrade), l.checkRules(upgrade.Name)
}

func (l loader) checkRules(is string) error {
	if want := l.Expected.Rules; want != "" && want != is {
		return fmt.Errorf("rules %q differ from %q, those of %s", want, is, l.path)
	}
	return nil
}

// check rejects a main network with another chain id or genesis than expected.
func (l loader) check(main *chain.Chain) error {
	if is := main.Config().ChainID; l.Expected.ChainID != 0 && is.Uint64() != l.Expected.ChainID {
		return fmt.Errorf("chain id %d differs from %d, that of %s", l.Expected.ChainID, is, l.path)
	}
	if l.Expected.Genesis == nil {
		return nil
	}
	expected, err := chain.New(l.Expected.Genesis, chain.Options{})
	if err != nil {
		return err
	}
	if want, is := expected.Head().Hash(), main.BlockByNumber(0).Hash(); want != is {
		return fmt.Errorf("the genesis given has block %s, and that of %s is %s", want, l.path, is)
	}
	return nil
}
