package fakenode

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/eventlog"
	"github.com/fakenode/fakenode/internal/keeping"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rollup"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// Node is a running chain node: the main network, whose methods it has, and a test network with its own state. Safe for
// concurrent use. Close it when done; RunT does. NewWorld and World return a Node for each world that a node serves
// besides its own networks.
type Node struct {
	*Network
	testnet  *Network
	l1       *Network // nil without Config.L1
	config   plan
	accounts []Account
	host     *host
	world    *world.World

	kept *keeping.File // nil: the node has no Config.State

	t Tester // fails for wrong calls of methods
}

// host is the part of a node that its worlds share: the server and its port.
type host struct {
	server    *rpcserver.Server
	inside    *inside
	listen    sync.Once
	listenErr error
	running   atomic.Int32 // calls of Run that have not ended
	log       *eventlog.Log
}

// New starts a node. It opens no port until Listen or a URL is asked for, and has no goroutine until
// then. The error names the field of config that is wrong, or the block of Import that is.
func New(config Config) (*Node, error) {
	c, err := config.complete()
	if err != nil {
		return nil, err
	}
	accounts, err := fixtures.Accounts(c.Mnemonic, c.Accounts)
	if err != nil {
		return nil, err
	}
	start := c.StartTime
	if start.IsZero() {
		start = time.Now()
		if !c.RealClock {
			start = start.Truncate(time.Second) // so that a test's first slot is a whole one
		}
	}
	main, testnet, kept, err := new(c.spec(accounts, start)).Build()
	if err != nil {
		return nil, err
	}
	node := assemble(c, accounts, main, testnet, kept)
	if kept == nil {
		return node, nil
	}
	for _, w := range kept.Worlds {
		if _, err := node.host.server.Resume(world.Options{Name: w.Name, Owner: w.Owner, TTL: w.TTL}, w.Made, w.Main, w.Testnet); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: world %s: %w", c.State, w.Name, err), node.Close())
		}
	}
	return node, nil
}

// assemble puts a server in front of two timelines. kept is the file that keeps them, nil if there is none.
func assemble(c plan, accounts []Account, mainTimeline, testTimeline *preconf.Timeline, kept *keeping.File) *Node {
	node := &Node{config: c, accounts: accounts, host: &host{log: eventlog.NewLog(c.Logger, c.Console, c.Traces, c.names)}, kept: kept, t: noTest{}}
	var keeper world.Keeper
	if kept != nil {
		keeper = kept
	}
	node.host.server = rpcserver.New(rpcserver.Config{
		Main:    mainTimeline,
		Testnet: testTimeline,
		Settings: api.Settings{
			Behaviour: c.row.Wire,
			Accounts:  accounts,
			Bundler:   c.Bundler,
			Artifacts: c.names,
			Traces:    node.host.log.Traces(),
			Console:   node.host.log.Console(),
			Refork:    node.refork,
		},
		DevNode:   c.row.Methods,
		Limits:    c.row.Limits,
		Allow:     c.Allow,
		Disabled:  c.disabled(),
		Worlds:    world.Config{Limits: c.Worlds, Tap: c.Tap, Keeper: keeper, Watch: watch(node.host.log)},
		Log:       c.Logger,
		Profiling: c.Profiling,

		Flashblocks: Frames{Brotli: c.Flashblocks.Brotli, Metadata: c.row.Frames},
	})
	node.host.inside = &inside{handler: node.host.server, pipes: make(chan net.Conn), done: make(chan struct{})}
	return node.of(node.host.server.World)
}

// of gives the node the networks of a world.
func (n *Node) of(w *world.World) *Node {
	network := func(name world.NetworkName, token paytoken.Deployment) *Network {
		return &Network{node: n, name: name, timeline: w.Timeline(name), token: token}
	}
	n.world, n.Network, n.testnet = w, network(world.Main, paytoken.Main), network(world.Testnet, paytoken.Testnet)
	if w.Timeline(world.L1) != nil {
		n.l1 = network(world.L1, paytoken.L1)
	}
	return n
}

// watch returns a function that logs what happens on a network, or nil where nobody wants to know.
func watch(log *eventlog.Log) func(*preconf.Timeline, world.Path) (end func()) {
	if !log.Wanted() {
		return nil
	}
	return func(timeline *preconf.Timeline, at world.Path) (end func()) {
		return log.Begin(timeline, string(at.Network), at.World, at.String())
	}
}

// disabled returns a function that reports whether the node lacks a method, or nil if it lacks none.
func (c *Config) disabled() func(method string) bool {
	noControl, noPreconf := c.NoControl, c.NoPreconf
	if !noControl && !noPreconf {
		return nil // the server does not ask for each call then
	}
	return func(method string) bool {
		return noControl && rpcserver.Control(method) || noPreconf && rpcserver.Preconfirmation(method)
	}
}

