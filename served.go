package fakenode

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

// served returns the network as the server answers from it, and from its copies in worlds.
func (n *Network) served(keys []*ecdsa.PrivateKey) *rpcserver.Network {
	if n == nil {
		return nil
	}
	return &rpcserver.Network{
		Timeline: n.timeline, Keys: keys, Profile: n.node.config.Compat, Preconf: n.node.config.Preconf, NoSendSync: n.node.config.NoSendSync, NoBundler: n.node.config.NoBundler,
		BundlerRules: n.node.config.BundlerRules,
		Scenario: func(ctx context.Context, on *preconf.Timeline, name string, params json.RawMessage) (any, error) {
			return n.on(on).serveScenario(ctx, name, params)
		},
		Mint: func(ctx context.Context, on *preconf.Timeline, to common.Address, units *uint256.Int) (*uint256.Int, error) {
			return n.on(on).mint(ctx, to, units)
		},
		Refork: func(on *preconf.Timeline, url, block string) error { return n.on(on).refork(url, block) },
	}
}

// on returns the network with a timeline that was copied from its own.
func (n *Network) on(timeline *preconf.Timeline) *Network {
	copied := *n
	copied.timeline = timeline
	return &copied
}

// disabled returns a function that reports whether the node lacks a method, or nil if it lacks none.
func (c *Config) disabled() func(method string) bool {
	noControl, noPreconf := c.NoControl, c.NoPreconf
	if !noControl && !noPreconf {
		return nil // the server does not ask for each call then
	}
	return func(method string) bool {
		return noControl && rpcserver.Control(method) || noPreconf && rpcserver.Preconfirmation(method)
	}
}
