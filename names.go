package fakenode

import (
	"time"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/forkcheck"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/profile"
	"github.com/fakenode/fakenode/internal/transact"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
	"github.com/fakenode/fakenode/scenario"
	"github.com/fakenode/fakenode/tokencontract"
	"github.com/fakenode/fakenode/userop"
)

// The types of the packages below that a test names. Each is documented where it is declared, as `go doc
// github.com/fakenode/fakenode/preconf/control Replica` shows. The packages: evmstate/chain, evmstate/remote, fixtures,
// internal/{assembly, forkcheck, persona, profile, transact}, preconf, preconf/{control, filter, pool},
// rpcserver/{api, flashblocks, jsonrpc, world}, scenario, userop.
type (
	Account   = fixtures.Account   // an address with its private key
	Chain     = persona.Persona    // whose behaviour a node has
	Contracts = assembly.Contracts // what a genesis holds besides the token and the system contracts
	Fork      = remote.Config      // which live chain to continue, and where its answers are kept
	Genesis   = chain.Genesis      // a genesis block and its accounts, in geth's JSON format
	FeeRules  = persona.Fees       // the rules of the base fee of an OP-stack chain
	Limits    = api.Limits         // sizes, times, ranges and gas of requests
	Mode      = control.Mode       // what makes flashblocks and blocks
	Order     = pool.Order         // which ready transaction executes first
	Preconf   = api.Preconf        // how clients see what is not in a block yet
	Provider  = api.Provider       // whose limits to imitate, for Limits.Provider
	SendSync  = api.SendSync       // the rules of eth_sendRawTransactionSync

	Allow        = jsonrpc.Allow         // who is served besides programs on loopback
	Bundler      = api.Bundler           // what the bundler for user operations does
	FilterLimits = filter.Limits         // how many filters there may be, and how long
	Frames       = flashblocks.Frames    // the frames of the raw feed
	L1Config     = assembly.L1Config     // the L1 below an OP-stack chain
	Lags         = preconf.Lags          // how far block tags are behind the head
	Replicas     = control.ReplicaConfig // nodes that are behind
	Worlds       = world.Limits          // how many worlds there may be

	Tx = transact.Tx // a transaction for Transact and ProfileCall

	Event        = preconf.Event        // one thing that happened, as subscribers learn of it
	EventKind    = preconf.EventKind    // what happened
	Fate         = control.Fate         // what becomes of the transactions that a reorg removes
	FaultKind    = control.FaultKind    // what goes wrong with flashblocks
	FaultResult  = control.FaultResult  // what a flashblock fault changed
	Flashblock   = preconf.Flashblock   // one pre-confirmed slice of a block
	FlashblockID = preconf.FlashblockID // the number of a block and an index in it
	Place        = preconf.Found        // where a transaction is, and why it is not further
	Progress     = preconf.Progress     // how far Advance came
	ReorgOptions = control.ReorgOptions // depth, length, and what becomes of the transactions
	ReorgResult  = control.ReorgResult  // the hashes removed and added

	WorldOptions = world.Options // the name of a new world, and the snapshots it begins at

	Call  = jsonrpc.Call  // a call that a client made, and what came of it
	Error = jsonrpc.Error // a JSON-RPC error, for Fault.Error

	BundlerRules   = api.BundlerRules // what the validation of a user operation may do
	OperationPlace = userop.Place     // where a user operation is, and why it is not further
	Paymaster      = userop.Paymaster // what the paymaster service sponsors

	Fault           = jsonrpc.Fault           // how calls of a method, or notifications, go wrong
	FlashblockFault = control.FlashblockFault // how pre-confirmation goes wrong
	BundlerFault    = userop.Fault            // what the bundler does wrong with operations
	FeedFault       = flashblocks.Fault       // how the raw feed goes wrong
	FeedFaultKind   = flashblocks.FaultKind   // what goes wrong with it
	Disconnection   = jsonrpc.Disconnection   // which WebSocket connections are cut, and how
	Behind          = jsonrpc.Behind          // how far in the past a fault answers calls
	Hold            = control.Hold            // which transactions stay in the pool
	Weather         = control.Weather         // the course of a price or limit
	Replica         = control.Replica         // how far behind a replica of a network is

	FlashblocksMetadata = flashblocks.Metadata // what the frames of the raw feed contain

	CallProfile    = profile.Profile       // what a transaction or call did, as a table and as a tree of calls
	ForkComparison = forkcheck.Transaction // what a transaction does under two hard forks
	ForkFinding    = forkcheck.Finding     // an assumption that does not hold under the second
	ScenarioKind   = scenario.Kind         // what scenarios are about, such as "reorgs"
	ScenarioParams = scenario.Params       // accounts, amount, depth and times of a scenario
	Story          = scenario.Story        // a scenario that is told move by move
	StoryMove      = scenario.Move         // what a move of a story did
	Exam           = scenario.Exam         // stories told to a back end, whose answers are judged
	ExamQuestion   = scenario.Question     // which payment a back end is asked about
	ExamAnswer     = scenario.Answer       // what it says
	ExamTransfer   = scenario.Transfer     // what an indexer lists
	ExamCapture    = scenario.Capture      // the authorization that a back end is handed to capture
	ExamMarks      = scenario.Marks        // which stories it passed
	Exploration    = scenario.Exploration  // the search for the schedule of accidents that fools a back end
	Finding        = scenario.Finding      // that schedule
	Schedule       = scenario.Schedule     // a course of accidents
	Conclusion     = scenario.Conclusion   // what a correct client must conclude from a scenario
)

