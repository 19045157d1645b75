package rpcserver

import (
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// protocolVersion is the wire protocol eth_protocolVersion names, eth/68. The node speaks it to nobody.
const protocolVersion = 68

// syncing serves eth_syncing: the node has all there is.
func syncing(*api.Request) (any, error) { return false, nil }

// coinbase serves eth_coinbase: who receives the tips.
func coinbase(r *api.Request) (any, error) { return r.Moment().Coinbase(), nil }

// netPeerCount serves net_peerCount: the node is alone.
func netPeerCount(*api.Request) (any, error) { return hexutil.Uint64(0), nil }

// ethProtocolVersion serves eth_protocolVersion.
func ethProtocolVersion(*api.Request) (any, error) { return hexutil.Uint64(protocolVersion), nil }

// hashrate serves eth_hashrate: nobody mines.
func hashrate(*api.Request) (any, error) { return hexutil.Uint64(0), nil }

// ethAccounts serves eth_accounts and eth_requestAccounts: the accounts that the node signs for.
func ethAccounts(r *api.Request) (any, error) { return r.Network.Accounts(), nil }