// refork makes a network begin anew at a block of a remote chain, for anvil_reset.
func (n *Node) refork(on *preconf.Timeline, url, block string) error {
	return new(n.config.spec(n.accounts, time.Time{})).Refork(n.kept, on, url, block)
}

// L1Operator owns the bridge's contracts on the L1: it is the guardian, and proposes. Its key is as public as the keys
// of the development accounts.
var L1Operator = assembly.L1Operator

// Testnet returns the test network, a second chain with its own id, state and clock.
func (n *Node) Testnet() *Network { return n.testnet }

// L1 returns the L1 below the main network, at /l1: a chain by Ethereum's rules with the development accounts and the
// bridge's contracts. Both have one clock and one snapshot, and a reorg of the L1 is one of the main network. It fails
// the test, or panics outside one, on a node without Config.L1.
func (n *Node) L1() *Network {
	n.t.Helper()
	if n.l1 == nil {
		n.t.Fatalf("fakenode: the node has no L1: set Config.L1")
	}
	return n.l1
}

// HasL1 reports whether there is an L1 below the main network.
func (n *Node) HasL1() bool { return n.l1 != nil }

// Bridge commands the contracts between the main network and its L1. It fails the test, or panics outside one, on a
// node without Config.L1.
func (n *Node) Bridge() rollup.Bridge {
	n.t.Helper()
	b, err := rollup.Of(n.Timeline())
	n.check(err)
	return b
}

// Account returns development account i, counted from 0, the same on both networks. It fails the test,
// or panics outside one, when the node has no account i.
func (n *Node) Account(i int) Account {
	n.t.Helper()
	if i < 0 || i >= len(n.accounts) {
		n.t.Fatalf("fakenode: account %d: the node has accounts 0 to %d", i, len(n.accounts)-1)
		return Account{}
	}
	return n.accounts[i]
}

// Accounts returns all development accounts.
func (n *Node) Accounts() []Account { return append([]Account(nil), n.accounts...) }

// Listen opens the port, unless it is open already. The error names the address.
func (n *Node) Listen() error {
	h := n.host
	h.listen.Do(func() {
		h.listenErr = h.server.Listen(net.JoinHostPort(n.config.Host, strconv.Itoa(n.config.Port)))
	})
	return h.listenErr
}

// TestnetURL returns the HTTP URL of the test network; it opens the port if need be.
func (n *Node) TestnetURL() string {
	n.t.Helper()
	return n.testnet.URL()
}

// Run drives the clocks of both networks and of all worlds from the wall clock until ctx ends, and then returns nil.
// Only a node with RealClock can run; for others the error is preconf.ErrManualClock. A world runs with its node.
func (n *Node) Run(ctx context.Context) error {
	if n.isWorld() {
		return fmt.Errorf("world %s has no Run: its clocks run with those of its node", n.Name())
	}
	n.host.running.Add(1)
	defer n.host.running.Add(-1)
	if !n.config.RealClock {
		return fmt.Errorf("%w, unless Config.RealClock is set", preconf.ErrManualClock)
	}
	ended, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	defer n.host.server.FollowWall()()
	for _, network := range []*Network{n.Network, n.testnet} {
		timeline := network.timeline
		if err := timeline.Follow(ended, 0, fail); err != nil {
			return err
		}
		defer timeline.Rest()
		defer timeline.Attend()()
	}
	<-ended.Done()
	if ctx.Err() != nil {
		return nil
	}
	return context.Cause(ended)
}

// Clone returns an independent node that continues from this one's present, on a port of its own: chain, pool, clock
// and snapshots. Faults set with Fail and the calls made so far stay with the original. The clone of a node that a test
// owns belongs to the same test (CloneT gives it to another); close any other.
func (n *Node) Clone() *Node {
	clone := n.cloned()
	clone.ownedBy(n.t)
	return clone
}

func (n *Node) cloned() *Node {
	config := n.config
	config.Port, config.State, config.Tap = 0, "", nil // a clone is neither kept nor tapped
	return assemble(config, n.accounts, n.Network.timeline.Clone(), n.testnet.timeline.Clone(), nil)
}

// Close ends connections and requests, closes the port, and writes what is left for Config.State; the answers of a
// fork's remote chain are written to its cache file. The Node of a world closes the world alone. Closing again does
// nothing.
func (n *Node) Close() error {
	if n.isWorld() {
		n.host.server.CloseWorld(n.world)
		return nil
	}
	n.host.inside.leave()
	n.host.server.Close()
	n.host.inside.close()
	n.host.log.Close()
	var err error
	if n.kept != nil {
		err = n.kept.Close()
	}
	if fork := n.Fork(); fork != nil {
		err = errors.Join(err, fork.Save())
	}
	return err
}
