package rpcserver

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
)

// protocolVersion is the wire protocol eth_protocolVersion names, eth/68. The node speaks it to nobody.
const protocolVersion = 68

// syncing serves eth_syncing: the node has all there is.
func syncing(*request) (any, error) { return false, nil }

// coinbase serves eth_coinbase: who receives the tips.
func coinbase(r *request) (any, error) { return r.moment().Coinbase(), nil }

// netPeerCount serves net_peerCount: the node is alone.
func netPeerCount(*request) (any, error) { return hexutil.Uint64(0), nil }

// ethProtocolVersion serves eth_protocolVersion.
func ethProtocolVersion(*request) (any, error) { return hexutil.Uint64(protocolVersion), nil }

// hashrate serves eth_hashrate: nobody mines.
func hashrate(*request) (any, error) { return hexutil.Uint64(0), nil }

// ethAccounts serves eth_accounts and eth_requestAccounts: the accounts that the node signs for.
func ethAccounts(r *request) (any, error) {
	addresses := make([]common.Address, len(r.network.Keys))
	for i, key := range r.network.Keys {
		addresses[i] = crypto.PubkeyToAddress(key.PublicKey)
	}
	return addresses, nil
}
