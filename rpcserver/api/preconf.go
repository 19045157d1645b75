package api

import (
	"errors"
	"slices"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Preconf names the way in which a network lets its clients see transactions that are not in a block yet. Empty:
// PreconfFlashblocks.
type Preconf string

// The values of Preconf.
const (
	// PreconfFlashblocks is the contract's way: the tag pending, subscriptions to flashblocks and to the pool.
	PreconfFlashblocks Preconf = "flashblocks"
	// PreconfPending is the way of OP Mainnet: only the tag pending, whose block has a hash. The pool is
	// private.
	PreconfPending Preconf = "pending"
)

// Preconfs lists the values of Preconf.
func Preconfs() []Preconf { return []Preconf{PreconfFlashblocks, PreconfPending} }

// Valid reports whether the way is known or empty.
func (p Preconf) Valid() bool { return p == "" || slices.Contains(Preconfs(), p) }

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
}

// The doors of networks.
var (
	flashblockDoor = &Door{}
	pendingDoor    = &Door{
		RefuseFlashblocks: func(string, string) *jsonrpc.Error { return InvalidParams("Invalid params") },
		PrivatePool:       true,
	}
	blockDoor  = &Door{PrivatePool: true, BlocksAlone: true}
	sealedDoor = &Door{
		RefuseFlashblocks: func(kind, others string) *jsonrpc.Error {
			return Errorf(CodeMethodNotFound, "subscription %s is not available: the node has no pre-confirmation layer; there are %s", kind, others)
		},
	}
)

// Door returns the door of the network for the client. A client that only observes sees everything.
func (r *Request) Door() *Door {
	switch none := r.Moment().NoFlashblocks(); {
	case errors.Is(none, preconf.ErrNoPreconf):
		return sealedDoor
	case none != nil && !r.Caller.Observer():
		return blockDoor
	case r.Network.Preconf == PreconfPending && !r.Caller.Observer():
		return pendingDoor
	}
	return flashblockDoor
}
