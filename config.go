package fakenode

import (
	"io"
	"log/slog"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/rpcserver/world"
	"github.com/fakenode/fakenode/tokencontract"
)

// Hardforks lists the names that Config.Hardfork knows, oldest first.
func Hardforks() []string { return chain.ForkNames() }

// Config describes a node. The zero value works: the chain of the Dev preset on a manual clock that
// starts at the wall time, with twenty funded accounts and the token, on a free loopback port.
type Config struct {
	// What most tests set

	// Preset gives the chain ids, the domain of the token, and values of some fields that are left out. Empty: Dev.
	Preset Preset
	// Chain is the node to be like in place of a preset, for a chain of one's own: Preset.Chain with other
	// values, or what ReadChain reads from a file. It is rejected together with Preset. Nil: the preset's.
	Chain *Chain
	// StartTime is the clock's first reading and the time of the genesis block, in whole seconds.
	// Not before 1970. Zero: the wall time; after Import, or with Genesis, not before the head's time.
	StartTime time.Time
	// Mode decides what makes flashblocks and blocks. Zero: the preset's: Manual, but with Anvil and Hardhat Instant, or
	// Interval if BlockTime is given.
	Mode Mode
	// BlockTime is the distance of two block slots. Zero: the preset's, 2 s with Dev.
	BlockTime time.Duration
	// Accounts is the number of funded development accounts. Zero: 20, 10 with Anvil; negative: none.
	Accounts int
	// Balance of each of them, in wei. Nil: 10,000 ether. Each also holds 1,000,000 tokens.
	Balance *uint256.Int
	// Alloc are accounts of the main network's genesis alone. They replace what a preset and Predeploys have at their
	// addresses; ReadDump reads them from a state that anvil has dumped. They are rejected together with Genesis. Nil:
	// none. Do not modify them afterwards.
	Alloc types.GenesisAlloc
	// Fork continues a live chain in the place of the main network's genesis: everything at and below the fork block is
	// the other chain's, asked for when first needed. Chain id, hard fork, base fee, gas limit and time are the fork
	// block's unless ChainID, Hardfork, BaseFee (of the first block), GasLimit and StartTime are given. Token and the
	// token's holdings are the other chain's. Nil: no fork.
	Fork *Fork
	// Compat is the profile of the answers. Zero: the preset's: Geth with Anvil and Hardhat, else Spec, the contract's.
	Compat Profile
	// Logger gets internal errors; at info a line for each transaction, flashblock, block, reorg and fault; at debug one
	// for each call. Nil: internal errors alone, to slog.Default().
	Logger *slog.Logger

	// Blocks and time

	// RealClock lets Run drive the clock from the wall. False, whatever the preset: only commands move it, and in Instant
	// mode each block.
	RealClock bool
	// FlashblockTime is the distance of two flashblocks (contract 8-refresh); with NoFlashblocks they come on command
	// only. Zero: the preset's, 200 ms with Dev.
	FlashblockTime time.Duration
	// Order of execution. Zero: the preset's, FIFO with Dev.
	Order Order
	// EqualTimestamps lets a block have its parent's timestamp in Instant and Manual mode, so that a burst of blocks does
	// not run ahead of the clock; other clients reject such blocks. False: the preset's; with Anvil and a RealClock it is
	// so, else a block's timestamp is above its parent's, except with a BlockTime under a second.
	EqualTimestamps bool

	// The chain and its rules

	// ChainID of the main network. Zero: the preset's, or the one of Genesis. The test network always has the preset's.
	ChainID uint64
	// Hardfork names the hard fork, "homestead" to "osaka", "bpo1" to "bpo4" and "amsterdam". Empty: prague with
	// JovianRules, else osaka.
	Hardfork string
	// Rules are the rules of blocks and transactions in addition to the hard fork. Rules of an OP-stack chain need the
	// hard fork prague or a later one, but not amsterdam, and are rejected together with Genesis, Import and Fork. Empty:
	// the preset's unless one of these is given, a hard fork that they do not have, or State keeps a chain of other rules;
	// else EthereumRules.
	Rules Rules
	// Fees are the rules of the base fee of an OP-stack chain, and rejected with EthereumRules.
	Fees FeeRules
	// GenesisNumber is the number of the main network's first block, which with rules of an OP-stack chain is 0. Zero:
	// that of Genesis, or 0.
	GenesisNumber uint64
	// GasLimit of blocks, in gas. Zero: the preset's, 60,000,000 with Dev.
	GasLimit uint64
	// BaseFee of the genesis block, in wei. Nil: 1 gwei; with MegaETH 1,000,000, as in every block.
	BaseFee *uint256.Int
	// CodeSizeLimit is the most bytes that the code of a contract may have, at least 24,576; a creation transaction may
	// have twice as many bytes of init code. Other clients do not import blocks with larger contracts than EIP-170 allows.
	// Zero: 24,576 (EIP-170) and 49,152 (EIP-3860); math.MaxUint64: any. Blocks of amsterdam have limits of 65,536 and
	// 131,072 (EIP-7954) whatever is given, and with that Hardfork larger ones are rejected.
	CodeSizeLimit uint64
	// TxGasLimit is the largest gas limit of a transaction from Osaka on, at least 16,777,216; blocks and the node (2^30)
	// have limits as well. Other clients do not import blocks with transactions over EIP-7825's limit. Zero: 16,777,216
	// (EIP-7825), and from amsterdam on 4,294,967,295, of which 16,777,216 may be execution gas (EIP-8037);
	// math.MaxUint64: any.
	TxGasLimit uint64
	// ReserveBalance in wei, or what it had if that is less, a transaction must leave each account without code, or with a
	// delegation; else it fails. Only where gas limits are charged, as with Monad. Nil: nothing.
	ReserveBalance *uint256.Int
	// History is of how many blocks the state can be read, the head among them. Zero: 10,000.
	History uint64

	// The genesis, and blocks after it

	// Mnemonic derives the development accounts (BIP-39, m/44'/60'/0'/0/i). Empty: fixtures.DevMnemonic.
	Mnemonic string
	// Token is the variant of the token in the genesis (contract 2.7-type). Zero: DocumentedFlow, but Strict with Geth and
	// the presets of live chains.
	Token tokencontract.Variant
	// Contracts selects the contracts of the genesis besides the token. Empty: PaymentContracts.
	Contracts Contracts
	// X402Assets puts the tokens into the genesis of each network in which x402 names prices in dollars on a chain of that
	// id, such as USDC, with its domain. False: they are there with the presets of live chains, where x402 has one.
	X402Assets bool
	// Predeploys are accounts of the genesis of both networks. They replace what a preset has at their addresses, so that
	// the compiled code of a real contract can stand in for ours; ReadPredeploys reads them from a file. They are rejected
	// together with Genesis, which brings its own. Nil: none. Do not modify them afterwards.
	Predeploys types.GenesisAlloc
	// Genesis replaces the main network's genesis block and accounts, and is rejected together with
	// Hardfork, GasLimit or BaseFee, which it brings. Nil: the preset's.
	Genesis *Genesis
	// Import is read for RLP blocks, one after another, which are executed and checked before the
	// node serves. Where the node's own blocks may have equal timestamps (EqualTimestamps, a BlockTime under a
	// second), theirs may too, and their gas limit and base fee are not checked. Nil: none.
	Import io.Reader

	// The L1

	// L1 puts an L1 by Ethereum's rules below the main network, which must be an OP-stack chain: deposits come from its
	// portal, a reorg of it is one of the main network, and both have one clock (docs/l1.md). Nil: there is none, and
	// Timeline.SetL1 and Timeline.Deposit stand for it.
	L1 *L1Config

	// Block tags and pre-confirmation

	// Lags are how far "safe" and "finalized" are behind the head, and the block context of eth_call at "pending".
	Lags Lags
	// Replicas describes the replicas of both networks.
	Replicas Replicas
	// NoPreconf serves a node without the pre-confirmation layer: "pending" is "latest", and
	// eth_simulateV1 and the pre-confirmation subscriptions are unknown (contract 1-simulate).
	NoPreconf bool
	// Preconf is how clients see what is not in a block yet. Empty: the preset's, PreconfFlashblocks with Dev.
	Preconf Preconf
	// SendSync selects the rules of eth_sendRawTransactionSync: codes, timeouts, what it waits for. Empty: the preset's,
	// else those of Compat.
	SendSync SendSync
	// NoSendSync answers eth_sendRawTransactionSync with -32601, as those endpoints of Base do that had flashblocks before
	// Denim. False: it waits for the receipt.
	NoSendSync bool
	// Flashblocks describes the frames of the raw feed at /flashblocks. An empty Metadata: the preset's,
	// FlashblocksMinimal with Dev.
	Flashblocks Frames

	// User operations

	// Bundler configures the bundler for user operations (ERC-7769).
	Bundler Bundler

	// What outlives the process

	// State is the path of a file, or of a directory for one, in which both networks and all worlds are kept while they
	// run: a block is in it at most 200 ms after it was sealed, and Close writes the rest. A world that is closed by
	// itself is gone from it. A node with the same path goes on from there; then the fields that make a genesis block,
	// Import and StartTime have no effect, except that a ChainID, Genesis or Fork other than the kept one is rejected; a
	// tag as the block of Fork means what it meant at first. Only one process may use it at a time. Empty: nothing is
	// kept.
	State string
	// Recover is the path of a damaged file of State. Its undamaged parts are written into a new file at State, and the
	// node goes on from there: from the newest block of each network before the damage, without pool, pending block, clock
	// and settings, and without worlds that begin behind the damage of their source. The damaged file is left as it is.
	// Empty: nothing is recovered.
	Recover string

	// Answers and limits

	// ClientVersion is the answer of web3_clientVersion, for clients that accept only some nodes. Empty: ClientVersion().
	ClientVersion string
	// AllowUnprotected takes signed transactions that are bound to no chain (before EIP-155), such as those that create a
	// contract at the same address on every chain. False: they are taken with Spec and the presets Anvil and Hardhat,
	// whose peers take them, and refused else.
	AllowUnprotected bool
	// Limits are the limits on requests (contract D-limits). Zero: the defaults, which are generous.
	Limits Limits
	// Filters bound the filters of eth_newFilter and its kind on each network; without RealClock they do not expire.
	Filters FilterLimits
	// NoControl switches off fakenode_*, evm_*, anvil_*, hardhat_*, miner_*, testing_*, debug_setHead and
	// eth_sendUnsignedTransaction.
	NoControl bool

	// Worlds

	// Worlds bounds the worlds. With NoControl there are none.
	Worlds Worlds

	// The port

	// Host is the address to listen on. Empty: 127.0.0.1.
	Host string
	// Port is the TCP port. Zero: a free one. It is opened by Listen, or when a URL is first asked for.
	Port int
	// Allow lists who is served besides programs on loopback and IP addresses.
	Allow Allow

	// What contracts say, and tools

	// Artifacts are folders of compiled contracts: Foundry's out, Hardhat's artifacts. Errors that these contracts
	// declare are then reasons of reverts, in errors, answers and the log, which also has their calls and events by
	// name. New reads them; files of other kinds are left out. Empty: fakenode's own contracts alone have names, and not
	// in answers.
	Artifacts []string
	// Console is called with each line that contracts write by console.log of Hardhat's and Foundry's libraries, in
	// transactions of the node's networks and worlds and in each eth_call, soon after they were executed. It is not called
	// twice at once. What eth_call writes more than 1,000 lines ahead of it is left out. Nil: the lines are in the log at
	// info, and those of transactions in that of the test that owns the node.
	Console func(line string)
	// Traces is called with the tree of calls of each transaction, soon after it was executed on the node's networks or
	// those of a world, and of each eth_call and eth_estimateGas that fails, as CallProfile.Trace has it. It is not called
	// twice at once for one node. Texts more than 1,000 ahead of it are left out. Nil: they are dropped.
	Traces func(text string)
	// Profiling serves net/http/pprof at /debug/pprof/.
	Profiling bool
	// Tap is for the recordings of the command. Nil: messages are answered side by side.
	Tap world.Tap
}
