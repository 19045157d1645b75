package wallet

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Codes of EIP-1193, EIP-3085, EIP-3326 and EIP-5792.
const (
	codeUnauthorized = 4100 // the node does not sign for the account
	codeNoChain      = 4902 // unknown chain
	codeCapability   = 5700 // a capability that is not optional is not supported
	codeChain        = 5710 // the request is for another chain
	codeDuplicate    = 5720 // there is a batch with that id
	codeUnknownBatch = 5730
	codeTooLarge     = 5740 // too many calls, or too much gas
	codeNotAtomic    = 5760 // all calls or none cannot be promised
)

// unauthorized returns the error about an account that the node does not sign for.
func unauthorized(account common.Address) *jsonrpc.Error {
	return api.Errorf(codeUnauthorized, "account %s is not in the wallet: take one of eth_accounts, or impersonate it", account)
}
