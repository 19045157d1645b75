package fakenode

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/dialect"
	"github.com/fakenode/fakenode/tokencontract"
)

// Preset is a set of values for fields of Config that are left out, with which the node resembles a live chain.
// docs/optimism.md lists them, and which of them are guesses.
type Preset string

// The presets. The empty one is Dev.
const (
	Dev             Preset = "dev"              // 31337, test network 31338
	Base            Preset = "base"             // 8453, test network 84532: Base since Denim, a block every 200 ms
	BaseFlashblocks Preset = "base-flashblocks" // the same ids: Base until Denim, with blocks of 2 s and flashblocks
	Optimism        Preset = "optimism"         // 10, test network 11155420: OP Mainnet since Karst
	Unichain        Preset = "unichain"         // 130, test network 1301: since Karst
	MegaETH         Preset = "megaeth"          // 4326, test network 6343: mini-blocks of 10 ms, and latest moves with them
	Rise            Preset = "rise"             // 4153: shreds, and latest moves with them
	Anvil           Preset = "anvil"            // 31337, test network 31338: answers, limits and blocks as anvil's
	Hardhat         Preset = "hardhat"          // the same as Hardhat's own network's
)

// Profile selects the form of answers where the contract and live clients differ (contract D-profile).
type Profile int

// The profiles. The zero one is the preset's.
const (
	Spec Profile = iota // as in the contract
	Geth                // as execution-apis and live clients do
)

// Name is the profile as the command line spells it.
func (p Profile) Name() string {
	if p == Geth {
		return "geth"
	}
	return "spec"
}

// presetValues are the values of a Preset. Zero values are those of Config without a preset.
type presetValues struct {
	main, testnet             uint64 // chain ids
	bridge                    assembly.Bridge
	rules                     Rules
	blockTime, flashblockTime time.Duration
	gasLimit                  uint64
	fees                      FeeRules
	scalars                   [2]uint32 // of the L1 base fee and blob base fee; zero: Base's
	mode                      Mode
	preconf                   Preconf
	sendSync                  SendSync
	socketIdle                time.Duration
	metadata                  FlashblocksMetadata
	token                     tokencontract.Variant // zero: the profile's

	devNode       dialect.Node // whose answers to imitate, with the Geth profile
	clientVersion string       // in place of our own, which fakenode_info has
	anyFee, anyTx bool         // no cap on a transaction's fee and gas
	unprotected   bool         // signed transactions that are bound to no chain are taken
	history       uint64
	tagsAreLatest bool // "safe" and "finalized" are "latest"
	anyBump       bool // a replacement needs a higher fee cap alone
	together      bool // in Instant mode what is ready has one block
	waits         bool // what is in the pool when Instant mode is set waits for the next transaction
	equalTimes    bool // with a real clock: EqualTimestamps
	keepsFee      bool // the first block has the base fee of the genesis block
	tellsAll      bool // transactions with a gap of nonces are announced, too
	paysFee       bool // a fee cap below the base fee is rejected
	seesFee       bool // calls without a fee see the base fee of their block
	gasOfBlock    bool // a call has the gas of a block
	pendingHash   bool // the pending block has a hash
	keepsID       bool // a fork has the preset's chain id, too
	order         Order
	feeRecipient  *common.Address // nil: FeeRecipient
}

// FeeRecipient receives the tips of blocks, unless the preset's peer or the rules of an OP-stack chain name another
// account, or anvil_setCoinbase does. Nobody has its key.
var FeeRecipient = common.HexToAddress("0xfeefeefeefeefeefeefeefeefeefeefeefeefee0")

// tipsGoTo returns the account that receives the tips.
func (p presetValues) tipsGoTo() common.Address {
	if p.feeRecipient == nil {
		return FeeRecipient
	}
	return *p.feeRecipient
}

var presets = map[Preset]presetValues{
	Dev:  {main: 31337, testnet: 31338, rules: EthereumRules},
	Base: {main: 8453, testnet: 84532, bridge: assembly.BaseBridge, rules: DenimRules, token: Strict},
	BaseFlashblocks: {
		main: 8453, testnet: 84532, bridge: assembly.BaseBridge, rules: OptimismRules, fees: FeeRules{MinBaseFee: new(uint64(5_000_000))}, token: Strict,
	},
	Optimism: {
		main: 10, testnet: 11155420, bridge: assembly.OptimismBridge, rules: KarstRules, blockTime: 2 * time.Second, flashblockTime: 200 * time.Millisecond,
		gasLimit: 40_000_000, fees: FeeRules{Denominator: 250, Elasticity: 2, MinBaseFee: new(uint64)}, scalars: [2]uint32{5227, 1_014_213},
		preconf: PreconfPending, metadata: FlashblocksSubblocks, token: Strict,
	},
	Unichain: {
		main: 130, testnet: 1301, bridge: assembly.UnichainBridge, rules: KarstRules, blockTime: time.Second, flashblockTime: 200 * time.Millisecond,
		gasLimit: 60_000_000, fees: FeeRules{Denominator: 250, Elasticity: 6, MinBaseFee: new(uint64)}, scalars: [2]uint32{2000, 900_000},
		preconf: PreconfFlashblocks, metadata: FlashblocksFull, token: Strict,
	},
	MegaETH: {
		main: 4326, testnet: 6343, rules: EthereumRules, blockTime: time.Second, flashblockTime: 10 * time.Millisecond, preconf: PreconfMegaETH,
		sendSync: SyncMegaETH, socketIdle: 30 * time.Second, token: Strict,
	},
	Rise: {
		main: 4153, testnet: 11155931, rules: EthereumRules, blockTime: time.Second, flashblockTime: 10 * time.Millisecond, preconf: PreconfRise,
		sendSync: SyncEIP, token: Strict,
	},
	Anvil: {
		main: 31337, testnet: 31338, rules: EthereumRules, mode: Instant, flashblockTime: NoFlashblocks, devNode: dialect.Anvil,
		clientVersion: "anvil/v1.7.1", anyFee: true, anyTx: true, unprotected: true, history: 4000, anyBump: true,
		gasLimit: 30_000_000, order: pool.FeeCap, keepsFee: true, paysFee: true, seesFee: true, gasOfBlock: true, pendingHash: true,
		equalTimes: true, together: true, feeRecipient: new(common.Address),
	},
	Hardhat: {
		main: 31337, testnet: 31338, rules: EthereumRules, mode: Instant, flashblockTime: NoFlashblocks, devNode: dialect.Hardhat,
		clientVersion: "HardhatNetwork/2.29.1/@nomicfoundation/edr/0.3.8", anyFee: true, anyTx: true, unprotected: true, tagsAreLatest: true,
		order: Fees, pendingHash: true, keepsID: true, together: true, waits: true, tellsAll: true,
		feeRecipient: new(common.HexToAddress("0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e")),
	},
}

