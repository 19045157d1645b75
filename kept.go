package fakenode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// The names of the networks in the file of Config.State.
const (
	keptMain    = "main"
	keptTestnet = "testnet"
)

// resume returns a node that is kept in c.State and goes on from what is there.
func (c Config) resume(accounts []Account, start time.Time) (node *Node, err error) {
	kept, err := store.Open(c.State, c.storeOptions())
	if errors.Is(err, store.ErrOldFormat) {
		if c.Fork != nil {
			return nil, c.noFork()
		}
		return c.convert(accounts, start)
	}
	if err != nil {
		return nil, offered(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, kept.Close())
		}
	}()
	main, test := kept.Network(keptMain), kept.Network(keptTestnet)
	origin := main.Origin()
	if origin == nil {
		return c.begin(kept, accounts, start)
	}
	fork, err := c.keptFork(origin.Fork)
	if err != nil {
		return nil, err
	}
	mainTimeline, err := c.goOn(main, fork)
	if err != nil {
		return nil, err
	}
	if err := c.checkKept(mainTimeline.Moment().Chain()); err != nil {
		return nil, err
	}
	testTimeline, err := c.goOn(test, nil)
	if err != nil {
		return nil, err
	}
	worlds, err := c.keptWorlds(kept, fork)
	if err != nil {
		return nil, offered(err)
	}
	return c.follow(kept, accounts, mainTimeline, testTimeline, worlds...)
}

// keptFork opens the fork that a kept network is, nil if it has a genesis. It must be what c asks for.
func (c Config) keptFork(kept *store.Fork) (*remote.Fork, error) {
	switch {
	case kept == nil && c.Fork == nil:
		return nil, nil
	case kept == nil:
		return nil, c.noFork()
	case c.Fork == nil:
		return nil, fmt.Errorf("%s keeps a fork of %s: the fork's URL or cache file must be given again", c.State, kept)
	}
	fork, err := c.openFork(c.Fork.Pinned(kept.Number))
	if err != nil {
		return nil, err
	}
	if is := fork.Point(); is != kept.Point {
		return nil, fmt.Errorf("%s keeps a fork of %s, not of %s", c.State, kept, is)
	}
	return fork, nil
}

func (c Config) noFork() error {
	return fmt.Errorf("%s keeps a network with a genesis of its own, not a fork", c.State)
}

// begin returns a node on new chains, kept from now on in a file that has nothing yet.
func (c Config) begin(kept *store.Store, accounts []Account, start time.Time) (*Node, error) {
	mainChain, testChain, err := c.chains(accounts, start)
	if err != nil {
		return nil, err
	}
	return c.beginOn(kept, accounts, start, mainChain, testChain)
}

func (c Config) beginOn(kept *store.Store, accounts []Account, start time.Time, mainChain, testChain *chain.Chain) (*Node, error) {
	mainTimeline, testTimeline, err := c.timelines(mainChain, testChain, start)
	if err != nil {
		return nil, err
	}
	return c.follow(kept, accounts, mainTimeline, testTimeline)
}

// follow assembles a node whose timelines are kept.
func (c Config) follow(kept *store.Store, accounts []Account, main, test *preconf.Timeline, worlds ...*keptWorld) (*Node, error) {
	node := assemble(c, accounts, main, test)
	node.kept = kept
	for _, w := range worlds {
		if err := node.resumeWorld(w); err != nil {
			return nil, err
		}
	}
	for name, n := range map[string]*Network{keptMain: node.Network, keptTestnet: node.testnet} {
		n.keeping = keepingIn(kept.Network(name))
		kept.Network(name).Follow(n.timeline)
	}
	return node, nil
}

// load returns what is kept of a network.
func (c Config) load(n *store.Network, fork *remote.Fork) (*store.Kept, error) {
	rules, err := c.keptRules(n)
	if err != nil {
		return nil, err
	}
	options := c.chainOptions()
	options.Lenient, options.Optimism = true, rules
	kept, err := n.Load(fork, options)
	if err != nil {
		return nil, err
	}
	if kept == nil {
		return nil, fmt.Errorf("%s: it has the main network and not the test network", c.State)
	}
	return kept, nil
}