// Values of Mode, Order, Preconf, SendSync, BundlerRules and Config.Token. The zero values are the preset's,
// but FIFO and StrictBundler.
const (
	Manual   = control.Manual
	Interval = control.Interval
	Instant  = control.Instant

	FIFO     = pool.FIFO
	Fees     = pool.Fees
	BySender = pool.BySender

	PreconfFlashblocks = api.PreconfFlashblocks
	PreconfPending     = api.PreconfPending
	PreconfRealtime    = api.PreconfRealtime
	PreconfMegaETH     = api.PreconfMegaETH
	PreconfRise        = api.PreconfRise
	PreconfMonad       = api.PreconfMonad

	SyncSpec      = api.SyncSpec
	SyncGeth      = api.SyncGeth
	SyncEIP       = api.SyncEIP
	SyncArbitrum  = api.SyncArbitrum
	SyncAnnounced = api.SyncAnnounced
	SyncPolygon   = api.SyncPolygon
	SyncMegaETH   = api.SyncMegaETH
	SyncMonad     = api.SyncMonad

	StrictBundler = api.StrictBundler
	LooseBundler  = api.LooseBundler

	Strict         = tokencontract.Strict
	DocumentedFlow = tokencontract.DocumentedFlow
	NativeToken    = tokencontract.Native
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
	Arc             Preset = "arc"              // 5042, test network 5042002: USDC is the native coin, and a token
	Monad           Preset = "monad"            // 143, test network 10143: proposals, and gas limits that are charged
	Anvil           Preset = "anvil"            // 31337, test network 31338: answers, limits and blocks as anvil's
	Hardhat         Preset = "hardhat"          // the same as Hardhat's own network's
)

// Presets lists the presets, Dev first.
func Presets() []Preset {
	var all []Preset
	for _, name := range persona.Names() {
		all = append(all, Preset(name))
	}
	return all
}

// Chain returns whose behaviour the preset has, for a Config.Chain with other values; it is zero for a preset that does
// not exist. Replace what pointers in it point to, and do not modify it.
func (p Preset) Chain() Chain {
	if is := persona.Named(string(p)); is != nil {
		return *is
	}
	return Chain{}
}

// FeeRecipient receives the tips of blocks, unless the preset's peer or the rules of an OP-stack chain name another
// account, or anvil_setCoinbase does. Nobody has its key.
var FeeRecipient = persona.FeeRecipient

// Profile selects the form of answers where the contract and live clients differ (contract D-profile).
type Profile int

// The profiles. The zero one is the preset's.
const (
	Spec Profile = iota // as in the contract
	Geth                // as execution-apis and live clients do
)

// String returns the profile as the command line spells it.
func (p Profile) String() string {
	if p == Geth {
		return "geth"
	}
	return "spec"
}

// Rules are rules of blocks and transactions in addition to the hard fork.
type Rules string

// The rules. All but EthereumRules are the rules of an OP-stack chain at an upgrade (docs/optimism.md): each block
// begins with a deposit, and transactions pay for their data on L1.
const (
	// EthereumRules make blocks that any Ethereum client imports.
	EthereumRules Rules = "ethereum"
	// JovianRules are the rules of December 2025, with the EVM of prague.
	JovianRules Rules = "jovian"
	// AzulRules are the rules of Base from May 2026 on: Jovian's with the EVM of osaka.
	AzulRules Rules = "azul"
	// KarstRules are the rules of OP Mainnet from July 2026 on: Azul's with a lower limit of the bn256 pairing's input.
	KarstRules Rules = "karst"
	// DenimRules are the rules of Base from November 2026 on: a block every 200 ms, with a time in milliseconds, and no
	// flashblocks.
	DenimRules Rules = "denim"
	// LagoonRules are the rules of OP Mainnet's next upgrade, which has no date: Karst's with gas refunds, which the last
	// transaction of a block lists.
	LagoonRules Rules = "lagoon"
	// OptimismRules are AzulRules by an earlier name.
	OptimismRules Rules = "op"
)

