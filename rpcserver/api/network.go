package api

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"log/slog"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/internal/artifacts"
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
	// Keys are the accounts that the node signs for, in the order of eth_accounts; Keyring finds them.
	Keys    []*ecdsa.PrivateKey
	Keyring *Keyring
	// Profile selects the form of answers.
	Profile shape.Profile
	// Preconf selects how clients see transactions that are not in a block yet.
	Preconf Preconf
	// NoSendSync makes eth_sendRawTransactionSync an unknown method.
	NoSendSync bool
	// NoBundler makes the methods of a bundler unknown.
	NoBundler bool
	// BundlerRules are the rules by which the bundler checks operations.
	BundlerRules BundlerRules
	// Scenario, Mint and Refork are those of rpcserver.Network; nil where the network has none.
	Scenario func(ctx context.Context, on *preconf.Timeline, name string, params json.RawMessage) (any, error)
	Mint     func(ctx context.Context, on *preconf.Timeline, account common.Address, units *uint256.Int) (*uint256.Int, error)
	Refork   func(on *preconf.Timeline, url, block string) error

	// Endpoint is where clients reach the network, Streams what they subscribe to there, and Feed its raw feed.
	Endpoint *jsonrpc.Endpoint
	Streams  *stream.Hub
	Feed     *flashblocks.Feed
	// Worlds makes and closes worlds of the server; nil where it has none.
	Worlds Worlds
}

// Offer holds everything that all networks of a server share.
type Offer struct {
	Methods       map[string]jsonrpc.Method[*Request] // those that are on
	Turns         Turns
	Limits        Limits
	Provider      *Habits // nil: the node's own
	ClientVersion string
	Artifacts     *artifacts.Set    // contracts that have names
	Traces        func(text string) // takes the traces of failed calls; nil: dropped
	Console       func(data []byte) // takes the data of calls of console.log; nil: dropped
	Log           *slog.Logger
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
