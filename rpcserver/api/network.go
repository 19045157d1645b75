package api

import (
	"crypto/ecdsa"
	"log/slog"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/stream"
)

// Network holds everything that methods need of their network. It does not change once there are requests.
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
	// Served is the *world.Network that it is a part of.
	Served any
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
type Keyring map[common.Address]*ecdsa.PrivateKey

// NewKeyring returns the keys of accounts, and of the token's owner.
func NewKeyring(accounts []fixtures.Account) Keyring {
	keys := Keyring{paytoken.Owner.Address: paytoken.Owner.Key}
	for _, account := range accounts {
		keys[account.Address] = account.Key
	}
	return keys
}

// Addresses returns the development accounts.
func (n *Network) Addresses() []common.Address {
	return Each(n.Accounts, func(account fixtures.Account) common.Address { return account.Address })
}

// Key returns the private key of a development account or the token's owner, nil of any other.
func (n *Network) Key(account common.Address) *ecdsa.PrivateKey { return n.Keyring[account] }

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
