package command

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// ImpersonateAccount serves anvil_impersonateAccount: eth_sendTransaction accepts transactions from the account without
// its key.
func ImpersonateAccount(r *api.Request, account common.Address) (any, error) {
	return nil, r.Network.Timeline.Impersonate(account)
}

func StopImpersonatingAccount(r *api.Request, account common.Address) (any, error) {
	r.Network.Timeline.StopImpersonating(account)
	return nil, nil
}

// AutoImpersonateAccount serves anvil_autoImpersonateAccount: it impersonates every account, or ends that.
func AutoImpersonateAccount(r *api.Request, on bool) (any, error) {
	r.Network.Timeline.ImpersonateAll(on)
	return nil, nil
}
