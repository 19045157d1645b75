package rpcserver

import "github.com/ethereum/go-ethereum/common"

// impersonateAccount serves anvil_impersonateAccount: eth_sendTransaction takes transactions from the
// account without its key.
func impersonateAccount(r *request, account common.Address) (any, error) {
	r.network.Timeline.Impersonate(account)
	return nil, nil
}

// stopImpersonatingAccount serves anvil_stopImpersonatingAccount.
func stopImpersonatingAccount(r *request, account common.Address) (any, error) {
	r.network.Timeline.StopImpersonating(account)
	return nil, nil
}

// autoImpersonateAccount serves anvil_autoImpersonateAccount: every account is impersonated, or no more.
func autoImpersonateAccount(r *request, on bool) (any, error) {
	r.network.Timeline.ImpersonateAll(on)
	return nil, nil
}