// AllRules lists the values of Config.Rules.
func AllRules() []Rules {
	return []Rules{EthereumRules, OptimismRules, JovianRules, AzulRules, KarstRules, DenimRules, LagoonRules}
}

// named returns the rules by the name of their upgrade.
func (r Rules) named() Rules {
	if r == OptimismRules {
		return AzulRules
	}
	return r
}

// blockTime returns the distance of two blocks that the rules fix, 0 for none.
func (r Rules) blockTime() time.Duration {
	if upgrade, err := optimism.UpgradeNamed(string(r.named())); err == nil {
		return upgrade.BlockTime
	}
	return 0
}

// Preconfs lists the values of Config.Preconf, and SendSyncs those of Config.SendSync.
func Preconfs() []Preconf   { return api.Preconfs() }
func SendSyncs() []SendSync { return api.SendSyncs() }

// Values of Config.Contracts. The empty one is PaymentContracts: a node with them starts as fast as one without.
const (
	NoContracts       = assembly.NoContracts
	StandardContracts = assembly.StandardContracts
	PaymentContracts  = assembly.PaymentContracts
)

// Constants of the packages below that a test names.
const (
	// NoFlashblocks as Config.FlashblockTime makes no flashblocks but those that are asked for.
	NoFlashblocks = preconf.NoFlashblocks

	// Values of ReorgOptions.Transactions and ReorgOptions.RemovedOrder. The zero values mean Requeue and OldestFirst.
	Requeue = control.Requeue
	Drop    = control.Drop
	Reverse = control.Reverse

	OldestFirst = control.OldestFirst
	NewestFirst = control.NewestFirst

	// Values of FlashblockFault.Kind.
	DropFlashblocks     = control.DropFlashblocks
	OmitTransactions    = control.OmitTransactions
	AlterLogs           = control.AlterLogs
	DuplicateFlashblock = control.DuplicateFlashblock
	StallFlashblocks    = control.StallFlashblocks
	LateBlock           = control.LateBlock
	TakeReplacements    = control.TakeReplacements
	LagContext          = control.LagContext

	// Values of FeedFault.Kind.
	FeedGap        = flashblocks.Gap
	FeedWrongLink  = flashblocks.WrongLink
	FeedTruncate   = flashblocks.Truncate
	FeedReorder    = flashblocks.Reorder
	FeedDisconnect = flashblocks.Disconnect

	// Values of Frames.Metadata.
	FlashblocksMinimal   = flashblocks.Minimal
	FlashblocksFull      = flashblocks.Full
	FlashblocksSubblocks = flashblocks.Subblocks

	// Forever as Fault.Times makes every call fail until ClearFaults.
	Forever = jsonrpc.Forever

	// Values of EventKind, for Record.
	FlashblockAdded     = preconf.FlashblockAdded
	HeadAdded           = preconf.HeadAdded
	LogsAdded           = preconf.LogsAdded
	LogsRemoved         = preconf.LogsRemoved
	HeadCommitted       = preconf.HeadCommitted
	LogsCommitted       = preconf.LogsCommitted
	LogsRetracted       = preconf.LogsRetracted
	TransactionPooled   = preconf.TransactionPooled
	FlashblockDisturbed = preconf.FlashblockDisturbed

	// Values of Weather.Of.
	OfBaseFee       = control.OfBaseFee
	OfBlobBaseFee   = control.OfBlobBaseFee
	OfGasLimit      = control.OfGasLimit
	OfL1BaseFee     = control.OfL1BaseFee
	OfL1BlobBaseFee = control.OfL1BlobBaseFee
	OfTip           = control.OfTip

	// Values of Weather.Shape.
	Spike    = control.Spike
	Ramp     = control.Ramp
	Sawtooth = control.Sawtooth
	List     = control.List
	Calm     = control.Calm

	// Values of BundlerFault.Kind.
	IncludeNever  = userop.IncludeNever
	IncludeLate   = userop.IncludeLate
	RevertBundle  = userop.RevertBundle
	ReplaceBundle = userop.ReplaceBundle
	SendTwice     = userop.SendTwice
	Forget        = userop.Forget
	Lie           = userop.Lie
	Underestimate = userop.Underestimate

	// Values of BundlerFault.Limit.
	CallGasLimit         = userop.CallGasLimit
	VerificationGasLimit = userop.VerificationGasLimit

	// Values of Paymaster.Signature.
	ValidSignature   = userop.ValidSignature
	WrongSignature   = userop.WrongSignature
	ExpiredSignature = userop.ExpiredSignature
	EarlySignature   = userop.EarlySignature

	// Values of Place.Where.
	Unknown      = preconf.Unknown
	Pooled       = preconf.Pooled
	Preconfirmed = preconf.Preconfirmed
	Sealed       = preconf.Sealed
	Orphaned     = preconf.Orphaned
	Dropped      = preconf.Dropped
)
