package fakenode

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/keeping"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// keptNode returns a node that is kept in c.State, as the file has it or a new one.
func (c Config) keptNode(accounts []Account, start time.Time) (*Node, error) {
	file, err := keeping.Open(c.keeping(accounts, start))
	if err != nil {
		return nil, err
	}
	node := assemble(c, accounts, file.Main, file.Testnet, file)
	for _, w := range file.Worlds {
		if _, err := node.host.server.Resume(w.Name, w.Made, w.Main, w.Testnet); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: world %s: %w", c.State, w.Name, err), node.Close())
		}
	}
	return node, nil
}

// keeping describes the node to package keeping.
func (c Config) keeping(accounts []Account, start time.Time) keeping.Options {
	o := keeping.Options{
		Path: c.State, Damaged: c.Recover, Chain: c.chainOptions(), WithoutWorlds: c.Worlds < 0 || c.NoControl, Logger: c.logger(),
		Expected: keeping.Expected{ChainID: c.given.chainID, Genesis: c.Genesis, Rules: string(c.given.rules)},
		Timeline: func(on *chain.Chain) preconf.Config { return c.timelineConfig(on, start) },
		Begin:    func() (keeping.Chains, error) { return c.chains(accounts, start) },
	}
	if c.L1 {
		o.L1 = &keeping.L1{
			Timeline: func(on *chain.Chain) preconf.Config { return c.l1Timeline(on, start) },
			Below:    c.onL1,
		}
	}
	if c.Fork != nil {
		o.Fork = c.loggedFork(*c.Fork)
	}
	return o
}

// keeperOf returns a file as the server takes it, nil for none.
func keeperOf(file *keeping.File) world.Keeper {
	if file == nil {
		return nil
	}
	return file
}

// logger returns the log for what the user must know.
func (c Config) logger() *slog.Logger {
	if c.Logger == nil {
		return slog.Default()
	}
	return c.Logger
}
