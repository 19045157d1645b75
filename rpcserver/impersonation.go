package rpcserver

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// impersonateAccount serves anvil_impersonateAccount: eth_sendTransaction takes transactions from the
// account without its key.
func impersonateAccount(r *api.Request, account common.Address) (any, error) {
	r.Network.Timeline.Impersonate(account)
	return nil, nil
}

// stopImpersonatingAccount serves anvil_stopImpersonatingAccount.
func stopImpersonatingAccount(r *api.Request, account common.Address) (any, error) {
	r.Network.Timeline.StopImpersonating(account)
	return nil, nil
}

// autoImpersonateAccount serves anvil_autoImpersonateAccount: every account is impersonated, or no more.
func autoImpersonateAccount(r *api.Request, on bool) (any, error) {
	r.Network.Timeline.ImpersonateAll(on)
	return nil, nil
}
