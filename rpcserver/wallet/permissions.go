package wallet

import (
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/rpcserver/api"
)

// seeAccounts is the only permission, named after the method that it allows (EIP-2255).
const seeAccounts = "eth_accounts"

// permission is a permission of a page. Every page may always see the accounts of the node.
type permission struct {
	ParentCapability string   `json:"parentCapability"`
	Caveats          []caveat `json:"caveats"`
}

// caveat narrows a permission.
type caveat struct {
	Type  string           `json:"type"`
	Value []common.Address `json:"value"`
}

// wantedPermissions is the parameter of wallet_requestPermissions and wallet_revokePermissions: permissions by name.
type wantedPermissions map[string]struct{}

func (wantedPermissions) Wanted() string { return `{"eth_accounts": {}}` }

// refused returns the error about unknown permissions.
func (w wantedPermissions) refused(r *api.Request) error {
	for _, name := range slices.Sorted(maps.Keys(w)) {
		if name != seeAccounts {
			return api.InvalidParams("invalid argument 0 (permissions) of %s: permission %s is not supported, the wallet has %s alone",
				r.Method, api.Excerpt(name), seeAccounts)
		}
	}
	return nil
}

// GetPermissions serves wallet_getPermissions: to see the accounts.
func GetPermissions(r *api.Request) (any, error) {
	return []permission{{seeAccounts, []caveat{{"restrictReturnedAccounts", r.Network.Addresses()}}}}, nil
}

// RequestPermissions serves wallet_requestPermissions: nobody is asked for consent.
func RequestPermissions(r *api.Request, wanted wantedPermissions) (any, error) {
	if err := wanted.refused(r); err != nil {
		return nil, err
	}
	return GetPermissions(r)
}

// RevokePermissions serves wallet_revokePermissions: permissions belong to a page, and the node cannot distinguish
// pages.
func RevokePermissions(r *api.Request, wanted wantedPermissions) (any, error) {
	return nil, wanted.refused(r)
}