// profileTokens are the tokens of the presets that name none: the contract's procedure runs on that of Spec.
var profileTokens = map[Profile]tokencontract.Variant{Spec: DocumentedFlow, Geth: Strict}

// Presets lists the presets, Dev first.
func Presets() []Preset {
	return []Preset{Dev, Base, BaseFlashblocks, Optimism, Unichain, MegaETH, Rise, Anvil, Hardhat}
}

// check returns an error that lists the presets if there is none of that name.
func (p Preset) check() error {
	if slices.Contains(Presets(), p) {
		return nil
	}
	return fmt.Errorf("preset %q is unknown: want %s", p, listed(Presets()))
}

// bridge returns the preset's L1 and the bridge to it, with the user's times.
func (c *Config) bridge() assembly.Bridge {
	b := presets[c.Preset].bridge
	if b.ChainID == 0 {
		b = assembly.DevBridge
	}
	b.Interval = max(cmp.Or(c.ProposeEvery, b.Interval), 0)
	b.GameType = cmp.Or(c.GameType, b.GameType)
	if c.WithdrawalDelay != 0 {
		b.GameDuration, b.ProofMaturity, b.Finality = c.WithdrawalDelay, 0, 0
	}
	return b
}

// listed returns the names as a text.
func listed[Name ~string](names []Name) string {
	list := make([]string, 0, len(names))
	for _, name := range names {
		list = append(list, strconv.Quote(string(name)))
	}
	return strings.Join(list, ", ")
}

// applyPreset sets the fields that are left out to the preset's values. Those of a genesis block belong to the preset's
// rules: a chain with others does without them.
func (c *Config) applyPreset() {
	p := presets[c.Preset]
	var upgrade optimism.Upgrade
	if rules := c.upgrade(); rules != nil {
		upgrade = *rules
	}
	c.Mode = cmp.Or(c.Mode, p.modeWith(c.BlockTime), Manual)
	c.BlockTime = cmp.Or(c.BlockTime, upgrade.BlockTime, p.blockTime)
	c.FlashblockTime = cmp.Or(c.FlashblockTime, p.flashblockTime)
	c.Preconf = cmp.Or(c.Preconf, p.preconf, PreconfFlashblocks)
	c.SendSync = cmp.Or(c.SendSync, p.sendSync)
	c.Limits.SocketIdle = cmp.Or(c.Limits.SocketIdle, p.socketIdle)
	c.FlashblocksMetadata = cmp.Or(c.FlashblocksMetadata, p.metadata)
	c.GasLimit = cmp.Or(c.GasLimit, p.gasLimit, upgrade.GasLimit, assembly.DefaultGasLimit)
	c.History = cmp.Or(c.History, p.history)
	if c.Order == 0 || c.Order == Fees && p.order != 0 {
		c.Order = p.order // what the peer takes for fees
	}
	if p.devNode != "" {
		c.Compat = Geth
		c.ClientVersion = cmp.Or(c.ClientVersion, p.clientVersion)
	}
	c.Token = cmp.Or(c.Token, p.token, profileTokens[c.Compat])
	c.AllowUnprotected = c.AllowUnprotected || p.unprotected
	c.EqualTimestamps = c.EqualTimestamps || p.equalTimes && c.RealClock && upgrade.BlockTime == 0
	switch {
	case c.Limits.FeeCap != nil:
	case p.anyFee:
		c.Limits.FeeCap = new(uint256.Int)
	case c.Compat == Geth:
		c.Limits.FeeCap = persona.Geth.Limits.FeeCap
	}
	if p.gasOfBlock {
		c.Limits.GasCap = cmp.Or(c.Limits.GasCap, simulate.GasOfBlock)
	}
	if p.anyTx && c.TxGasLimit == 0 {
		c.TxGasLimit = math.MaxUint64
	}
	if p.tagsAreLatest {
		c.SafeLag, c.FinalizedLag = cmp.Or(c.SafeLag, new(uint64)), cmp.Or(c.FinalizedLag, new(uint64))
	}
	if c.Rules != EthereumRules {
		c.Fees.Denominator = cmp.Or(c.Fees.Denominator, p.fees.Denominator)
		c.Fees.Elasticity = cmp.Or(c.Fees.Elasticity, p.fees.Elasticity)
		c.Fees.MinBaseFee = cmp.Or(c.Fees.MinBaseFee, p.fees.MinBaseFee)
	}
}

// modeWith returns the preset's mode where a block time is given, or none is. As with anvil, a block time asks for
// blocks at that interval.
func (p presetValues) modeWith(blockTime time.Duration) Mode {
	if p.mode == Instant && blockTime != 0 {
		return Interval
	}
	return p.mode
}
