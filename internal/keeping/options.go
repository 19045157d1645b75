package keeping

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// Options describe a node to Open. Path, Begin, Timeline and Logger must be set.
type Options struct {
	// Path is the file, or a directory for the file fakenode.db.
	Path string
	// Damaged is a damaged file to recover into Path, which must not have a node yet. Empty: none.
	Damaged string
	// Expected describes the node that the file must hold.
	Expected Expected
	// Fork is the fork that the main network must be. Its block may be a tag, which means the block that it meant when
	// the file was begun. Nil: the main network is no fork.
	Fork *remote.Config
	// Chain holds the options of the networks' chains. Rules, Lenient and Track are set from the file.
	Chain chain.Options
	// Timeline returns the configuration of a timeline that begins on a chain.
	Timeline func(*chain.Chain) preconf.Config
	// Begin returns the chains of a new node.
	Begin func() (Chains, error)
	// L1 describes the L1 below the main network. Nil: there is none.
	L1 *L1
	// WithoutWorlds ignores the worlds in the file and leaves them there.
	WithoutWorlds bool
	// Logger gets warnings for the user.
	Logger *slog.Logger
}

// Chains are the chains of a node's networks.
type Chains struct{ Main, Testnet, L1 *chain.Chain } // L1 is nil without one

// L1 describes the L1 below a main network.
type L1 struct {
	// Timeline returns the configuration of the L1's timeline that begins on a chain.
	Timeline func(*chain.Chain) preconf.Config
	// Below returns the configuration of the main network's timeline with the L1's below it.
	Below func(main preconf.Config, l1 *preconf.Timeline) preconf.Config
}

// Above returns the timeline of a main network that begins on main, above the timeline of an L1 that begins on l1; l1
// may be nil.
func (o Options) Above(main, l1 *chain.Chain) (*preconf.Timeline, error) {
	config := o.Timeline(main)
	if l1 != nil {
		below, err := preconf.New(o.L1.Timeline(l1))
		if err != nil {
			return nil, fmt.Errorf("l1: %w", err)
		}
		config = o.L1.Below(config, below)
	}
	return preconf.New(config)
}

// Expected holds values that the user gave explicitly. Open rejects a file with other ones. Zero fields accept
// anything.
type Expected struct {
	ChainID uint64 // of the main network
	Genesis *chain.Genesis
	Rules   string // Ethereum, or the name of an optimism.Upgrade
}

// Ethereum names the rules of a chain that is not of the OP stack.
const Ethereum = "ethereum"

// storeOptions lets the logger report slow and failed writing.
func (o Options) storeOptions() store.Options {
	return store.Options{
		Progress: func(how string) { o.Logger.Warn(how) },
		Failed: func(err error) {
			if err != nil {
				o.Logger.Error("the state cannot be kept; trying again every second", "error", err)
			} else {
				o.Logger.Warn("the state is kept again", "file", o.Path)
			}
		},
	}
}

// resumed returns the timeline of a network in the file. A real clock has moved on as far as the wall clock has.
func (o Options) resumed(config preconf.Config, loaded *store.Loaded) (*preconf.Timeline, error) {
	config.Saved = loaded.Saved
	timeline, err := preconf.New(config)
	if passed := time.Since(loaded.Written); err == nil && config.Real && passed > 0 {
		err = timeline.IncreaseTime(passed)
	}
	return timeline, err
}
