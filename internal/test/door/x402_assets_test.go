package door_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure x402's default asset of a chain is there with its domain and decimals, named by fakenode_info, and that the
// accounts have 1,000,000 of it; on Base Sepolia also the token of x402's tests that is approved.
func TestX402Assets(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		config  fakenode.Config
		address string
	}{
		{fakenode.Config{ChainID: 143, X402Assets: true}, "0x754704Bc059F8C67012fEd69BC8A327a5aafb603"},
		{fakenode.Config{ChainID: 42161, X402Assets: true, Preset: fakenode.Anvil}, "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"},
		{fakenode.Config{ChainID: 137, X402Assets: true}, "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"},
		{fakenode.Config{Preset: fakenode.MegaETH}, "0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7"},
		{fakenode.Config{Preset: fakenode.Base}, tokencontract.MainnetAddress.Hex()},
	} {
		node := fakenode.RunConfigT(t, tc.config)
		asset := node.X402Assets()[0]
		require.Equal(t, tc.address, asset.Address.Hex())
		ask := func(signature string, arguments ...byte) []byte {
			var answer hexutil.Bytes
			data := append(crypto.Keccak256([]byte(signature))[:4], arguments...)
			require.NoError(t, node.Client().Client().Call(&answer, "eth_call", map[string]any{"to": asset.Address, "data": hexutil.Bytes(data)}, "latest"))
			return answer
		}
		domain := tokencontract.Domain{Name: asset.Name, Version: asset.Version, ChainID: node.ChainID(), VerifyingContract: asset.Address}
		separator := domain.Separator()
		require.Equal(t, separator[:], ask("DOMAIN_SEPARATOR()"))
		require.Contains(t, string(ask("version()")), asset.Version)
		require.EqualValues(t, asset.Decimals, common.BytesToHash(ask("decimals()")).Big().Uint64())
		holding := common.BytesToHash(ask("balanceOf(address)", common.LeftPadBytes(node.Account(0).Address.Bytes(), 32)...)).Big()
		million := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(6+asset.Decimals)), nil)
		require.Equal(t, million, holding)
		var info struct {
			Config struct{ X402Assets []fakenode.X402Asset }
		}
		require.NoError(t, node.Client().Client().Call(&info, "fakenode_info"))
		require.Equal(t, node.X402Assets(), info.Config.X402Assets)
	}
	base := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Base})
	require.Equal(t, common.HexToAddress("0xeED520980fC7C7B4eB379B96d61CEdea2423005a"), base.Testnet().X402Assets()[1].Address)
	require.Empty(t, fakenode.RunT(t).X402Assets())
	_, err := fakenode.New(fakenode.Config{X402Assets: true})
	require.EqualError(t, err, "x402 has no asset on chain id 31337")
}
