package fakenode

import (
	"context"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/world"
	"github.com/fakenode/fakenode/scenario"
	"github.com/fakenode/fakenode/userop"
)

// Network is one chain of a node: two doors to one state, URL for the code under test and these methods
// for the test. Safe for concurrent use.
type Network struct {
	node     *Node
	name     world.NetworkName
	timeline *preconf.Timeline
	token    paytoken.Deployment
}

// URL returns the HTTP URL of the JSON-RPC endpoint, such as "http://127.0.0.1:8545" (contract 1-endpoint).
// The first call opens the port; a port that cannot be opened fails the test, or panics outside one (call
// Listen first to get the error).
func (n *Network) URL() string {
	n.node.t.Helper()
	return n.url((*rpcserver.Server).URL)
}

// path returns the URL path of the network, without a slash at its end.
func (n *Network) path() string { return n.node.world.PathOf(n.name) }

// ReplicaURL returns the URL of a replica of the network, which is behind as Config.Replicas or SetReplica says. The
// number is from 1 to their Count; 0: all of them, one of which answers each request, drawn by their Seed.
// Over WebSocket each connection has one: the URL is the same with ws in place of http.
func (n *Network) ReplicaURL(number int) string {
	n.node.t.Helper()
	if number == 0 {
		number = world.AnyReplica
	}
	at := world.Path{World: n.node.world.Name, Network: n.name, Replica: number}.String()
	return n.url((*rpcserver.Server).URL) + strings.TrimPrefix(at, n.path())
}

// SetReplica lets a replica be so far behind from now on; without a Seed it keeps the one it has. The error names the
// number of replicas, or the wrong field of r.
func (n *Network) SetReplica(number int, r Replica) error {
	return n.Timeline().Set(preconf.Replica(uint64(max(number, 0)), r))
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
	return of(n.node.host.server) + n.path()
}

// ChainID returns the network's chain id.
func (n *Network) ChainID() uint64 { return n.Timeline().Moment().Chain().Config().ChainID.Uint64() }

// Now returns the time of the network's clock. It moves on command only (Advance, Seal, Revert, a reorg that makes the
// chain longer, and the methods of Timeline that set it), and follows the wall clock while Run is active.
func (n *Network) Now() time.Time { return n.Timeline().Moment().Now() }

// BlockNumber returns the number of the newest sealed block.
func (n *Network) BlockNumber() uint64 { return n.Timeline().Moment().Latest().Number() }

// Moment returns the whole network at this instant, for reading without RPC.
func (n *Network) Moment() *preconf.Moment { return n.Timeline().Moment() }

// Timeline returns the network's timeline, for controls that have no method here. The clock of a world that follows the
// wall clock has caught up with it.
func (n *Network) Timeline() *preconf.Timeline {
	n.timeline.CatchUp(context.Background())
	return n.timeline
}

// Fork returns the remote chain under the main network, or nil if it is not a fork.
func (n *Network) Fork() *remote.Fork { return n.timeline.Moment().Chain().Fork() }

// Advance moves the clock by d and makes every flashblock and block due on the way, in order, before it returns. It
// fails the test, or panics outside one, when d is negative, or would make more than 15,000,000 of them, which is
// weeks: Jump skips them.
func (n *Network) Advance(d time.Duration) Progress {
	n.node.t.Helper()
	progress, err := n.Timeline().Advance(d)
	n.check(err)
	return progress
}

// Jump moves the clock by d and seals one block there; no flashblock and no block is made on the way, so that a month
// costs as much as a second. It fails the test, or panics outside one, when d is negative. Advance is for tests of what
// happens on the way (a payment that is captured, holds, subscribers), Jump for tests of a time that has come.
func (n *Network) Jump(d time.Duration) Progress {
	n.node.t.Helper()
	progress, err := n.Timeline().Jump(d)
	n.check(err)
	return progress
}

// Preconfirm makes the next flashblock of all that is ready in the pool. It fails the test, or panics
// outside one, on a node without pre-confirmation.
func (n *Network) Preconfirm() Flashblock {
	n.node.t.Helper()
	flashblock, err := n.Timeline().Preconfirm()
	n.check(err)
	return flashblock
}

// Seal makes a block of everything pre-confirmed and everything ready in the pool, moves the manual clock
// to its slot, and returns its hash.
func (n *Network) Seal() common.Hash {
	n.node.t.Helper()
	hashes, err := n.Timeline().Seal(1)
	n.check(err)
	if err != nil {
		return common.Hash{}
	}
	return hashes[0]
}

// Reorg replaces the newest blocks. On an error nothing changed.
func (n *Network) Reorg(o ReorgOptions) (ReorgResult, error) { return n.Timeline().Reorg(o) }

// ReplaceProposal replaces the newest block by an empty one in silence, as on Monad: another proposal of the same
// number got the votes. By fate its transactions wait for the next block (Requeue), or are lost (Drop).
func (n *Network) ReplaceProposal(fate Fate) (ReorgResult, error) {
	return n.Timeline().ReplaceProposal(fate)
}

