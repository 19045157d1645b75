package paytoken

import (
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
// on other chains. Base Sepolia also has the one of the protocol's own tests that is approved and not permitted.
func X402Assets(chainID uint64) (assets []Asset) {
	for _, a := range x402Assets {
		if a.chainID == chainID {
			assets = append(assets, Asset{common.HexToAddress(a.address), a.name, a.version, a.symbol, a.decimals})
		}
	}
	return assets
}

var x402Assets = []struct {
	chainID                        uint64
	address, name, version, symbol string
	decimals                       uint8
}{
	{8453, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "USD Coin", "2", "USDC", 6}, // Base
	{84532, "0x036CbD53842c5426634e7929541eC2318f3dCF7e", "USDC", "2", "USDC", 6},    // Base Sepolia
	{84532, "0xeED520980fC7C7B4eB379B96d61CEdea2423005a", "Mock Token", "1", "MOCK", 6},
	{1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USD Coin", "2", "USDC", 6},               // Ethereum
	{43114, "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E", "USD Coin", "2", "USDC", 6},           // Avalanche C
	{4326, "0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7", "MegaUSD", "1", "MegaUSD", 18},         // MegaETH
	{143, "0x754704Bc059F8C67012fEd69BC8A327a5aafb603", "USDC", "2", "USDC", 6},                 // Monad
	{988, "0x779Ded0c9e1022225f8E0630b35a9b54bE713736", "USDT0", "1", "USDT0", 6},               // Stable
	{2201, "0x78Cf24370174180738C5B8E352B6D14c83a6c9A9", "USDT0", "1", "USDT0", 6},              // Stable testnet
	{137, "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", "USD Coin", "2", "USDC", 6},             // Polygon
	{42161, "0xaf88d065e77c8cC2239327C5EDb3A432268e5831", "USD Coin", "2", "USDC", 6},           // Arbitrum One
	{421614, "0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d", "USD Coin", "2", "USDC", 6},          // Arbitrum Sepolia
	{31612, "0xdD468A1DDc392dcdbEf6db6e34E89AA338F9F186", "Mezo USD", "1", "mUSD", 18},          // Mezo
	{31611, "0x118917a40FAF1CD7a13dB0Ef56C86De7973Ac503", "Mezo USD", "1", "mUSD", 18},          // Mezo testnet
	{723487, "0x33ad9e4BD16B69B5BFdED37D8B5D9fF9aba014Fb", "Stable Coin", "1", "SBC", 6},        // Radius
	{72344, "0x33ad9e4BD16B69B5BFdED37D8B5D9fF9aba014Fb", "Stable Coin", "1", "SBC", 6},         // Radius testnet
	{36900, "0x9cb8142aEBBcdc60AF7c97Af897A67A8f3CA71C2", "USDC.e", "2", "USDC.e", 6},           // ADI
	{190415, "0x401eCb1D350407f13ba348573E5630B83638E30D", "Bridged USDC", "2", "USDC.e", 6},    // HPP
	{181228, "0x401eCb1D350407f13ba348573E5630B83638E30D", "Bridged USDC", "2", "USDC.e", 6},    // HPP Sepolia
	{50, "0xfA2958CB79b0491CC627c1557F441eF849Ca8eb1", "USDC", "2", "USDC", 6},                  // XDC
	{51, "0xb5AB69F7bBada22B28e79C8FFAECe55eF1c771D4", "USDC", "2", "USDC", 6},                  // XDC Apothem
	{38833, "0xA5b8BF902b2844dA17d4506cc827F7F1681735E7", "USDC", "1", "USDC", 6},               // Igra
	{14, "0xe7cd86e13AC4309349F30B3435a9d337750fC82D", "USD₮0", "1", "USDT0", 6},                // Flare
	{42220, "0xcebA9300f2b948710d2653dD7B07f33A8B32118C", "USDC", "2", "USDC", 6},               // Celo
	{42220, "0x48065fbBE25f71C9282ddf5e1cD6D6A887483D5e", "Tether USD", "1", "USDT", 6},         // Celo
	{42220, "0xD2ab3C9A02DBBAB236BfEC45D1d755DF4267F771", "Tether America USD", "1", "USAT", 6}, // Celo
	{11142220, "0x01C5C0122039549AD1493B8220cABEdD739BC44E", "USDC", "2", "USDC", 6},            // Celo Sepolia
	{1329, "0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392", "USDC", "2", "USDC", 6},                // Sei
	{1328, "0x4fCF1784B31630811181f670Aea7A7bEF803eaED", "USDC", "2", "USDC", 6},                // Sei testnet
}
