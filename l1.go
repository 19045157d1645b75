package fakenode

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rollup"
)

// defaultL1BlockTime is Ethereum's.
const defaultL1BlockTime = 12 * time.Second

// L1Operator owns the bridge's contracts on the L1: it is the guardian, and proposes. Its key is as public as those of
// the development accounts.
var L1Operator = fixtures.NamedAccount("fakenode l1 operator")

// Bridge commands the contracts between the main network and its L1. It fails the test, or panics outside one, on a
// node without Config.L1.
func (n *Node) Bridge() rollup.Bridge {
	n.t.Helper()
	b, err := rollup.Of(n.Timeline())
	n.check(err)
	return b
}

// bridgeValues are those of a preset's L1 and of the bridge to it.
type bridgeValues struct {
	chainID  uint64
	at       l1.Addresses
	gameType uint32
	roots    uint64        // intermediate ones in a game's extra data
	interval time.Duration // of games

	gameDuration, proofMaturity, finality time.Duration
}

var (
	// baseBridge is Base's since its multiproofs.
	baseBridge = bridgeValues{
		chainID: 1, at: l1.Base, gameType: 621, roots: 20, interval: 20 * time.Minute, gameDuration: 5 * 24 * time.Hour,
	}
	// devBridge is that of a chain that stands for no live one.
	devBridge = bridgeValues{
		chainID: 900, at: l1.Base, gameType: 621, roots: 20, interval: 20 * time.Minute, gameDuration: 5 * 24 * time.Hour,
	}
)

// stackBridge is that of a chain with the OP stack's own games.
func stackBridge(at l1.Addresses) bridgeValues {
	const half = 7 * 12 * time.Hour
	return bridgeValues{
		chainID: 1, at: at, gameType: 8, interval: time.Hour, gameDuration: half, proofMaturity: 2 * half, finality: half,
	}
}

// bridge returns the values of the L1 and of the bridge to it.
func (c *Config) bridge() bridgeValues {
	b := presets[c.Preset].bridge
	if b.chainID == 0 {
		b = devBridge
	}
	b.interval = max(cmp.Or(c.ProposeEvery, b.interval), 0)
	if c.WithdrawalDelay != 0 {
		b.gameDuration, b.proofMaturity, b.finality = c.WithdrawalDelay, 0, 0
	}
	return b
}

// checkL1 rejects an L1 below a chain that cannot have one, and fields that need one.
func (c *Config) checkL1() error {
	for _, given := range []struct {
		name  string
		value time.Duration
	}{
		{"block time", c.L1BlockTime},
		{"withdrawal delay", c.WithdrawalDelay},
	} {
		if given.value < 0 || given.value%time.Second != 0 || given.value > preconf.LongestTime {
			return fmt.Errorf("%s %s of the L1: want whole seconds up to %s", given.name, given.value, preconf.LongestTime)
		}
	}
	var against error
	switch {
	case !c.L1 && (c.L1Distance != 0 || c.L1BlockTime != 0 || c.ProposeEvery != 0 || c.WithdrawalDelay != 0):
		return errors.New("values of an L1 are given without an L1")
	case !c.L1:
		return nil
	case c.Fork != nil:
		against = errors.New("a fork, which has an L1 of its own")
	case c.Import != nil:
		against = errors.New("blocks to import, which refer to another L1")
	case c.Genesis != nil:
		against = errors.New("a genesis of your own")
	case c.Rules == EthereumRules:
		against = fmt.Errorf("the rules %q: want those of an OP-stack chain, as the presets %q and %q have them", c.Rules, Base, Optimism)
	case c.Contracts == NoContracts:
		against = fmt.Errorf("contracts %q: clients ask Multicall3 on the L1", c.Contracts)
	}
	if most := uint64(rollup.MaxSequencerDrift / cmp.Or(c.L1BlockTime, defaultL1BlockTime)); c.L1Distance > most {
		return fmt.Errorf("distance %d of the L1: want at most %d blocks, since a block of the L2 is at most %s later than its origin",
			c.L1Distance, most, rollup.MaxSequencerDrift)
	}
	if against != nil {
		return fmt.Errorf("an L1 beside the main network does not go together with %w", against)
	}
	return nil
}

// settings describe the bridge's contracts.
func (c *Config) bridgeSettings(start time.Time) l1.Settings {
	b, rules := c.bridge(), c.optimism()
	origin := rules.DefaultL1(uint64(start.Unix()))
	origin.BatcherHash = common.BytesToHash(L1Operator.Address[:])
	return l1.Settings{
		Addresses: b.at, Operator: L1Operator.Address, GameType: b.gameType,
		GameDuration: b.gameDuration, ProofMaturity: b.proofMaturity, Finality: b.finality,
		ChainID: c.ChainID, GasLimit: c.GasLimit, Rules: rules, L1: origin,
		Token: l1.Token{L1: paytoken.L1.Address, L2: paytoken.Main.Address, Locked: bridgedTokens},
	}
}

// l1Chain returns the chain of the L1, with a genesis at a time.
func (c Config) l1Chain(accounts []Account, start time.Time) (*chain.Chain, error) {
	r := c.recipe(c.bridge().chainID, paytoken.L1)
	r.hardfork, r.gasLimit, r.rollup, r.locked = "", defaultGasLimit, optimism.Rules{}, c.bridge().at.StandardBridge
	genesis, err := r.genesisWith([]types.GenesisAlloc{c.bridgeSettings(start).Alloc()}, accounts, start)
	if err != nil {
		return nil, err
	}
	options := c.chainOptions()
	options.Optimism = nil
	return chain.New(genesis, options)
}

// l2Chain returns the chain of the main network above an L1, to whose genesis its own refers.
func (c Config) l2Chain(below *chain.Chain, accounts []Account, start time.Time) (*chain.Chain, error) {
	b, settings := c.bridge(), c.bridgeSettings(start)
	origin := rollup.Origin(below, below.Head(), settings.L1)
	predeployed := predeploys.AllocOn(settings.Rules, origin, predeploys.Bridge{Messenger: b.at.Messenger, StandardBridge: b.at.StandardBridge})
	settings.AddToL2(predeployed)
	r := c.recipe(c.ChainID, paytoken.Main)
	r.locked = predeploys.StandardBridgeAddress
	return c.madeFrom(r, accounts, start, []types.GenesisAlloc{predeployed, c.Predeploys, c.Alloc})
}

// l1Timeline describes the timeline of the L1.
func (c Config) l1Timeline(on *chain.Chain, start time.Time) preconf.Config {
	return preconf.Config{
		Chain: on, Mode: c.Mode, Order: c.Order, BlockTime: cmp.Or(c.L1BlockTime, defaultL1BlockTime),
		FlashblockTime: NoFlashblocks, PendingPool: true, Start: start, Real: c.RealClock,
		MaxFilters: c.MaxFilters, FilterTimeout: c.FilterTimeout,
	}
}

// onL1 lets a timeline of the main network go on above an L1.
func (c Config) onL1(main preconf.Config, below *preconf.Timeline) preconf.Config {
	b := c.bridge()
	main.Below, main.Operator = below, c.proposer()
	main.Derivation = rollup.Derivation{Portal: b.at.Portal, SystemConfig: b.at.SystemConfig, Distance: c.L1Distance}
	return main
}

// proposer returns who operates the main network on the L1.
func (c *Config) proposer() *rollup.Proposer {
	b := c.bridge()
	return &rollup.Proposer{Addresses: b.at, Key: L1Operator.Key, Interval: uint64(b.interval / cmp.Or(c.BlockTime, preconf.DefaultBlockTime)), Roots: b.roots}
}
