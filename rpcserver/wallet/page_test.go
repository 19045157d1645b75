package wallet_test

import (
	"net/http"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure a page finds the node's chain and no other, whether it switches to it or adds it.
func TestWalletChains(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	own := hexutil.EncodeUint64(servertest.ChainID)
	for _, method := range []string{"wallet_switchEthereumChain", "wallet_addEthereumChain"} {
		n.Do(method, map[string]any{"chainId": own, "chainName": "Test", "rpcUrls": []string{"http://127.0.0.1:8545"}})
		n.Refuses(4902, []string{"chain 0x1 is not here", own}, method, map[string]any{"chainId": "0x1"})
		n.Refuses(api.CodeInvalidParams, []string{"chainId is missing"}, method, map[string]any{})
		n.Refuses(api.CodeInvalidParams, []string{"chainId"}, method, map[string]any{"chainId": "0x01"})
		n.Refuses(api.CodeInvalidParams, []string{"missing argument 0 (chain)"}, method)
	}
}

// Ensure a page may see the node's accounts, whatever it asks for and gives back, and gets no other permission.
func TestWalletPermissions(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	type permissions []struct {
		ParentCapability string
		Caveats          []struct {
			Type  string
			Value []common.Address
		}
	}
	accounts := map[string]any{"eth_accounts": map[string]any{}}
	n.Do("wallet_revokePermissions", accounts)
	granted := servertest.Fetch[permissions](n, "wallet_requestPermissions", accounts)
	require.Equal(t, granted, servertest.Fetch[permissions](n, "wallet_getPermissions"))
	require.Len(t, granted, 1)
	require.Equal(t, "eth_accounts", granted[0].ParentCapability)
	require.Equal(t, "restrictReturnedAccounts", granted[0].Caveats[0].Type)
	require.Equal(t, servertest.Fetch[[]common.Address](n, "eth_accounts"), granted[0].Caveats[0].Value)
	for _, method := range []string{"wallet_requestPermissions", "wallet_revokePermissions"} {
		n.Refuses(api.CodeInvalidParams, []string{"wallet_snap", "eth_accounts"}, method, map[string]any{"wallet_snap": map[string]any{}})
	}
}

// Ensure a token is accepted with its type and address, by name as EIP-747 has it and by position.
func TestWatchAsset(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	options := map[string]any{"address": servertest.Token, "symbol": "USDC", "decimals": 6}
	for _, kind := range []string{"ERC20", "ERC721", "ERC1155"} {
		require.True(t, servertest.Fetch[bool](n, "wallet_watchAsset", kind, options))
		n.Refuses(api.CodeInvalidParams, []string{"invalid argument 1 (options) of wallet_watchAsset: address is missing"}, "wallet_watchAsset", kind, map[string]any{"address": nil})
	}
	n.Refuses(api.CodeInvalidParams, []string{"ERC20, ERC721, ERC1155"}, "wallet_watchAsset", "ERC7", options)

	status, answer := servertest.Post(n, n.Server.URL(), `{"jsonrpc":"2.0","id":1,"method":"wallet_watchAsset","params":{"type":"ERC20","options":{"address":"`+servertest.Token.Hex()+`"}}}`)
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":true}`, answer)
}
