package wallet

import (
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/rpcserver/api"
)

// assetTypes are the types of assets that a wallet can show (EIP-747).
var assetTypes = []string{"ERC20", "ERC721", "ERC1155"}

// asset is a token that a page wants to be shown. Its other members do not matter.
type asset struct {
	Address *common.Address `json:"address"`
}

func (asset) Wanted() string { return "an object of address" }

// WatchAsset serves wallet_watchAsset: the user agrees, and there is nobody to show the token to.
func WatchAsset(r *api.Request, kind string, a asset) (any, error) {
	switch {
	case !slices.Contains(assetTypes, kind):
		return nil, api.InvalidParams("invalid argument 0 (type) of %s: %s is not one of %s", r.Method, api.Excerpt(kind), strings.Join(assetTypes, ", "))
	case a.Address == nil:
		return nil, api.InvalidParams("invalid argument 1 (options) of %s: address is missing", r.Method)
	}
	return true, nil
}
