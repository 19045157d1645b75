package fakenode

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

// Network is one chain of a node: two doors to one state, URL for the code under test and these methods
// for the test. Safe for concurrent use.
type Network struct {
	node     *Node
	name     rpcserver.NetworkName
	timeline *preconf.Timeline
	token    deployment
}

// URL returns the HTTP URL of the JSON-RPC endpoint, such as "http://127.0.0.1:8545" (contract 1-endpoint).
// The first call opens the port; a port that cannot be opened fails the test, or panics outside one (call
// Listen first to get the error).
func (n *Network) URL() string {
	n.node.t.Helper()
	return n.url((*rpcserver.Server).URL)
}

// WebSocketURL returns the same for WebSocket.
func (n *Network) WebSocketURL() string {
	n.node.t.Helper()
	return n.url((*rpcserver.Server).WebSocketURL)
}

func (n *Network) url(of func(*rpcserver.Server) string) string {
	n.node.t.Helper()
	if err := n.node.Listen(); err != nil {
		n.check(err)
		return ""
	}
	if n.name == rpcserver.Testnet {
		return of(n.node.server) + rpcserver.TestnetPath
	}
	return of(n.node.server)
}

// ChainID of the network.
func (n *Network) ChainID() uint64 { return n.timeline.Moment().Chain().Config().ChainID.Uint64() }

// Now returns the network's clock. It moves on command only (Advance, Seal, a reorg that makes the chain
// longer, Revert, and what of Timeline sets the time), and with the wall clock while Run is active.
func (n *Network) Now() time.Time { return n.timeline.Moment().Now() }

// BlockNumber returns the number of the newest sealed block.
func (n *Network) BlockNumber() uint64 { return n.timeline.Moment().Latest().Number() }

// Moment returns the whole network at this instant, for reading without RPC.
func (n *Network) Moment() *preconf.Moment { return n.timeline.Moment() }

// Timeline returns what the methods here are short for, with the controls that have none.
func (n *Network) Timeline() *preconf.Timeline { return n.timeline }

// Advance moves the clock by d and makes every flashblock and block due on the way, in order, before it
// returns. It fails the test, or panics outside one, when d is negative.
func (n *Network) Advance(d time.Duration) Progress {
	n.node.t.Helper()
	progress, err := n.timeline.Advance(d)
	n.check(err)
	return progress
}

// Preconfirm makes the next flashblock of all that is ready in the pool. It fails the test, or panics
// outside one, on a node without pre-confirmation.
func (n *Network) Preconfirm() Flashblock {
	n.node.t.Helper()
	flashblock, err := n.timeline.Preconfirm()
	n.check(err)
	return flashblock
}

// Seal makes a block of everything pre-confirmed and everything ready in the pool, moves the manual clock
// to its slot, and returns its hash.
func (n *Network) Seal() common.Hash {
	n.node.t.Helper()
	hashes, err := n.timeline.Seal(1)
	n.check(err)
	if err != nil {
		return common.Hash{}
	}
	return hashes[0]
}

// Reorg replaces the newest blocks. On an error nothing changed.
func (n *Network) Reorg(o ReorgOptions) (ReorgResult, error) { return n.timeline.Reorg(o) }

// FlashblockFault lets pre-confirmation go wrong: flashblocks lost, transactions left out, logs that
// change. On an error nothing changed.
func (n *Network) FlashblockFault(f FlashblockFault) (FaultResult, error) {
	return n.timeline.FlashblockFault(f)
}

// Snapshot remembers the network as it is, and returns an id for Revert: chain, pending block, pool,
// clock, filters.
func (n *Network) Snapshot() uint64 { return n.timeline.Snapshot() }

// Revert restores a snapshot, as often as wanted. An unknown id is an error and changes nothing.
func (n *Network) Revert(id uint64) error { return n.timeline.Revert(id) }

// Send puts a signed transaction into the pool (in Instant mode: into a block), as eth_sendRawTransaction
// does. The errors are those of package preconf.
func (n *Network) Send(tx *types.Transaction) error { return n.timeline.Send(tx) }

// Fail spoils calls of a method on purpose. The error says what is wrong with the fault.
func (n *Network) Fail(f Fault) error { return n.node.server.Fail(n.name, f) }

// ClearFaults ends what Fail began.
func (n *Network) ClearFaults() { n.node.server.ClearFaults(n.name) }

// Calls returns the calls that clients made of a method, oldest first, also those whose answer a fault kept
// back; "" means all methods.
func (n *Network) Calls(method string) []Call { return n.node.server.Calls(n.name, method) }

// WaitForCall waits until clients have made count calls of a method ("" means any), and returns all calls of it so far,
// oldest first. The error is ctx.Err(), or says that count is more than Limits.JournalSize.
func (n *Network) WaitForCall(ctx context.Context, method string, count int) ([]Call, error) {
	return n.node.server.WaitForCalls(ctx, n.name, method, count)
}

// Token returns the payment token of the genesis, USDC's address and name.
func (n *Network) Token() *Token { return &Token{network: n} }

// check fails the test, or panics outside one, for an error that only a wrong call can cause.
func (n *Network) check(err error) {
	n.node.t.Helper()
	if err != nil {
		n.node.t.Fatalf("fakenode: %v", err)
	}
}
