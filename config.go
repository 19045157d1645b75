package fakenode

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// Preset is a set of chain ids.
type Preset string

// The presets. The empty one is Dev.
const (
	Dev  Preset = "dev"  // 31337, test network 31338
	Base Preset = "base" // 8453, test network 84532: clients that know Base need no configuration
)

// Rules are what blocks and transactions follow beside the hard fork.
type Rules string

// The rules.
const (
	// EthereumRules: blocks that any Ethereum client imports.
	EthereumRules Rules = "ethereum"
	// OptimismRules: those of an OP-stack chain such as Base (docs/optimism.md). Each block begins with a deposit, and
	// transactions pay for their data on L1.
	OptimismRules Rules = "op"
)

// Hardforks lists the names that Config.Hardfork knows, oldest first.
func Hardforks() []string { return chain.ForkNames() }

// Config describes a node. The zero value works: the chain of the Dev preset on a manual clock that
// starts at the wall time, with twenty funded accounts and the token, on a free loopback port.
type Config struct {
	// Host is the address to listen on. Empty: 127.0.0.1.
	Host string
	// Port is the TCP port. Zero: a free one. It is opened by Listen, or when a URL is first asked for.
	Port int

	// Preset gives the chain ids and the domain of the token. Empty: Dev.
	Preset Preset
	// ChainID of the main network. Zero: the preset's, or that of Genesis. The test network always has
	// the preset's.
	ChainID uint64
	// Rules are what blocks and transactions follow beside the hard fork. OptimismRules need a hard fork from prague on,
	// and are rejected together with Genesis, Import and Fork. Empty: OptimismRules with the Base preset unless one of
	// these is given, a hard fork before prague, or State keeps a chain of other rules; else EthereumRules.
	Rules Rules
	// Hardfork names the hard fork, "homestead" to "osaka" and "bpo1" to "bpo4". Empty: osaka.
	Hardfork string
	// Genesis replaces the main network's genesis block and accounts, and is rejected together with
	// Hardfork, GasLimit or BaseFee, which it brings. Nil: the preset's.
	Genesis *Genesis
	// Import is read for RLP blocks, one after another, which are executed and checked before the
	// node serves. Where the node's own blocks may have equal timestamps (EqualTimestamps, a BlockTime under a
	// second), theirs may too, and their gas limit and base fee are not checked. Nil: none.
	Import io.Reader
	// Fork continues a live chain in the place of the main network's genesis: everything at and below the fork block is
	// the other chain's, asked for when first needed. Chain id, hard fork, base fee, gas limit and time are the fork
	// block's unless ChainID, Hardfork, BaseFee (of the first block), GasLimit and StartTime are given. Token and the
	// token's holdings are the other chain's. Nil: no fork.
	Fork *Fork
	// State is the path of a file, or of a directory for one, in which both networks and all worlds are kept while they
	// run: a block is in it at most 200 ms after it was sealed, and Close writes the rest. A world that is closed by
	// itself is gone from it. A node with the same path goes on from there; then the fields that make a genesis block,
	// Import and StartTime have no effect, except that a ChainID, Genesis or Fork other than the kept one is rejected; a
	// tag as the block of Fork means what it meant at first. Only one process may use it at a time. Empty: nothing is
	// kept.
	State string
	// Recover is the path of a damaged file of State. What is whole of it is written into a new file at State, and the
	// node goes on from there: from the newest block of each network before the damage, without pool, pending block,
	// clock and settings, and without worlds that begin behind the damage of what they are copies of. The damaged file
	// is left as it is. Empty: nothing is recovered.
	Recover string
	// GasLimit of blocks, in gas. Zero: 60,000,000.
	GasLimit uint64
	// CodeSizeLimit is how many bytes the code of a contract may have, at least 24,576; a creation transaction may have
	// twice as many bytes of init code. Other clients do not import blocks with larger contracts than EIP-170 allows.
	// Zero: 24,576 (EIP-170) and 49,152 (EIP-3860); math.MaxUint64: any.
	CodeSizeLimit uint64
	// TxGasLimit is how much gas a transaction may ask for from Osaka on, at least 16,777,216; blocks and the node (2^30)
	// have limits as well. Other clients do not import blocks with transactions over EIP-7825's limit. Zero: 16,777,216
	// (EIP-7825); math.MaxUint64: any.
	TxGasLimit uint64
	// BaseFee of the genesis block, in wei. Nil: 1 gwei.
	BaseFee *uint256.Int
	// Accounts is how many development accounts are funded. Zero: 20; negative: none.
	Accounts int
	// Mnemonic derives them (BIP-39, m/44'/60'/0'/0/i). Empty: fixtures.DevMnemonic.
	Mnemonic string
	// Balance of each of them, in wei. Nil: 10,000 ether. Each also holds 1,000,000 tokens.
	Balance *uint256.Int
	// Token is the variant of the token in the genesis (contract 2.7-type). Zero: tokencontract.Strict.
	Token tokencontract.Variant
	// Contracts are those of the genesis besides the token. Empty: PaymentContracts.
	Contracts Contracts
	// Predeploys are accounts of the genesis of both networks. They replace what a preset has at their addresses, so that
	// the compiled code of a real contract can stand in for ours; ReadPredeploys reads them from a file. They are rejected
	// together with Genesis, which brings its own. Nil: none. Do not modify them afterwards.
	Predeploys types.GenesisAlloc
	// Alloc are accounts of the main network's genesis alone, which replace those at their addresses as Predeploys do, and
	// theirs; ReadDump reads them from a state that anvil has dumped. They are rejected together with Genesis. Nil: none.
	// Do not modify them afterwards.
	Alloc types.GenesisAlloc
	// History is how many blocks back the state can be read. Zero: 10,000.
	History uint64

	// Mode is what makes flashblocks and blocks. Zero: Manual.
	Mode Mode
	// RealClock lets Run drive the clock from the wall. False: only Advance and Seal move it.
	RealClock bool
	// BlockTime is the distance of two block slots. Zero: 2 s.
	BlockTime time.Duration
	// EqualTimestamps lets a block have its parent's timestamp in Instant mode, so that a burst of blocks does not run
	// ahead of the clock; other clients reject such blocks. False: a block's timestamp is above its parent's, except
	// with a BlockTime under a second.
	EqualTimestamps bool
	// FlashblockTime is the distance of two flashblocks (contract 8-refresh). Zero: 200 ms.
	FlashblockTime time.Duration
	// StartTime is the clock's first reading and the time of the genesis block, in whole seconds.
	// Not before 1970. Zero: the wall time; after Import, or with Genesis, not before the head's time.
	StartTime time.Time
	// Order of execution. Zero: FIFO.
	Order Order
	// SafeLag and FinalizedLag are how many blocks "safe" and "finalized" are behind the head.
	// Nil: 32 and 64.
	SafeLag, FinalizedLag *uint64
	// PendingLag is how many blocks the block context of eth_call at "pending" lags
	// (contract 4-rule3). Zero: not at all.
	PendingLag uint64
	// NoPreconf serves a node without the pre-confirmation layer: "pending" is "latest", and
	// eth_simulateV1 and the pre-confirmation subscriptions are unknown (contract 1-simulate).
	NoPreconf bool

	// ClientVersion is the answer of web3_clientVersion, for clients that accept only some nodes. Empty: ClientVersion().
	ClientVersion string
	// Compat is the profile of the answers. Zero: Spec, the contract's.
	Compat Profile
	// Provider is whose limits to imitate, with their codes and texts. Empty: nobody's.
	Provider Provider
	// Limits are the limits on requests (contract D-limits). Zero: the defaults, which are generous.
	Limits Limits
	// FlashblocksBrotli compresses the frames of the raw feed at /flashblocks for readers that do not ask for either.
	// False: text.
	FlashblocksBrotli bool
	// FlashblocksMetadata is what each frame of the raw feed tells beside the block. Empty: FlashblocksMinimal.
	FlashblocksMetadata FlashblocksMetadata
	// NoControl switches off fakenode_*, evm_*, anvil_*, hardhat_*, miner_*, testing_*, debug_setHead and
	// eth_sendUnsignedTransaction.
	NoControl bool
	// Worlds is how many worlds there may be beside the networks at /, made by NewWorld, fakenode_newWorld and requests
	// to /1, /2 and so on. Zero: 1,000; negative: none. With NoControl there are none. Those that State keeps are
	// served even if they are more, and stay in the file where there are none.
	Worlds int
	// AutoWorlds lets the first request to a path /w/NAME make the world NAME. False: that request is answered with 404.
	AutoWorlds bool
	// AllowHosts are accepted as Host header besides loopback names and IP addresses. "*": any.
	AllowHosts []string
	// AllowOrigins are accepted as a browser's Origin besides loopback and extensions. "*": any.
	AllowOrigins []string
	// MaxFilters is how many filters of eth_newFilter and its kind may be installed on a network. Zero: 10,000.
	MaxFilters int
	// FilterTimeout is how long, in wall time, a filter that nobody reads is kept; without RealClock filters do not
	// expire. Zero: 5 minutes; negative: they never expire.
	FilterTimeout time.Duration
	// Logger gets internal errors; at info a line for each transaction, flashblock, block, reorg and fault; at debug one
	// for each call. Nil: internal errors alone, to slog.Default().
	Logger *slog.Logger
	// Profiling serves net/http/pprof at /debug/pprof/.
	Profiling bool
	// Tap is told what passes over the wire, in an order in which it can be done again: while one message is answered, no
	// other is, and with RealClock Run moves clocks between messages only. It is not called twice at once. It must not
	// call the node, nor keep a Payload. Nil: messages are answered side by side.
	Tap func(TapEvent)

	// loaded reports whether Genesis is that of an earlier node. Settings that a Genesis is rejected with went into it.
	loaded bool
	// given is what some fields were before they got their defaults.
	given given
}

