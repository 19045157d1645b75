package api

import (
	"errors"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/stream"
)

// Preconf names the way in which a network lets its clients see transactions that are not in a block yet. Empty:
// PreconfFlashblocks.
type Preconf string

// The values of Preconf.
const (
	// PreconfFlashblocks is the contract's way: the tag pending, subscriptions to flashblocks and to the pool.
	PreconfFlashblocks Preconf = "flashblocks"
	// PreconfPending is the way of OP Mainnet: the tag pending, whose block has a hash, and a private pool.
	PreconfPending Preconf = "pending"
	// PreconfRealtime moves latest: state, calls and receipts are at latest as at pending, whose block has the hash null.
	// A block number names a sealed block alone.
	PreconfRealtime Preconf = "realtime"
	// PreconfMegaETH is PreconfRealtime with what only MegaETH has: mini-blocks, methods, codes of errors.
	PreconfMegaETH Preconf = "megaeth"
	// PreconfRise is PreconfRealtime with what only RISE has: shreds, and logs as they are pre-confirmed.
	PreconfRise Preconf = "rise"
	// PreconfMonad has no pre-confirmation: latest is a proposal (preconf.Behaviour.CommitStates). The pool is unseen.
	PreconfMonad Preconf = "monad"
)

// Preconfs lists the values of Preconf.
func Preconfs() []Preconf {
	return []Preconf{PreconfFlashblocks, PreconfPending, PreconfRealtime, PreconfMegaETH, PreconfRise, PreconfMonad}
}

// Elsewhere returns the error for a method or a subscription that only networks of this way have.
func (p Preconf) Elsewhere(name string) *jsonrpc.Error {
	return Errorf(CodeMethodNotFound, "%s is not available: --preset %s, or --preconf %s, has it", name, p, p)
}

// Door describes how a network lets its clients see transactions that are not in a block yet.
type Door struct {
	// RefuseFlashblocks returns the error for a subscription to flashblocks; others lists the existing subscriptions. Nil:
	// they are open.
	RefuseFlashblocks func(kind, others string) *jsonrpc.Error
	// PrivatePool keeps the pool's transactions from subscriptions and filters: these are silent.
	PrivatePool bool
	// BlocksAlone reports that blocks have replaced the pre-confirmation layer: subscriptions to flashblocks are silent,
	// and a simulation without a block is on latest.
	BlocksAlone bool
	// Newest is the tag that latest stands for in state and calls: TagLatest, or TagPending, where it moves.
	Newest TagKind
	// Heads are the items of newHeads. Nil: stream.Heads.
	Heads func(stream.Pace) stream.Items
	// Kinds are the kinds of subscription; another one is rejected. Nil: all that are not of another way.
	Kinds []string
	// UnseenPool hides the pool from lookups: its transactions are unknown by hash, and nonces do not count them.
	UnseenPool bool
	// LogsAtOnce brings the logs of the subscription logs as they are pre-confirmed, whatever its bounds.
	LogsAtOnce bool
}

// The doors of networks.
var (
	flashblockDoor = &Door{}
	blockDoor      = &Door{PrivatePool: true, BlocksAlone: true}
	sealedDoor     = &Door{
		RefuseFlashblocks: func(kind, others string) *jsonrpc.Error {
			return Errorf(CodeMethodNotFound, "subscription %s is not available: the node has no pre-confirmation layer; there are %s", kind, others)
		},
	}
)

// doors has the door of each way where there are flashblocks.
var doors = map[Preconf]*Door{
	"": flashblockDoor, PreconfFlashblocks: flashblockDoor,
	PreconfPending: {
		RefuseFlashblocks: func(string, string) *jsonrpc.Error { return InvalidParams("Invalid params") },
		PrivatePool:       true,
	},
	PreconfRealtime: {Newest: TagPending},
	PreconfMegaETH:  {Newest: TagPending, Heads: stream.CountedHeads},
	PreconfRise:     {Newest: TagPending, LogsAtOnce: true},
	PreconfMonad: {
		Kinds: []string{"logs", "monadLogs", "monadNewHeads", "newHeads"}, PrivatePool: true, UnseenPool: true,
		Heads: func(stream.Pace) stream.Items { return stream.WholeHeads },
	},
}

// Heads returns the Heads of the network's door, for every client.
func (p Preconf) Heads() func(stream.Pace) stream.Items { return doors[p].Heads }

// Door returns the door of the network for the client. A client that only observes sees everything.
func (r *Request) Door() *Door {
	door := doors[r.Network.Preconf]
	switch none := r.Moment().NoFlashblocks(); {
	case door.UnseenPool && !r.Caller.Observer():
		return door
	case errors.Is(none, preconf.ErrNoPreconf):
		return sealedDoor
	case r.Caller.Observer():
		return flashblockDoor
	case none != nil:
		return blockDoor
	}
	return door
}
