package assembly

import (
	"cmp"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rollup"
)

// L1Operator owns the bridge's contracts on the L1.
var L1Operator = fixtures.NamedAccount("fakenode l1 operator")

// L1Config describes the L1 below a main network, which is an OP-stack chain: its chain and the bridge are those of the
// preset.
type L1Config struct {
	// Distance is the number of blocks between the L1's head and the newest L1 block that a block of the main network
	// refers to. Zero: it may be the head.
	Distance uint64
	// BlockTime is the distance of two blocks of the L1, in whole seconds. Zero: 12 s.
	BlockTime time.Duration
	// ProposeEvery is the main network's time between two games about its state, which the L1 needs for withdrawals. Zero:
	// the preset's, 20 min with Base and 1 h with the others; negative: games come on command only.
	ProposeEvery time.Duration
	// GameType is the type of the L1's games with Optimism and Unichain: 8, about output roots, or 9, about super roots.
	// Zero: 9.
	GameType uint32
	// WithdrawalDelay is the time that a withdrawal waits on the L1 for its game's end, in whole seconds; then it is paid
	// at once. Zero: the preset's delays: 5 days with Base, with the others twice 3.5 days and at least 7 after its proof.
	WithdrawalDelay time.Duration
}

// On returns the bridge, DevBridge for the zero one, with the values of c.
func (c L1Config) On(b Bridge) Bridge {
	if b.ChainID == 0 {
		b = DevBridge
	}
	b.Interval = max(cmp.Or(c.ProposeEvery, b.Interval), 0)
	b.GameType = cmp.Or(c.GameType, b.GameType)
	if c.WithdrawalDelay != 0 {
		b.GameDuration, b.ProofMaturity, b.Finality = c.WithdrawalDelay, 0, 0
	}
	return b
}

// DefaultL1BlockTime is Ethereum's.
const DefaultL1BlockTime = 12 * time.Second

// L1 is the L1 below a main network.
type L1 struct {
	L1Config
	Bridge Bridge
}

// Bridge describes an L1's chain and the contracts of the bridge to it.
type Bridge struct {
	ChainID  uint64
	At       l1.Addresses
	GameType uint32
	Roots    uint64        // intermediate ones in a game's extra data
	Interval time.Duration // of games; zero: they come on command only

	GameDuration, ProofMaturity, Finality time.Duration
}

// The bridges of live chains, and DevBridge of a chain that stands for none.
var (
	BaseBridge     = multiproofBridge(1, 5*day) // Base's since Beryl
	AzulBridge     = multiproofBridge(1, 7*day) // Base's before, with games of 7 days
	OptimismBridge = stackBridge(l1.Optimism)
	UnichainBridge = stackBridge(l1.Unichain)
	DevBridge      = multiproofBridge(900, 5*day)
)

const day = 24 * time.Hour

func multiproofBridge(chainID uint64, game time.Duration) Bridge {
	return Bridge{ChainID: chainID, At: l1.Base, GameType: 621, Roots: 20, Interval: 20 * time.Minute, GameDuration: game, ProofMaturity: day}
}

// stackBridge returns the bridge of a chain with the OP stack's own games.
func stackBridge(at l1.Addresses) Bridge {
	const half = 7 * 12 * time.Hour
	return Bridge{ChainID: 1, At: at, GameType: l1.SuperCannonKona, Interval: time.Hour, GameDuration: half, ProofMaturity: 2 * half, Finality: half}
}

// Takes reports whether the bridge can have games of a type, zero for its own.
func (b Bridge) Takes(kind uint32) bool {
	return kind == 0 || b.GameType == l1.SuperCannonKona && (kind == l1.CannonKona || kind == l1.SuperCannonKona)
}

// Holders returns the contracts that hold the tokens of each side which are on the other.
func (b Bridge) Holders() []common.Address {
	return []common.Address{predeploys.StandardBridgeAddress, b.At.StandardBridge}
}

// bridged returns the chain of the main network, whose genesis refers to the L1's, and the timeline of the L1.
func (s *Spec) bridged() (main *chain.Chain, l1 *preconf.Timeline, err error) {
	bridge, settings := s.L1.Bridge, s.bridgeSettings()
	r := s.recipe(bridge.ChainID, paytoken.L1)
	r.Hardfork, r.GasLimit, r.rollup, r.locked = "", DefaultGasLimit, optimism.Rules{}, bridge.At.StandardBridge
	genesis, err := r.genesis(s.Accounts, s.Start, settings.Alloc())
	if err != nil {
		return nil, nil, err
	}
	options := s.Chain
	options.Optimism = nil
	below, err := chain.New(genesis, options)
	if err != nil {
		return nil, nil, err
	}
	origin := rollup.Origin(below, below.Head(), settings.L1)
	predeployed := predeploys.AllocOn(settings.Rules, origin, bridge.At)
	settings.AddToL2(predeployed)
	r = s.recipe(s.ChainID, paytoken.Main)
	r.locked = predeploys.StandardBridgeAddress
	if main, err = s.madeFrom(r, predeployed, s.Predeploys, s.Alloc); err != nil {
		return nil, nil, err
	}
	onL1 := s.l1Timeline()
	onL1.Chain = below
	if l1, err = preconf.New(onL1); err != nil {
		return nil, nil, fmt.Errorf("l1: %w", err)
	}
	return main, l1, nil
}

func (s *Spec) bridgeSettings() l1.Settings {
	bridge, rules := s.L1.Bridge, s.Chain.Optimism
	origin := rules.DefaultL1(uint64(s.Start.Unix()))
	origin.BatcherHash = common.BytesToHash(L1Operator.Address[:])
	return l1.Settings{
		Addresses: bridge.At, Operator: L1Operator.Address, GameType: bridge.GameType,
		GameDuration: bridge.GameDuration, ProofMaturity: bridge.ProofMaturity, Finality: bridge.Finality,
		ChainID: s.ChainID, GasLimit: s.GasLimit, Rules: rules, L1: origin,
		Token: l1.Token{L1: paytoken.L1.Address, L2: paytoken.Main.Address, Locked: bridgedTokens},
	}
}

func (s *Spec) l1Timeline() preconf.Config {
	return preconf.Config{
		Mode: s.Main.Mode, Order: s.Main.Order, BlockTime: cmp.Or(s.L1.BlockTime, DefaultL1BlockTime), FlashblockTime: preconf.NoFlashblocks,
		Behaviour: preconf.Behaviour{PendingPool: true, FeeRecipient: s.Main.FeeRecipient},
		Start:     s.Start, Real: s.Main.Real, Filters: s.Main.Filters,
	}
}

// mainTimeline describes the timeline of the main network, which may be above an L1.
func (s *Spec) mainTimeline() preconf.Config {
	config := s.Main
	if s.L1 == nil {
		return config
	}
	bridge := s.L1.Bridge
	config.Derivation = rollup.Derivation{Portal: bridge.At.Portal, SystemConfig: bridge.At.SystemConfig, Distance: s.L1.Distance}
	config.Operator = &rollup.Proposer{
		Addresses: bridge.At, Key: L1Operator.Key, Roots: bridge.Roots,
		Interval: uint64(bridge.Interval / cmp.Or(config.BlockTime, preconf.DefaultBlockTime)),
	}
	return config
}
