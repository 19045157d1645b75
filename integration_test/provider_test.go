package integration_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// The first two development accounts, and how a provider gives the first one as the node has it.
const (
	firstAccount  = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
	secondAccount = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	firstAsGiven  = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
)

// providerReport holds the report of npm/provider.mjs, which uses the package's wallet.
type providerReport struct {
	Viem   viemProviderReport
	Ethers struct {
		Declined, Unsigned, Signer, Signed string
		Status, Typed, Chain               int
	}
	Wagmi struct {
		Found                                   []string
		Last                                    bool // the wallet injected last is window.ethereum
		Declined, Unpaid, Disconnected          string
		Connected, Selected, Switched, Reloaded [3]any // status, account, chain id
		Left                                    [2]any
	}
	Impersonated struct {
		Nonce   int
		Signing refusedOperation
	}
	Nobody refusedOperation
}

type viemProviderReport struct {
	Before, Connected, Again, Granted, After []string // accounts
	Permissions                              []any
	Paid, Capabilities, Coinbase             string
	Batch, Added, Back                       int
	Typed, TypedThere, Asked                 int // lengths of signatures, and of what the node was asked to sign
	Watched                                  bool
	Refused                                  map[string]refusedOperation
	Events                                   [][2]any
}

// Ensure the package's wallet is a provider to viem, ethers and wagmi, which finds it by its announcement. What its
// user decides shows as events and as the errors of EIP-1193, and is remembered by the next page of the dapp.
func TestProvider(t *testing.T) {
	t.Parallel()
	requireNode(t)
	require.NoError(t, packedOnce())
	module, err := filepath.Abs(filepath.Join(packed, "out", "fakenode", "lib", "provider.mjs"))
	require.NoError(t, err)
	node := fakenode.RunT(t)
	got := runScript[providerReport](t, node, "provider.mjs", module)

	for reason, want := range map[string]refusedOperation{
		"early":      {"UnauthorizedProviderError", 4100, "the page may not use account " + firstAccount + ": call eth_requestAccounts first"},
		"other":      {"UnauthorizedProviderError", 4100, "the page may not use account " + secondAccount + ": the user shows it " + firstAsGiven},
		"hidden":     {"UnauthorizedProviderError", 4100, "the page may not use account " + firstAccount + ": the user shows it " + secondAccount},
		"connecting": {"UserRejectedRequestError", 4001, "User rejected the request."},
		"paying":     {"UserRejectedRequestError", 4001, "User rejected the request."},
		"adding":     {"UserRejectedRequestError", 4001, "User rejected the request."},
		"batch":      {"AtomicReadyWalletRejectedUpgradeError", 5750, "not delegated"},
		"permission": {"InvalidParamsRpcError", -32602, "invalid argument 0 (permissions) of wallet_requestPermissions: permission snaps is not supported"},
		"method":     {"UnsupportedProviderMethodError", 4200, "the method eth_decrypt does not exist"},
		"chain":      {"SwitchChainError", 4902, "the wallet has no chain 0x7a6a"},
		"abroad":     {"InvalidParamsRpcError", -32602, "none of the rpcUrls is chain 0x1 on 127.0.0.1"},
		"typed":      {"InternalRpcError", -32603, `Provided chainId "31338" must match the active chainId "31337"`},
		"typedThere": {"InternalRpcError", -32603, `Provided chainId "31337" must match the active chainId "31338"`},
		"gone":       {"ProviderRpcError", 4900, node.URL() + " did not answer eth_gasPrice"},
		"number":     {"TypeError", 0, "Do not know how to serialize a BigInt"},
		"inherited":  {"ProviderRpcError", 4200, "the method constructor does not exist"},
		"busy":       {"ProviderRpcError", -32603, "eth_gasPrice: HTTP 503: injected fault"},
	} {
		requireRefused(t, want, got.Viem.Refused[reason], reason)
	}
	require.Len(t, got.Viem.Refused, 17)
	requireRefused(t, refusedOperation{"ProviderRpcError", 4900, "http://127.0.0.1:1 did not answer eth_accounts"}, got.Nobody, "no node")
	requireRefused(t, refusedOperation{"InvalidInputRpcError", -32000, "unknown account 0x00000000000000000000000000000000000A11cE"}, got.Impersonated.Signing, "no key")
	require.Equal(t, 1, got.Impersonated.Nonce)
	got.Viem.Refused = nil
	require.Equal(t, viemProviderReport{
		Before: []string{}, Permissions: []any{}, Connected: []string{firstAccount}, Again: []string{firstAccount}, Granted: []string{firstAsGiven},
		Paid: "success", Capabilities: "ready", Batch: 200, Watched: true, Added: 31338, Back: 31337, Typed: 132, TypedThere: 132, After: []string{}, Coinbase: secondAccount,
		Events: [][2]any{
			{"connect", "0x7a69"},
			{"accountsChanged", []any{firstAsGiven}},
			{"chainChanged", "0x7a6a"},
			{"chainChanged", "0x7a69"},
			{"chainChanged", "0x7a6a"},
			{"chainChanged", "0x7a69"},
			{"accountsChanged", []any{secondAccount}},
			{"disconnect", 4900.},
			{"connect", "0x7a69"},
			{"accountsChanged", []any{}},
			{"accountsChanged", []any{secondAccount}},
			{"accountsChanged", []any{}},
		},
	}, got.Viem)

	require.Equal(t, "ACTION_REJECTED", got.Ethers.Declined)
	require.Equal(t, "ACTION_REJECTED", got.Ethers.Unsigned)
	require.Equal(t, []string{secondAccount, secondAccount}, []string{got.Ethers.Signer, got.Ethers.Signed})
	require.Equal(t, []int{1, 132, 31337}, []int{got.Ethers.Status, got.Ethers.Typed, got.Ethers.Chain})

	require.Equal(t, []string{"io.github.fakenode Test wallet", "example.other fakenode"}, got.Wagmi.Found)
	require.True(t, got.Wagmi.Last)
	require.Equal(t, []string{"UserRejectedRequestError", "UserRejectedRequestError"}, []string{got.Wagmi.Declined, got.Wagmi.Unpaid})
	require.Equal(t, [3]any{"connected", firstAccount, 31337.}, got.Wagmi.Connected)
	require.Equal(t, [3]any{"connected", secondAccount, 31337.}, got.Wagmi.Selected)
	require.Equal(t, [3]any{"connected", secondAccount, 31338.}, got.Wagmi.Switched)
	require.Equal(t, got.Wagmi.Switched, got.Wagmi.Reloaded)
	require.Equal(t, "disconnected", got.Wagmi.Disconnected)
	require.Equal(t, [2]any{"disconnected", []any{}}, got.Wagmi.Left)
}
