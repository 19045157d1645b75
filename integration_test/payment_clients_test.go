package integration_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// balances holds the amounts that the merchant has received at pending and at latest, in token units.
type balances [2]int

// course holds the report of course.mjs about a payment.
type course struct {
	Preconfirmed, Lost, Sealed, Removed, Settled, End balances

	Again    string // how settling a second time is refused
	Hashed   bool   // getUserOpHash returns the hash in the event, and the operation succeeded
	Deployed bool   // the account has code now
	Failed   string // the script's own error
}

// paid returns the course of a payment that settles once in the end, after its pre-confirmation was lost and a reorg
// removed its block.
func paid(amount int, again string) course {
	none, all := balances{}, balances{amount, amount}
	return course{Preconfirmed: balances{amount, 0}, Lost: none, Sealed: all, Removed: none, Settled: all, End: all, Again: again}
}

// Ensure x402's own client and facilitator pay by every scheme and transfer method, and as often as the chain takes a
// payment back it is settled again, once.
func TestX402Paths(t *testing.T) {
	t.Parallel()
	// x402's interface of the proxies has no InvalidNonce(), which is Permit2's.
	invalidNonce := func(function string) string {
		return fmt.Sprintf("invalid_exact_evm_transaction_failed: The contract function %q reverted with the following signature: 0x756688fe", function)
	}
	require.Equal(t, map[string]course{
		"exact, EIP-3009":           paid(10_000, "invalid_exact_evm_nonce_already_used"),
		"exact, Permit2":            paid(10_000, invalidNonce("settle")),
		"exact, Permit2, sponsored": paid(10_000, invalidNonce("settleWithPermit")),
		"upto":                      paid(7_000, "permit2_simulation_failed"),
		"upto, sponsored":           paid(7_000, "permit2_allowance_required"),
		"upto, above the ceiling":   {Again: "invalid_upto_evm_payload_settlement_exceeds_amount"},
		"upto, no allowance":        {Again: "permit2_allowance_required"},
		"auth-capture, EIP-3009":    paid(5_000, "PaymentAlreadyCollected"),
		"auth-capture, Permit2":     paid(5_000, "PaymentAlreadyCollected"),
		"auth-capture 1.0":          paid(5_000, "PaymentAlreadyCollected"),
	}, runScript[map[string]course](t, fakenode.RunT(t), "payments.mjs"))
}

// channelPoint is a channel's balance and claims, and the amounts that the merchant has received and the payer is short
// of, in token units at latest.
type channelPoint [4]int

// Ensure x402's own client, server and facilitator sell by the request on a channel, thousands of times, and that each
// step of it through a lost pre-confirmation and a reorg leaves every token unit where it belongs.
func TestX402Channels(t *testing.T) {
	t.Parallel()
	const requests, price = 2_000, 100
	type course struct{ Preconfirmed, Lost, Sealed, Removed, Settled channelPoint }
	through := func(before, after channelPoint) course { return course{before, before, after, before, after} }
	const paid, deposit = requests * price, (requests + 100) * price
	deposited, claimed := channelPoint{deposit, 0, 0, deposit}, channelPoint{deposit, paid, 0, deposit}
	settled := channelPoint{deposit, paid, paid, deposit}
	refunded := channelPoint{deposit - 40*price, paid, paid, deposit - 40*price}
	got := runScript[struct {
		Served  int
		Courses map[string]course
	}](t, fakenode.RunT(t), "channels.mjs", strconv.Itoa(requests))
	require.Equal(t, requests, got.Served)
	require.Equal(t, map[string]course{
		"deposit":  through(channelPoint{}, deposited),
		"claim":    through(deposited, claimed),
		"settle":   through(claimed, settled),
		"refund":   through(settled, refunded),
		"initiate": through(refunded, refunded),
		"finalize": through(refunded, channelPoint{paid, paid, paid, paid}),
	}, got.Courses)
}

// Ensure viem's smart accounts, of keys and passkeys, pay by user operations and are charged by spend permissions,
// which deploy them.
func TestSmartAccountPaths(t *testing.T) {
	t.Parallel()
	operation := func(again string) course {
		c := paid(10_000, again)
		c.Hashed = true
		return c
	}
	permission := paid(10_000, "ExceededSpendPermission")
	permission.Deployed = true
	got := runScript[map[string]struct {
		course
		Before, After []bool // viem's verdicts on the right message and on another, before the account is deployed and after
	}](t, fakenode.RunT(t), "smart_accounts.mjs")
	for name, want := range map[string]course{
		"EntryPoint 0.6":            operation("AA10 sender already constructed"),
		"EntryPoint 0.6, version 1": operation("AA10 sender already constructed"),
		"EntryPoint 0.6, passkey":   operation("AA10 sender already constructed"),
		"EntryPoint 0.7":            operation("AA25 invalid account nonce"),
		"spend permission":          permission,
		"spend permission, passkey": permission,
	} {
		require.Equal(t, want, got[name].course, name)
	}
	for _, name := range []string{"signature of a key", "signature of a passkey"} {
		require.Empty(t, got[name].Failed, name)
		require.Equal(t, []bool{true, false}, got[name].Before, name)
		require.Equal(t, []bool{true, false}, got[name].After, name)
	}
	require.Len(t, got, 8)
}

// Ensure fakenode's contracts have all of the interfaces that clients carry, but for what docs/payments.md leaves out.
func TestPublishedInterfaces(t *testing.T) {
	t.Parallel()
	got := runScript[map[string][]string](t, fakenode.RunT(t), "interfaces.mjs")
	require.ElementsMatch(t, []string{
		"error InvalidNonceKey", "error SelectorNotAllowed", "error UnauthorizedCallContext", "error UpgradeFailed", "event Upgraded",
		"function REPLAYABLE_NONCE_KEY", "function canSkipChainIdValidation", "function executeWithoutChainIdValidation",
		"function getUserOpHashWithoutChainId", "function implementation", "function proxiableUUID", "function upgradeToAndCall",
	}, got["smartwallet/smart_wallet"])
	for _, whole := range []string{"x402/exact", "x402/upto", "smartwallet/factory", "entrypoint/v06", "entrypoint/v07"} {
		require.Empty(t, got[whole], whole)
	}
	require.Len(t, got, 6)
}
