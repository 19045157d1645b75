package fakenode

import (
	"cmp"
	"time"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/keeping"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// merged returns the node that c is like with the values that c gives.
func (c *Config) merged() Chain {
	like := *c.like
	row := Chain{
		ChainID: c.ChainID, Hardfork: c.Hardfork, Rules: string(c.Rules), Fees: c.Fees, GasLimit: c.GasLimit,
		Mode: c.Mode, Order: c.Order, BlockTime: c.BlockTime, FlashblockTime: c.FlashblockTime,
		Limits: c.Limits, Frames: c.Flashblocks.Metadata, Token: c.Token, X402Assets: c.X402Assets,
		Chain: chain.Options{
			History: c.History, CodeLimit: evmstate.CodeLimit(c.CodeSizeLimit), TxGasLimit: chain.TxGasLimit(c.TxGasLimit),
		},
		Blocks: preconf.Behaviour{EqualTimestamps: c.EqualTimestamps, Lags: c.Lags},
		Wire:   api.Behaviour{ClientVersion: c.ClientVersion, Preconf: c.Preconf, SendSync: c.SendSync, NoSendSync: c.NoSendSync},
	}
	if c.Compat == Geth {
		row.Wire.Forms = persona.Geth.Wire.Forms
	}
	if c.BlockTime != 0 && like.Mode == Instant {
		like.Mode = Interval // as with anvil, a block time asks for blocks at that interval
	}
	if c.Order.String() == like.Order.String() {
		row.Order = like.Order // what the peer takes for fees
	}
	row.Fill(like)
	return row
}

// described returns merged with the values that its profile, its rules and its room decide.
func (c *Config) described() Chain {
	row, upgrade := c.merged(), *cmp.Or(c.upgrade(), new(optimism.Upgrade))
	if !c.RealClock || upgrade.BlockTime != 0 {
		row.Blocks.EqualTimestamps = c.EqualTimestamps
	}
	if c.Fork != nil {
		row.Limits.CallTimeout = cmp.Or(row.Limits.CallTimeout, forkCallTimeout)
	}
	row.FillProfile()
	row.BlockTime = cmp.Or(upgrade.BlockTime, row.BlockTime)
	row.GasLimit = cmp.Or(row.GasLimit, upgrade.GasLimit, assembly.DefaultGasLimit)
	row.Wire.RejectUnprotected = row.Wire.RejectUnprotected && !c.AllowUnprotected
	row.Wire.ClientVersion = cmp.Or(row.Wire.ClientVersion, ClientVersion())
	row.Chain.Optimism = c.optimism(row.Fees, row.L1Scalars)
	row.Chain.Track = c.State != ""
	row.Chain.Lenient = row.Blocks.EqualTimestamps || row.BlockTime%time.Second != 0 && row.BlockTime < time.Second
	if c.known != nil {
		row.Chain.Errors = c.known.Error
	}
	return row
}

// spec describes the node of a complete Config to package assembly.
func (c *Config) spec(accounts []Account, start time.Time) assembly.Spec {
	row := c.row
	testnet := preconf.Config{
		Mode: row.Mode, Order: row.Order, BlockTime: row.BlockTime, FlashblockTime: row.FlashblockTime, Start: start, Real: c.RealClock,
		Replicas: c.replicas, NoPreconf: c.NoPreconf, Filters: c.Filters,
		Behaviour: row.Blocks, Pool: row.Pool,
	}
	if row.KeepsBaseFee {
		testnet.BaseFee = c.BaseFee.ToBig()
	}
	main := testnet
	if c.Fork != nil {
		// Gas limit, base fee and time are the fork block's unless they were given.
		main.GasLimit, main.Start, main.BaseFee = c.given.GasLimit, c.StartTime, nil
		if c.given.BaseFee != nil {
			main.BaseFee = c.given.BaseFee.ToBig()
		}
	}
	genesis := c.Genesis
	if genesis != nil && c.GenesisNumber != 0 {
		own := *genesis
		own.Number, genesis = c.GenesisNumber, &own
	}
	s := assembly.Spec{
		Options: keeping.Options{
			Path: c.State, Damaged: c.Recover, Fork: c.Fork, Chain: row.Chain, Main: main, Testnet: testnet,
			WithoutWorlds: c.Worlds.Count < 0 || c.NoControl, Logger: c.Logger,
			Expected: keeping.Expected{ChainID: c.given.ChainID, Genesis: genesis, Rules: string(c.given.Rules)},
		},
		Start: start, Accounts: accounts, Mnemonic: c.Mnemonic, Balance: c.Balance,
		ChainID: c.ChainID, TestnetID: row.TestnetID, Hardfork: c.Hardfork, GasLimit: row.GasLimit, BaseFee: c.BaseFee, GenesisNumber: c.GenesisNumber,
		Token: row.Token, Contracts: c.Contracts, X402Assets: row.X402Assets, Predeploys: c.Predeploys, Alloc: c.Alloc,
		Genesis: genesis, Import: c.Import,
	}
	if c.L1 != nil {
		s.L1 = &assembly.L1{L1Config: *c.L1, Bridge: c.L1.On(row.Bridge)}
	}
	return s
}
