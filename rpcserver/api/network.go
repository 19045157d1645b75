package api

import (
	"crypto/ecdsa"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/stream"
)

// Network holds everything that methods need of their network. It is filled in before the first request and then not
// changed.
type Network struct {
	*Offer
	// Timeline is the chain with the pre-confirmed transactions on it.
	Timeline *preconf.Timeline
	// Replica is the number of the replica of the network that clients reach here. Zero: the network itself.
	Replica int
	// Token is where the payment token of the network's genesis is.
	Token paytoken.Deployment
	// Endpoint is where clients reach the network, Streams what they subscribe to there, and Feed its raw feed,
	// which faults strike; Raw is the one that is served, at a replica a late one of its own.
	Endpoint *jsonrpc.Endpoint
	Streams  *stream.Hub
	Feed     *flashblocks.Feed
	Raw      *flashblocks.Feed
	// Story is the scenario that is told there move by move.
	Story Story
	// Worlds makes and closes worlds of the server; nil where it has none.
	Worlds Worlds
}

// Settings are the choices of a server's user for all its networks, including worlds. The zero value works.
type Settings struct {
	// Accounts are the accounts that the node signs for, in the order of eth_accounts.
	Accounts []fixtures.Account
	// Behaviour says whose answers to give.
	Behaviour
	// Bundler configures the bundler for user operations.
	Bundler Bundler
	// Artifacts are of contracts that fakenode_profile shows by name. Nil: none.
	Artifacts *artifacts.Set
	// Traces is called with the tree of calls of each eth_call and eth_estimateGas that fails. It may be called by several
	// goroutines at once. Nil: nobody is.
	Traces func(text string)
	// Console is called with the data of each call of chain.ConsoleAddress that an eth_call makes. It may be called by
	// several goroutines at once. Nil: nobody is.
	Console func(data []byte)
	// Refork makes a timeline begin anew at a block of the chain at url, for anvil_reset; without a url it is that of
	// the present fork, and without a block the latest one. Nil: it cannot.
	Refork func(on *preconf.Timeline, url, block string) error
}

// Offer holds everything that all networks of a server share.
type Offer struct {
	Settings
	Methods  map[string]jsonrpc.Method[*Request] // those that are on
	Turns    Turns
	Limits   Limits
	Provider *Habits // nil: the node's own
	Keyring  Keyring
	Log      *slog.Logger
}

// ChainID returns the network's chain id.
func (n *Network) ChainID() uint64 { return n.Timeline.Moment().Chain().Config().ChainID.Uint64() }

// Stale lets the calls of clients be answered with a lag, until it is called again; the zero Lag is none.
func (n *Network) Stale(lag preconf.Lag) {
	n.Endpoint.SetBehind(jsonrpc.Behind{Blocks: lag.Blocks, Time: lag.Time, Orphaned: lag.Orphaned})
}

// Hide lets clients get null for the receipt of a transaction, or no longer.
func (n *Network) Hide(hash common.Hash, hidden bool) {
	n.Endpoint.ClearFaultsAt(hash.Hex())
	if hidden {
		_ = n.Endpoint.Fail(jsonrpc.Fault{Method: "eth_getTransactionReceipt", Where: hash.Hex(), Null: true, Times: jsonrpc.Forever}) // it is valid
	}
}

// FailFeed sets a fault of the network's raw feed, and logs it. The error names the wrong field of the fault.
func (n *Network) FailFeed(fault flashblocks.Fault) error {
	if err := n.Feed.Fail(fault); err != nil {
		return err
	}
	n.Endpoint.Events().Info("feed fault", "kind", fault.Kind, "nth", max(fault.Nth, 1), "count", max(fault.Count, 1))
	return nil
}

// Keyring finds keys by their accounts. All networks of a server share it.
type Keyring struct {
	once sync.Once
	keys map[common.Address]*ecdsa.PrivateKey
}

// Addresses returns the development accounts.
func (n *Network) Addresses() []common.Address {
	addresses := make([]common.Address, len(n.Accounts))
	for i, account := range n.Accounts {
		addresses[i] = account.Address
	}
	return addresses
}

// Key returns the private key of an account that the node signs for, a development account or the token's owner, nil
// for any other.
func (n *Network) Key(account common.Address) *ecdsa.PrivateKey {
	n.Keyring.once.Do(func() {
		n.Keyring.keys = make(map[common.Address]*ecdsa.PrivateKey, len(n.Accounts))
		for _, own := range append(n.Accounts[:len(n.Accounts):len(n.Accounts)], paytoken.Owner) {
			n.Keyring.keys[own.Address] = own.Key
		}
	})
	return n.Keyring.keys[account]
}

// Worlds are the worlds of a server, for requests to a network of one of them. It is safe for concurrent use.
type Worlds interface {
	// NewWorld makes a copy of the network's world. Without a name it gets a free one; without the id of a snapshot of the
	// network it begins at the present; owner and ttl are World's, if they are not zero. The error is the reason why the
	// world cannot be made.
	NewWorld(name *string, snapshot *uint64, owner string, ttl time.Duration) (World, error)
	// CloseWorld ends a world that NewWorld made. The error reports that there is none of that name.
	CloseWorld(name string) error
	// ListWorlds returns all worlds except the one at /, oldest first.
	ListWorlds() []World
}

// World describes a world.
type World struct {
	Name        string
	Path        string // of its main network
	TestnetPath string // empty: it has no test network
	L1Path      string // empty: its main network has no L1
	Head        uint64 // number of the main network's newest block
	Clients     int    // open WebSocket connections
	Made        time.Time
	Owner       string        // empty: it has none
	TTL         time.Duration // how long it may be idle before it ends; 0: for ever
}

// Bundler configures a bundler for user operations (ERC-7769).
type Bundler struct {
	// Off makes its methods unknown. False: they are served where the chain has an EntryPoint; the node's last account
	// sends the bundles.
	Off bool
	// Rules decide what the validation of a user operation may do. Empty: StrictBundler, ERC-7562, as on live chains.
	Rules BundlerRules
}

// BundlerRules names the rules by which a bundler checks the validation of user operations. Empty: StrictBundler.
type BundlerRules string

// The values of BundlerRules.
const (
	// StrictBundler restricts validations by ERC-7562, as the bundlers of live chains do.
	StrictBundler BundlerRules = "strict"
	// LooseBundler only checks that the EntryPoint accepts the operation, as the bundlers of development nodes do.
	LooseBundler BundlerRules = "loose"
)

// AllBundlerRules lists the values of BundlerRules.
func AllBundlerRules() []BundlerRules { return []BundlerRules{StrictBundler, LooseBundler} }

// Valid reports whether the rules are known or empty.
func (b BundlerRules) Valid() bool { return b == "" || slices.Contains(AllBundlerRules(), b) }
