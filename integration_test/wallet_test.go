package integration_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// callsCourse is the course of one account's batches as viem saw it. A text is a status, its code, and the status of
// each receipt, early if it is of a pre-confirmed transaction.
type callsCourse struct {
	Before, After                    string // status of the capability atomic
	Pooled, Preconfirmed, Lost, Gone string
	Early                            int    // the code when the first receipt was there
	Waited                           [3]any // the codes before and after waiting, and whether it was atomic
	Again                            [2]any // the code after a reorg that mined the batch again, and whether in another block
	Failed                           refusedOperation
	Sync                             [3]string // of a batch whose last call fails
	Paid                             int       // by the last batch
}

// Ensure viem's wallet actions work on the node's own URL: a batch, atomic or not, is pending until it is sealed, also
// where its pre-confirmation is lost, and follows reorgs; accounts, permissions, chains, tokens and signatures are as a
// dapp expects; and refusals are the errors that viem has names for.
func TestViemWallet(t *testing.T) {
	t.Parallel()
	got := runScript[struct {
		Courses  map[string]callsCourse
		Refused  map[string]refusedOperation
		Optional int
		Page     struct {
			Accounts, Permissions            []string
			Caveats                          int
			Watched, Switched, Added, Signed bool
			OtherChain                       refusedOperation
		}
	}](t, fakenode.RunT(t), "wallet.mjs")
	lost := refusedOperation{Name: "BundleFailedError", Text: "Call bundle failed with status: 400"}
	for name, want := range map[string]callsCourse{
		"atomic": {
			Before: "ready", Pooled: "pending 100", Preconfirmed: "pending 100 success early", Early: 100, Lost: "pending 100",
			Waited: [3]any{100., 200., true}, Again: [2]any{200., true}, Gone: "failure 400", Failed: lost,
			Sync: [3]string{"failure", "500", "reverted"}, After: "supported",
		},
		"sequential": {
			Before: "ready", Pooled: "pending 100", Preconfirmed: "pending 100 success early, success early", Early: 100, Lost: "pending 100",
			Waited: [3]any{100., 200., false}, Again: [2]any{200., true}, Gone: "failure 400", Failed: lost,
			Sync: [3]string{"failure", "600", "success, success, reverted"}, After: "ready", Paid: 15_000,
		},
	} {
		is := got.Courses[name]
		requireRefused(t, want.Failed, is.Failed, name)
		is.Failed = want.Failed
		require.Equal(t, want, is, name)
	}
	require.Len(t, got.Refused, 12)
	for reason, want := range map[string]refusedOperation{
		"version":               {"InvalidParamsRpcError", -32602, "invalid argument 0 (calls) of wallet_sendCalls: version 1.0 is not supported"},
		"user":                  {"UserRejectedRequestError", 4001, "User rejected the request."},
		"stranger":              {"UnauthorizedProviderError", 4100, "account 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 is not in the wallet"},
		"strangersCapabilities": {"UnauthorizedProviderError", 4100, "account 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 is not in the wallet"},
		"capability":            {"UnsupportedNonOptionalCapabilityError", 5700, `capability "paymasterService" is not supported`},
		"chain":                 {"UnsupportedChainIdError", 5710, "chain 0x1 is not supported: this one is 0x7a69"},
		"duplicate":             {"DuplicateIdError", 5720, "there is a batch with the id order-1"},
		"unknown":               {"UnknownBundleIdError", 5730, "there is no batch with the id order-2"},
		"unseen":                {"UnknownBundleIdError", 5730, "there is no batch with the id order-2"},
		"large":                 {"BundleTooLargeError", 5740, "a batch of 101 calls is too large, the limit is 100"},
		"upgrade":               {"AtomicReadyWalletRejectedUpgradeError", 5750, "User rejected the request."},
		"atomicity":             {"AtomicityNotSupportedError", 5760, "account 0x90F79bf6EB2c4f870365E785982E1f101E93b906 cannot execute calls atomically: it delegates to "},
	} {
		requireRefused(t, want, got.Refused[reason], reason)
	}
	require.Len(t, got.Page.Accounts, got.Page.Caveats)
	require.Equal(t, []string{"eth_accounts"}, got.Page.Permissions)
	require.True(t, got.Page.Watched && got.Page.Switched && got.Page.Added && got.Page.Signed)
	requireRefused(t, refusedOperation{"SwitchChainError", 4902, "chain 0x1 is not here: this one is 0x7a69"}, got.Page.OtherChain, "switch")
	require.Positive(t, got.Optional, "a capability that is optional")
}