// given are fields of a Config that mean something else where they are not given.
type given struct {
	chainID, gasLimit uint64
	baseFee           *uint256.Int
	rules             Rules
}

const (
	defaultGasLimit = 60_000_000
	defaultBaseFee  = 1_000_000_000 // wei
)

// complete fills in the defaults, or names the field that is wrong.
func (c Config) complete() (Config, error) {
	c.Host = cmp.Or(c.Host, "127.0.0.1")
	c.Preset = cmp.Or(c.Preset, Dev)
	c.Mnemonic = cmp.Or(c.Mnemonic, fixtures.DevMnemonic)
	ids, known := chainIDs[c.Preset]
	switch {
	case !c.Provider.Valid():
		return c, fmt.Errorf("provider %q is unknown", c.Provider)
	case !c.FlashblocksMetadata.Valid():
		return c, fmt.Errorf("metadata of flashblocks is %q, want %q or %q", c.FlashblocksMetadata, FlashblocksMinimal, FlashblocksFull)
	case !known:
		return c, fmt.Errorf("preset %q is neither %q nor %q", c.Preset, Dev, Base)
	case c.Recover != "" && c.State == "":
		return c, fmt.Errorf("%s cannot be recovered without a path for the new state", c.Recover)
	case c.Port < 0 || c.Port > 65535:
		return c, fmt.Errorf("port %d is outside 0 to 65535", c.Port)
	case c.ChainID == ids.testnet:
		return c, fmt.Errorf("chain id %d is that of the test network", c.ChainID)
	case c.GasLimit != 0 && c.GasLimit < params.MinGasLimit:
		return c, fmt.Errorf("gas limit %d is below %d", c.GasLimit, params.MinGasLimit)
	case c.Compat != Spec && c.Compat != Geth:
		return c, fmt.Errorf("unknown profile %d", int(c.Compat))
	case c.Token != tokencontract.Strict && c.Token != tokencontract.DocumentedFlow:
		return c, fmt.Errorf("unknown token variant %d", int(c.Token))
	case !c.StartTime.IsZero() && c.StartTime.Unix() < 0:
		return c, fmt.Errorf("start time %s is before 1970", c.StartTime.UTC().Format(time.RFC3339))
	case c.Accounts > maxAccounts:
		return c, fmt.Errorf("%d accounts are more than %d", c.Accounts, maxAccounts)
	case c.Genesis != nil && !c.loaded && c.Hardfork != "":
		return c, fmt.Errorf("hard fork %q given with a genesis, which brings its own rules", c.Hardfork)
	case c.Genesis != nil && !c.loaded && c.GasLimit != 0:
		return c, fmt.Errorf("gas limit %d given with a genesis, which brings its own", c.GasLimit)
	case c.Genesis != nil && !c.loaded && c.BaseFee != nil:
		return c, fmt.Errorf("base fee %s given with a genesis, which brings its own", c.BaseFee.Dec())
	case c.Genesis != nil && c.ChainID != 0 && (c.Genesis.Config == nil || c.Genesis.Config.ChainID == nil || c.Genesis.Config.ChainID.Cmp(uint256.NewInt(c.ChainID).ToBig()) != 0):
		return c, fmt.Errorf("chain id %d differs from that of the genesis", c.ChainID)
	}
	if err := c.checkFork(); err != nil {
		return c, err
	}
	rules := c.Rules
	if err := c.chooseRules(); err != nil {
		return c, err
	}
	c.Contracts = cmp.Or(c.Contracts, PaymentContracts)
	if err := c.Contracts.check(); err != nil {
		return c, err
	}
	if c.Genesis != nil && !c.loaded && c.Predeploys != nil {
		return c, fmt.Errorf("%d predeploys given with a genesis, which brings its own accounts", len(c.Predeploys))
	}
	if err := evmstate.CodeLimit(c.CodeSizeLimit).Validate(); err != nil {
		return c, err
	}
	if err := chain.TxGasLimit(c.TxGasLimit).Validate(); err != nil {
		return c, err
	}
	for address, account := range c.Predeploys {
		if limit := evmstate.CodeLimit(c.CodeSizeLimit).Bytes(); uint64(len(account.Code)) > limit {
			return c, fmt.Errorf("predeploy %s: code of %d bytes is over the limit of %d (EIP-170)", address, len(account.Code), limit)
		}
	}
	if c.Genesis != nil && !c.loaded && c.Alloc != nil {
		return c, fmt.Errorf("%d accounts of a dump given with a genesis, which brings its own accounts", len(c.Alloc))
	}
	if err := c.Limits.Validate(); err != nil {
		return c, err
	}
	c.given = given{c.ChainID, c.GasLimit, c.BaseFee, rules}
	if c.Fork == nil {
		c.ChainID = cmp.Or(c.ChainID, ids.main)
	} else {
		c.Limits.CallTimeout = cmp.Or(c.Limits.CallTimeout, forkCallTimeout)
	}
	c.GasLimit = cmp.Or(c.GasLimit, defaultGasLimit)
	if c.Accounts == 0 {
		c.Accounts = fixtures.DevAccounts
	}
	c.Accounts = max(c.Accounts, 0)
	if c.Balance == nil {
		c.Balance = fixtures.Ether("10000")
	}
	if c.BaseFee == nil {
		c.BaseFee = uint256.NewInt(defaultBaseFee)
	}
	return c, nil
}

const maxAccounts = 10_000

var chainIDs = map[Preset]struct{ main, testnet uint64 }{
	Dev:  {31337, 31338},
	Base: {8453, 84532},
}
