package paytoken

import (
	_ "embed"
	"encoding/json"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// Asset is a token that x402 pays with.
type Asset struct {
	Address  common.Address `json:"address"`
	Name     string         `json:"name"`    // of the EIP-712 domain
	Version  string         `json:"version"` // of the EIP-712 domain
	Symbol   string         `json:"symbol"`
	Decimals uint8          `json:"decimals"`
}

// AssetsOf returns the X402Assets that a chain has in its genesis; none of a fork, which is not asked for them.
func AssetsOf(c *chain.Chain) (assets []Asset) {
	genesis := c.Genesis()
	if genesis == nil {
		return nil
	}
	for _, asset := range X402Assets(c.Config().ChainID.Uint64()) {
		if _, there := genesis.Alloc[asset.Address]; there {
			assets = append(assets, asset)
		}
	}
	return assets
}

// X402Assets returns the tokens of a chain in which @x402/evm 2.27.0 names prices in dollars, its default first; none
// on other chains. Base Sepolia also has the one of the protocol's own tests that is approved and not permitted. Do not
// modify.
func X402Assets(chainID uint64) []Asset { return x402Assets()[chainID] }

//go:embed x402.json
var x402JSON []byte

var x402Assets = sync.OnceValue(func() (assets map[uint64][]Asset) {
	if err := json.Unmarshal(x402JSON, &assets); err != nil {
		panic("paytoken: x402.json: " + err.Error()) // the build would be broken
	}
	return assets
})
