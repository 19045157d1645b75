package api

import (
	"log/slog"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
	"github.com/fakenode/fakenode/rpcserver/stream"
)

// Network holds everything that methods need of their network. It is filled in before the first request and then not
// changed.
type Network struct {
	*Offer
	// Timeline is the chain with the pre-confirmed transactions on it.
	Timeline *preconf.Timeline
	// Token is where the payment token of the network's genesis is.
	Token paytoken.Deployment
	// Endpoint is where clients reach the network, Streams what they subscribe to there, and Feed its raw feed.
	Endpoint *jsonrpc.Endpoint
	Streams  *stream.Hub
	Feed     *flashblocks.Feed
	// Worlds makes and closes worlds of the server; nil where it has none.
	Worlds Worlds
}

// Settings are the choices of a server's user for all its networks, including worlds. The zero value works.
type Settings struct {
	// Accounts are the accounts that the node signs for, in the order of eth_accounts.
	Accounts []fixtures.Account
	// Profile selects the form of answers. Zero: the contract's.
	Profile shape.Profile
	// Preconf selects how clients see transactions that are not in a block yet. Empty: PreconfFlashblocks.
	Preconf Preconf
	// AllowUnprotected takes signed transactions that are bound to no chain (before EIP-155) under the geth profile, too.
	// False: it refuses them.
	AllowUnprotected bool
	// NoSendSync makes eth_sendRawTransactionSync an unknown method, as on some endpoints of Base since Denim. False: it
	// answers.
	NoSendSync bool
	// NoBundler makes the methods of a bundler unknown. False: they are served where the chain has an EntryPoint.
	NoBundler bool
	// BundlerRules are the rules by which the bundler checks operations. Empty: StrictBundler.
	BundlerRules BundlerRules
	// ClientVersion answers web3_clientVersion. Empty: name, platform and Go version.
	ClientVersion string
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

// FailFeed sets a fault of the network's raw feed, and logs it. The error names the wrong field of the fault.
func (n *Network) FailFeed(fault flashblocks.Fault) error {
	if err := n.Feed.Fail(fault); err != nil {
		return err
	}
	n.Endpoint.Events().Info("feed fault", "kind", fault.Kind, "nth", max(fault.Nth, 1), "count", max(fault.Count, 1))
	return nil
}
