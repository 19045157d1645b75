package wallet

import (
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/rpcserver/api"
)

// wantedChain is the parameter of wallet_switchEthereumChain (EIP-3326) and wallet_addEthereumChain (EIP-3085), which
// describes the chain further.
type wantedChain struct {
	ChainID *hexutil.Uint64 `json:"chainId"`
}

func (wantedChain) Wanted() string { return "an object of chainId" }

// SwitchChain serves wallet_switchEthereumChain and wallet_addEthereumChain: only the node's own chain exists, and it
// is always chosen.
func SwitchChain(r *api.Request, wanted wantedChain) (any, error) {
	switch own := hexutil.Uint64(r.Network.ChainID()); {
	case wanted.ChainID == nil:
		return nil, api.InvalidParams("invalid argument 0 (chain) of %s: chainId is missing", r.Method)
	case *wanted.ChainID != own:
		return nil, api.Errorf(codeNoChain, "chain %s is not here: this one is %s", wanted.ChainID, own)
	}
	return nil, nil
}
