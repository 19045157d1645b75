package rpcserver

import (
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// Names of the rooms below that a Server's users need.
type (
	// Error is an error as it goes over the wire.
	Error = jsonrpc.Error
	// Fault spoils calls of a method on purpose.
	Fault = jsonrpc.Fault
	// Disconnection describes which WebSocket connections Disconnect cuts, and how.
	Disconnection = jsonrpc.Disconnection
	// Call is an entry of the journal: a call that a client made, and what came of it.
	Call = jsonrpc.Call

	// Limits bound what clients may ask for.
	Limits = api.Limits
	// Provider names a provider of nodes whose limits a Server imitates.
	Provider = api.Provider
	// BundlerRules names by which rules a bundler checks user operations.
	BundlerRules = api.BundlerRules
	// Preconf names how a network lets its clients see what is not in a block yet.
	Preconf = api.Preconf
	// Profile selects whose answers are given where the contract and live clients differ (contract D-profile).
	Profile = shape.Profile

	// FeedFault spoils frames of the raw feed on purpose.
	FeedFault = flashblocks.Fault
	// FeedFaultKind names what goes wrong with the raw feed itself.
	FeedFaultKind = flashblocks.FaultKind
	// FlashblocksMetadata selects what each frame of the raw feed has beside the contents of the block.
	FlashblocksMetadata = flashblocks.Metadata

	// World is one independent pair of networks of a Server: the one at /, or one at a path of its own.
	World = world.World
	// WorldOptions describe a new world.
	WorldOptions = world.Options
	// Keeper keeps the networks of worlds in a file.
	Keeper = world.Keeper
	// NetworkName names one of a world's networks.
	NetworkName = world.NetworkName
	// TapEvent is something that passed over the wire, a clock that was moved, or a world that was made.
	TapEvent = world.TapEvent
)

// The networks.
const (
	Main    = world.Main    // at /
	Testnet = world.Testnet // at /testnet
	L1      = world.L1      // at /l1: that of Main
)

// The kinds of a TapEvent that is no message.
const (
	TapClock = world.TapClock // the clock of a network was moved
	TapMade  = world.TapMade  // a request made a world
)

// Forever as Fault.Times strikes until the faults are cleared.
const Forever = jsonrpc.Forever

// AllBundlerRules lists the values of BundlerRules.
func AllBundlerRules() []BundlerRules { return api.AllBundlerRules() }

// The rules by which the bundler checks user operations.
const (
	StrictBundler = api.StrictBundler // those of ERC-7562
	LooseBundler  = api.LooseBundler  // the EntryPoint's alone
)

// Preconfs lists the values of Preconf.
func Preconfs() []Preconf { return api.Preconfs() }

// The ways in which clients see what is not in a block yet.
const (
	PreconfFlashblocks = api.PreconfFlashblocks // the tag pending and subscriptions, as the contract says
	PreconfPending     = api.PreconfPending     // the tag pending alone, as OP Mainnet and Unichain
)

// The profiles.
const (
	Spec = shape.Spec // as the contract says
	Geth = shape.Geth // as execution-apis and live clients do
)

// The kinds of FeedFault, and what frames contain.
const (
	FeedGap        = flashblocks.Gap
	FeedWrongLink  = flashblocks.WrongLink
	FeedTruncate   = flashblocks.Truncate
	FeedReorder    = flashblocks.Reorder
	FeedDisconnect = flashblocks.Disconnect

	FlashblocksMinimal = flashblocks.Minimal
	FlashblocksFull    = flashblocks.Full
)