// Snapshot saves the network's chain, pending block, pool, clock and filters, and returns an id for Revert.
func (n *Network) Snapshot() uint64 { return n.Timeline().Snapshot() }

// Revert restores a snapshot. An id can be used any number of times; an unknown one is an error and changes nothing.
func (n *Network) Revert(id uint64) error { return n.Timeline().Revert(id) }

// check fails the test, or panics outside one, for an error that only a wrong call can cause.
func (n *Network) check(err error) {
	n.node.t.Helper()
	if err != nil {
		n.node.t.Fatalf("fakenode: %v", err)
	}
}

// served returns the network of the server.
func (n *Network) served() *world.Network { return n.node.world.Network(n.name) }

// Fail makes calls of a method fail as the fault describes. The error names the field of the fault that is wrong.
func (n *Network) Fail(f Fault) error { return n.served().Endpoint.Fail(f) }

// Disconnect cuts the WebSocket connections of clients and returns their number; the zero Disconnection cuts all of
// them, as a network that fails does. What was sent before still arrives; calls that are being answered end without an
// answer. The error names the invalid field of d.
func (n *Network) Disconnect(d Disconnection) (int, error) {
	return n.served().Endpoint.Disconnect(d)
}

// FlashblockFault makes pre-confirmation go wrong: flashblocks are lost, transactions left out, logs changed. On an
// error nothing changed.
func (n *Network) FlashblockFault(f FlashblockFault) (FaultResult, error) {
	return n.Timeline().FlashblockFault(f)
}

// DelayBlocks lets the next count blocks, at most 1,000,000, become head one slot late: until the block after is
// sealed, clients see them as pre-confirmed. Zero: 1. It is FlashblockFault with LateBlock, and has its errors.
func (n *Network) DelayBlocks(count int) error {
	_, err := n.FlashblockFault(FlashblockFault{Kind: LateBlock, Count: count})
	return err
}

// FeedFault makes the raw feed at /flashblocks go wrong: frames are lost, cut short, linked wrongly or out of order, or
// its readers are disconnected. The error names the field of the fault that is wrong.
func (n *Network) FeedFault(f FeedFault) error { return n.served().FailFeed(f) }

// ClearFaults removes all faults set with Fail and FeedFault.
func (n *Network) ClearFaults() {
	served := n.served()
	served.Endpoint.ClearFaults()
	served.Feed.ClearFaults()
}

// BundlerFault makes the bundler fail with later operations on purpose. The error names the invalid field of f.
func (n *Network) BundlerFault(f BundlerFault) error { return userop.Fail(n.Timeline(), f) }

// ClearBundlerFaults disarms all faults of the bundler and ends its lies. What it holds in the pool stays held.
func (n *Network) ClearBundlerFaults() {
	n.node.t.Helper()
	n.check(userop.ClearFaults(n.Timeline()))
}

// Scenarios returns the names of all scenarios, sorted, with what each is about.
func Scenarios() []scenario.Scenario { return scenario.All() }

// ScenariosByKind returns a line for each kind of scenario, those of an L1's bridge included: what it is of, and the
// names.
func ScenariosByKind() []string { return scenario.Listed() }

// Scenario plays a named course of events around one capture: a reorg that moves it, a pre-confirmation that is lost,
// and so on (Scenarios lists them). It returns once all is over, with what a correct client must conclude. Everything
// that waits is sealed first, armed faults wait until the end, and no other writer changes the network meanwhile. On an
// error the network is as it was before.
func (n *Network) Scenario(name string, p ScenarioParams) (Conclusion, error) {
	found, err := scenario.Find(name)
	if err != nil {
		return Conclusion{}, err
	}
	return found.Play(context.Background(), n.stage(), p)
}

// stage returns the stage of scenarios on the network.
func (n *Network) stage() scenario.Stage {
	return scenario.Stage{Timeline: n.Timeline(), Accounts: n.node.accounts, Token: n.Token().Domain(), Stale: n.served().Stale, Hide: n.served().Hide}
}

// Story begins to tell a scenario move by move, in place of one that is not over yet: each Next makes a move, says what
// it did to the payment, and lets others write before the next. The conclusion is that of Scenario.
func (n *Network) Story(name string, p ScenarioParams) (*Story, error) {
	found, err := scenario.Find(name)
	if err != nil {
		return nil, err
	}
	story := found.Tell(n.stage(), p)
	_, err = n.served().Story.Begin(story)
	return story, err
}

// Exam plays the stories of an exam on the network, and returns which the back end passed. The error names a kind that
// an exam cannot have, or is ctx.Err().
func (n *Network) Exam(ctx context.Context, e Exam) (ExamMarks, error) { return e.Hold(ctx, n.stage()) }
