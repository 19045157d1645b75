package keeping

import (
	"log/slog"
	"time"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// Options describe a node to Open. Path and Logger must be set.
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
	// Main and Testnet describe the timelines of the networks, without their chains and the L1 below.
	Main, Testnet preconf.Config
	// L1 describes the timeline of the L1 below the main network. Nil: there is none.
	L1 *preconf.Config
	// WithoutWorlds ignores the worlds in the file and leaves them there.
	WithoutWorlds bool
	// Logger gets warnings for the user.
	Logger *slog.Logger
}

// timeline describes the timeline of a network of that name that begins on a chain.
func (o Options) timeline(network string, on *chain.Chain) preconf.Config {
	config := o.Main
	switch network {
	case testNetwork:
		config = o.Testnet
	case l1Network:
		config = *o.L1
	}
	config.Chain = on
	return config
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
