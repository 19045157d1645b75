package rpcserver

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Network holds the timeline, keys and functions that a Server answers from at one of its paths. It must not be copied
// or changed once a Server has it. The networks of worlds have the same functions, which receive the timeline that they
// are for.
type Network struct {
	// Timeline is the chain with what is pre-confirmed on it. It must be set.
	Timeline *preconf.Timeline
	// Keys are the accounts that the node signs for, in the order of eth_accounts.
	Keys []*ecdsa.PrivateKey
	// Profile is whose answers to give. Zero: the contract's.
	Profile shape.Profile
	// Preconf is how clients see what is not in a block yet. Empty: PreconfFlashblocks.
	Preconf api.Preconf
	// NoSendSync makes eth_sendRawTransactionSync an unknown method, as on some endpoints of Base since Denim. False: it
	// answers.
	NoSendSync bool
	// NoBundler makes the methods of a bundler unknown. False: they are served where the chain has an EntryPoint.
	NoBundler bool
	// BundlerRules are the rules by which the bundler checks operations. Empty: StrictBundler.
	BundlerRules api.BundlerRules
	// Scenario plays a named course of events for fakenode_scenario and returns what a correct client must
	// conclude. It decodes params itself, which are nil if the client gave none. Its errors are answered with
	// -32602. Nil: there are no scenarios.
	Scenario func(ctx context.Context, on *preconf.Timeline, name string, params json.RawMessage) (any, error)
	// Mint gives an account more units of the payment token, for fakenode_mintToken, and returns its balance then. Nil:
	// there is no token.
	Mint func(ctx context.Context, on *preconf.Timeline, account common.Address, units *uint256.Int) (*uint256.Int, error)
	// Refork makes the timeline begin anew at a block of the chain at url, for anvil_reset; without a url it is that of
	// the present fork, and without a block the latest one. Nil: it cannot.
	Refork func(on *preconf.Timeline, url, block string) error
}
