package fakenode

import (
	"cmp"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/keeping"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
)

// spec describes the node of a complete Config to package assembly.
func (c *Config) spec(accounts []Account, start time.Time) assembly.Spec {
	testnet := c.timeline(start)
	main := testnet
	if c.Fork != nil {
		// Gas limit, base fee and time are the fork block's unless they were given.
		main.GasLimit, main.Start, main.BaseFee = c.given.gasLimit, c.StartTime, nil
		if c.given.baseFee != nil {
			main.BaseFee = c.given.baseFee.ToBig()
		}
	}
	s := assembly.Spec{
		Start: start, Accounts: accounts, Mnemonic: c.Mnemonic, Balance: c.Balance,
		ChainID: c.ChainID, TestnetID: presets[c.Preset].testnet, Hardfork: c.Hardfork, GasLimit: c.GasLimit, BaseFee: c.BaseFee,
		Token: c.Token, Contracts: c.Contracts, Predeploys: c.Predeploys, Alloc: c.Alloc,
		Genesis: c.Genesis, Import: c.Import, Fork: c.Fork,
		Chain: c.chain(), Main: main, Testnet: testnet,
		State: c.State, Recover: c.Recover, WithoutWorlds: c.Worlds < 0 || c.NoControl, Logger: c.Logger,
		Expected: keeping.Expected{ChainID: c.given.chainID, Genesis: c.Genesis, Rules: string(c.given.rules)},
	}
	if c.L1 {
		s.L1 = &assembly.L1{Bridge: c.bridge(), BlockTime: cmp.Or(c.L1BlockTime, defaultL1BlockTime), Distance: c.L1Distance}
	}
	return s
}

// timeline describes the timeline of a network.
func (c *Config) timeline(start time.Time) preconf.Config {
	p := presets[c.Preset]
	pooled := c.Compat == Geth && c.FlashblockTime == NoFlashblocks
	timeline := preconf.Config{
		Mode: c.Mode, Order: c.Order, BlockTime: c.BlockTime, FlashblockTime: c.FlashblockTime,
		Start: start, Real: c.RealClock, SafeLag: c.SafeLag, FinalizedLag: c.FinalizedLag,
		PendingLag: c.PendingLag, Replicas: c.replicas, NoPreconf: c.NoPreconf, PendingHash: c.pendingHash(pooled), EqualTimestamps: c.EqualTimestamps,
		MaxFilters: c.MaxFilters, FilterTimeout: c.FilterTimeout, AnyBump: p.anyBump, PaysBaseFee: p.paysFee,
		Together: p.together, Waits: p.waits,
		FeeRecipient: p.tipsGoTo(),
		PendingPool:  pooled,
		PaysTip:      c.imitated() == dialect.Geth, AnnouncesReady: pooled && !p.tellsAll,
	}
	if p.keepsFee {
		timeline.BaseFee = c.BaseFee.ToBig()
	}
	return timeline
}

// pendingHash returns how the pending block gets a hash, nil if it has none; pooled: it is what the pool would make.
func (c *Config) pendingHash(pooled bool) func(*preconf.View) common.Hash {
	p := presets[c.Preset]
	switch {
	case c.Preconf == PreconfPending, p.pendingHash, pooled && p.devNode == "":
		return preconf.HashSoFar
	case c.Preconf.MovesLatest():
		return preconf.HashOfOnes
	}
	return nil
}

// imitated returns the node whose answers are imitated.
func (c *Config) imitated() dialect.Node {
	switch node := presets[c.Preset].devNode; {
	case node == "" && c.Preconf == PreconfMegaETH:
		return dialect.MegaETH
	case node != "" || c.Compat != Geth:
		return node
	}
	return dialect.Geth
}

// wire returns the behaviour of the server.
func (c *Config) wire() api.Behaviour {
	var b api.Behaviour
	if c.Compat == Geth {
		b = persona.Geth.Wire
		b.RejectUnprotected = !c.AllowUnprotected
		b.StandardBlockOverrides = c.imitated() != dialect.Anvil
	}
	b.Preconf, b.NoSendSync = c.Preconf, c.NoSendSync
	b.SendSync = cmp.Or(c.SendSync, b.SendSync)
	b.ClientVersion = cmp.Or(c.ClientVersion, ClientVersion())
	return b
}

// chain returns the options of every chain of the node.
func (c *Config) chain() chain.Options {
	o := chain.Options{
		History: c.History, Lenient: c.lenient(), Track: c.State != "", Optimism: c.optimism(),
		CodeLimit: evmstate.CodeLimit(c.CodeSizeLimit), TxGasLimit: chain.TxGasLimit(c.TxGasLimit),
		Calls: chain.Calls{CallsSeeBaseFee: presets[c.Preset].seesFee, FixedPrecompiles: presets[c.Preset].devNode != ""},
	}
	if c.known != nil {
		o.Errors = c.known.Error
	}
	return o
}

// lenient reports whether Import accepts times, gas limits and base fees of blocks that only commands produce.
func (c *Config) lenient() bool {
	return c.EqualTimestamps || c.BlockTime%time.Second != 0 && c.BlockTime < time.Second
}
