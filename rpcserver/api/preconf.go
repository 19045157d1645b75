package api

import (
	"errors"
	"slices"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Preconf names how a network lets its clients see what is not in a block yet. Empty: PreconfFlashblocks.
type Preconf string

// The ways that there are.
const (
	// PreconfFlashblocks is the contract's: the tag pending, subscriptions to flashblocks and to the pool.
	PreconfFlashblocks Preconf = "flashblocks"
	// PreconfPending is that of OP Mainnet and Unichain: the tag pending alone, whose block has a hash. The pool is
	// private.
	PreconfPending Preconf = "pending"
)

// Preconfs lists the values of Preconf.
func Preconfs() []Preconf { return []Preconf{PreconfFlashblocks, PreconfPending} }

// Valid reports whether the way is known or empty.
func (p Preconf) Valid() bool { return p == "" || slices.Contains(Preconfs(), p) }

// Door describes what a network lets its clients see of what is not in a block yet.
type Door struct {
	// RefuseFlashblocks returns the error of a subscription to flashblocks; others lists those that there are. Nil: they
	// are open.
	RefuseFlashblocks func(kind, others string) *jsonrpc.Error
	// PrivatePool keeps what enters the pool from subscriptions and filters: they are silent.
	PrivatePool bool
	// BlocksAlone reports that there was a pre-confirmation layer, which blocks took the place of: subscriptions to
	// flashblocks are silent, and a simulation without a block is on latest.
	BlocksAlone bool
}

// The doors of networks, by what they have.
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

// Door returns what the client sees of the network. One that only observes sees everything there is.
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
