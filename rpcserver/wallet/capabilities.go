package wallet

import (
	"maps"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/contracts/simple7702"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// atomicity describes whether an account can execute all calls or none.
type atomicity struct {
	// Status is EIP-5792's: supported, ready (after a delegation) or unsupported.
	Status string `json:"status"`

	reason         string         // why it is unsupported
	implementation common.Address // to delegate to, if it is ready
}

// The statuses of EIP-5792.
const (
	supported   = "supported"
	ready       = "ready"
	unsupported = "unsupported"
)

// implementations are the codes with which accounts execute batches; accounts delegate to the first one.
var implementations = []common.Address{simple7702.V08Address, simple7702.V09Address}

// GetCapabilities serves wallet_getCapabilities: those on the network's chain, if that is requested.
func GetCapabilities(r *api.Request, account common.Address, chains *[]hexutil.Uint64) (any, error) {
	m := r.Moment()
	if !owned(r, m, account) {
		return nil, unauthorized(account)
	}
	capabilities := map[hexutil.Uint64]any{}
	id := hexutil.Uint64(r.Network.ChainID())
	if chains != nil && !slices.Contains(*chains, id) {
		return capabilities, nil
	}
	atomic, err := atomicityOf(r, account)
	if err != nil {
		return nil, err
	}
	capabilities[id] = map[string]any{"atomic": atomic}
	return capabilities, nil
}

// owned reports whether the node signs for the account.
func owned(r *api.Request, m *preconf.Moment, account common.Address) bool {
	return r.Network.Key(account) != nil || m.Impersonated(account)
}

// atomicityOf returns the atomicity of an account in the block being built.
func atomicityOf(r *api.Request, account common.Address) (*atomicity, error) {
	state, err := r.State(&api.BlockTag{Kind: api.TagPending})
	if err != nil {
		return nil, err
	}
	for _, address := range append([]common.Address{account}, implementations...) {
		if err := state.Load(address); err != nil {
			return nil, err
		}
	}
	code := state.Code(account)
	runs, delegated := types.ParseDelegation(code)
	present := slices.IndexFunc(implementations, func(i common.Address) bool { return len(state.Code(i)) > 0 })
	m := r.Moment()
	next := m.NextHeader()
	switch {
	case delegated && slices.Contains(implementations, runs):
		return &atomicity{Status: supported}, nil
	case delegated:
		return &atomicity{Status: unsupported, reason: "it delegates to " + runs.Hex()}, nil
	case len(code) > 0:
		return &atomicity{Status: unsupported, reason: "it is a contract"}, nil
	case r.Network.Key(account) == nil:
		return &atomicity{Status: unsupported, reason: "the node has no key to sign its delegation with"}, nil
	case !m.Chain().Config().IsPrague(next.Number, next.Time):
		return &atomicity{Status: unsupported, reason: "there are no delegations before prague"}, nil
	case present < 0:
		return &atomicity{Status: unsupported, reason: "the chain has no contract at " + implementations[0].Hex() + " to delegate to"}, nil
	}
	return &atomicity{Status: ready, implementation: implementations[present]}, nil
}

// wantedChain is the parameter of wallet_switchEthereumChain (EIP-3326) and wallet_addEthereumChain (EIP-3085).
type wantedChain struct {
	ChainID *hexutil.Uint64 `json:"chainId" wanted:"an object of chainId"`
}

// SwitchChain serves wallet_switchEthereumChain and wallet_addEthereumChain: only the own chain can be chosen.
func SwitchChain(r *api.Request, wanted wantedChain) (any, error) {
	switch own := hexutil.Uint64(r.Network.ChainID()); {
	case wanted.ChainID == nil:
		return nil, api.InvalidParams("invalid argument 0 (chain) of %s: chainId is missing", r.Method)
	case *wanted.ChainID != own:
		return nil, api.Errorf(codeNoChain, "chain %s is not here: this one is %s", wanted.ChainID, own)
	}
	return nil, nil
}

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

// RevokePermissions serves wallet_revokePermissions: the node cannot distinguish pages, to which they belong.
func RevokePermissions(r *api.Request, wanted wantedPermissions) (any, error) {
	return nil, wanted.refused(r)
}

// assetTypes are the types of assets that a wallet can show (EIP-747).
var assetTypes = []string{"ERC20", "ERC721", "ERC1155"}

// asset is a token that a page wants to be shown. Its other members do not matter.
type asset struct {
	Address *common.Address `json:"address" wanted:"an object of address"`
}

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