// goOn returns the timeline of a kept network. A real clock is as far ahead of the wall as it was when it was kept.
func (c Config) goOn(n *store.Network, fork *remote.Fork) (*preconf.Timeline, error) {
	kept, err := c.load(n, fork)
	if err != nil {
		return nil, err
	}
	timeline, err := c.timeline(preconf.Config{Chain: kept.Chain, Saved: kept.Saved})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.State, err)
	}
	if passed := time.Since(kept.Written); c.RealClock && passed > 0 {
		if err := timeline.IncreaseTime(passed); err != nil {
			return nil, fmt.Errorf("%s: %w", c.State, err)
		}
	}
	return timeline, nil
}

// keptRules returns the rules of a kept network, which its genesis tells: nil are Ethereum's. Others than those given
// are an error.
func (c Config) keptRules(n *store.Network) (*optimism.Rules, error) {
	origin := n.Origin()
	if origin == nil || origin.Genesis == nil {
		return nil, nil
	}
	rules, is := optimism.RulesIn(origin.Genesis.ExtraData), EthereumRules
	if rules != nil {
		is = OptimismRules
	}
	if c.given.rules != "" && c.Rules != is {
		return nil, fmt.Errorf("rules %q differ from %q, those of %s", c.Rules, is, c.State)
	}
	return rules, nil
}

// checkKept rejects a chain id or a genesis other than those of the kept main network.
func (c Config) checkKept(kept *chain.Chain) error {
	if is := kept.Config().ChainID; c.given.chainID != 0 && is.Uint64() != c.ChainID {
		return fmt.Errorf("chain id %d differs from %d, that of %s", c.ChainID, is, c.State)
	}
	if c.Genesis == nil {
		return nil
	}
	given, err := chain.New(c.Genesis, chain.Options{})
	if err != nil {
		return err
	}
	if is, want := given.Head().Hash(), kept.BlockByNumber(0).Hash(); is != want {
		return fmt.Errorf("the genesis given has block %s, and that of %s is %s", is, c.State, want)
	}
	return nil
}

// storeOptions lets the logger tell what a user must know of the file.
func (c Config) storeOptions() store.Options {
	logger := c.logger()
	return store.Options{
		Progress: func(how string) { logger.Warn(how) },
		Failed: func(err error) {
			if err != nil {
				logger.Error("the state cannot be kept; trying again every second", "error", err)
			} else {
				logger.Warn("the state is kept again", "file", c.State)
			}
		},
	}
}

// convert returns a node on what SaveState wrote to c.State, and keeps it there in the present format. The file as it
// was stays beside it. It is not touched before its blocks are executed.
func (c Config) convert(accounts []Account, start time.Time) (*Node, error) {
	path, err := store.Path(c.State)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if c.given.rules != "" && c.Rules != EthereumRules {
		return nil, fmt.Errorf("rules %q differ from %q, those of %s", c.Rules, EthereumRules, c.State)
	}
	c.Genesis, c.Import, c.Rules = nil, nil, EthereumRules
	if err := c.LoadState(bytes.NewReader(text)); err != nil {
		if _, notDumped := ReadDump(bytes.NewReader(text)); notDumped == nil {
			return nil, fmt.Errorf("%s is a state that anvil has dumped: --load-state reads it (Config.Alloc), and --state needs a file of its own", c.State)
		}
		return nil, fmt.Errorf("%s: %w", c.State, err)
	}
	if given := c.Genesis.Config; c.given.chainID != 0 && (given == nil || given.ChainID == nil || given.ChainID.Uint64() != c.ChainID) {
		return nil, fmt.Errorf("chain id %d differs from that of %s", c.ChainID, c.State)
	}
	mainChain, testChain, err := c.chains(accounts, start)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.State, err)
	}
	if err := replaceOld(path, text); err != nil {
		return nil, err
	}
	kept, err := store.Open(path, c.storeOptions())
	if err != nil {
		return nil, err
	}
	node, err := c.beginOn(kept, accounts, start, mainChain, testChain)
	if err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	return node, nil
}

// replaceOld writes a file's text beside it and then empties it. It is emptied in place, because a file that is mounted
// into a container cannot be replaced.
func replaceOld(path string, text []byte) error {
	copied, err := os.OpenFile(path+oldSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("%s has the format of an earlier version, and no copy of it can be made before it is converted: %w", path, err)
	}
	_, err = io.Copy(copied, bytes.NewReader(text))
	if err := errors.Join(err, copied.Sync(), copied.Close()); err != nil {
		return errors.Join(err, os.Remove(copied.Name()))
	}
	return os.Truncate(path, 0)
}

// oldSuffix ends the name of the copy that convert makes.
const oldSuffix = ".old"
