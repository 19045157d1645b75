package integration_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/entrypoint"
)

// refusedOperation is how the bundler refused: viem's name for it, the code and the node's words.
type refusedOperation struct {
	Name string
	Code int
	Text string
}

// operationCourse is the course of one account's operations.
type operationCourse struct {
	Pooled       [2]bool // null as receipt, found by hash
	Preconfirmed bool
	Logs         int
	Lost         *bool // success, or null: nobody knows it
	Sealed       *bool
	Removed      *bool
	Again        *bool
	Waiting      int
	Both         []bool
	Cleared      int
	Paid         int
	Refused      map[string]refusedOperation
	Failed       string
}

// Ensure viem's bundler client works on the node's own URL: operations of viem's and of a user's account are
// pre-confirmed, lost, removed by a reorg and put back by one, two of a sender fit into a flashblock, and refusals are
// the errors that viem has names for.
func TestViemBundler(t *testing.T) {
	t.Parallel()
	got := runScript[struct {
		EntryPoints []common.Address
		Accounts    map[string]operationCourse
	}](t, fakenode.RunT(t), "bundler.mjs")
	require.Equal(t, []common.Address{entrypoint.V09Address, entrypoint.V08Address, entrypoint.V07Address, entrypoint.V06Address}, got.EntryPoints)
	require.Len(t, got.Accounts, 4)
	for name, course := range got.Accounts {
		require.Empty(t, course.Failed, name)
		for reason, want := range map[string]refusedOperation{
			"nonce":      {"InvalidAccountNonceError", -32500, "AA25 invalid account nonce ("},
			"poor":       {"InsufficientPrefundError", -32500, "AA21 didn't pay prefund (give the sender ether"},
			"undeployed": {"AccountNotDeployedError", -32500, "AA20 account not deployed ("},
			"call":       {"ExecutionRevertedError", -32521, "execution reverted: ERC20: transfer amount exceeds balance"},
			"missing":    {"InvalidParamsRpcError", -32602, "user operation: callData is missing"},
			"entryPoint": {"InvalidParamsRpcError", -32602, "EntryPoint 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 is not supported, want one of ["},
		} {
			requireRefused(t, want, course.Refused[reason], name+", "+reason)
		}
		yes := true
		course.Refused = nil
		require.Equal(t, operationCourse{
			Pooled: [2]bool{true, true}, Preconfirmed: true, Logs: 1, Sealed: &yes, Again: &yes, Waiting: 2, Both: []bool{true, true}, Paid: 30_000,
		}, course, name)
	}
}

// requireRefused requires a refusal whose text begins with that of want.
func requireRefused(t *testing.T, want, is refusedOperation, what string) {
	t.Helper()
	require.True(t, strings.HasPrefix(is.Text, want.Text), "%s: %s", what, is.Text)
	is.Text = want.Text
	require.Equal(t, want, is, what)
}

// delegatedCourse is the course of a key's operations, the first of which makes it delegate.
const delegatedCourse = `{
	"estimate": 3, "waiting": ["0x7702", true, null], "both": [true, true], "delegated": true, "type": "eip7702", "found": ["0x7702", true],
	"removed": null, "again": [true, true], "plain": [true, null]
}`

// Ensure viem's account of EIP-7702 works through the bundler: viem sends 0x7702 as its factory and an authorization,
// two operations may have the same one, a reorg takes the delegation back, and an authorization that would not take
// effect is refused with what is wrong.
func TestViemDelegatedOperations(t *testing.T) {
	t.Parallel()
	got := runScript[struct{ Accounts map[string]map[string]any }](t, fakenode.RunT(t), "bundler_delegation.mjs").Accounts
	require.Len(t, got, 2)
	for version, course := range got {
		refused, err := json.Marshal(course["refused"])
		require.NoError(t, err)
		var refusals map[string]refusedOperation
		require.NoError(t, json.Unmarshal(refused, &refusals))
		for what, want := range map[string]refusedOperation{
			"unsigned": {"InvalidFieldsError", -32602, "user operation: eip7702Auth: it is signed by 0x"},
			"stranger": {"InvalidFieldsError", -32602, "user operation: eip7702Auth: it is signed by 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, not by the sender 0x"},
			"nonce":    {"InvalidFieldsError", -32602, "user operation: eip7702Auth: nonce is 0x1, and the sender's is 0x0"},
			"chain":    {"InvalidFieldsError", -32602, "user operation: eip7702Auth: chainId is 0x1, want 0x"},
			"none":     {"AccountNotDeployedError", -32500, "AA20 account not deployed ("},
			"old":      {"InvalidParamsRpcError", -32602, "user operation of EntryPoint 0.7: factory 0x7702 is known from 0.8 on"},
		} {
			requireRefused(t, want, refusals[what], version+", "+what)
		}
		delete(course, "refused")
		is, err := json.Marshal(course)
		require.NoError(t, err)
		require.JSONEq(t, delegatedCourse, string(is), version)
	}
}

// faultCourses are the answers that viem's bundler client gets with each fault of the bundler. Hashes and numbers of
// blocks are "…".
var faultCourses = map[string]string{
	"never": `{"first": "pool: it is held on command, until released: never", "second": null, "other": true, "armed": 0, "released": [true, true]}`,
	"late": `{"other": true, "waiting": "pool: it is held on command, until block …: late", "second": null, "due": true,
		"place": "preconfirmed: late"}`,
	"lateByTime": `{"waiting": null, "due": true}`,
	"revert": `{"status": "reverted", "success": null, "known": null, "nonce": true, "again": true,
		"place": "dropped: its bundle reverted, because another operation in it failed its validation: revert"}`,
	"replace": `{"success": true, "another": true, "first": {"where": "dropped", "reason": "replaced by …"}, "place": "sealed: replace"}`,
	"twice":   `{"success": true, "in": true, "statuses": ["success", "reverted"], "place": "sealed: twice"}`,
	"forget":  `{"known": null, "place": "dropped: the bundler has forgotten it: forget"}`,
	"lie": `{"told": true, "logs": true, "bundle": null, "known": true, "taken": null, "nonce": true,
		"place": "dropped: it was never sent: the bundler lies about it until block …: lie",
		"after": "dropped: it was never sent: the bundler lied about it: lie"}`,
	"underestimate": `{"success": false, "place": "sealed", "verification": "AA23 reverted (look at validateUserOp of the account, or raise verificationGasLimit)"}`,
	"cheaper": `{"known": "user operation … is already known", "first": null, "second": true,
		"low": "user operation … does not replace …, which has the same sender and nonce: its maxFeePerGas and maxPriorityFeePerGas are 4400000000 and 1099999999, want at least 4400000000 and 1100000000, 10 % more"}`,
}

// Ensure every fault of the bundler strikes the operations it is for and no others, whatever their EntryPoint, as
// viem's client sees it; and that an operation replaces another one only for higher fees.
func TestBundlerFaults(t *testing.T) {
	t.Parallel()
	results := runScript[struct {
		Results map[string]map[string]json.RawMessage
	}](t, fakenode.RunT(t), "bundler_faults.mjs").Results
	require.Len(t, results, 4)
	varying := regexp.MustCompile(`0x[0-9a-f]{64}|block \d+`)
	for version, got := range results {
		require.Len(t, got, len(faultCourses))
		for name, want := range faultCourses {
			is := varying.ReplaceAllStringFunc(string(got[name]), func(found string) string {
				if found[0] == 'b' {
					return "block …"
				}
				return "…"
			})
			require.JSONEq(t, want, is, version+", "+name)
		}
	}
}

// sponsoredCourse is the course of one account's sponsored operations.
type sponsoredCourse struct {
	Ether        int // of the account
	Preconfirmed bool
	Paid         bool  // by the paymaster's deposit
	Lost         *bool // success, or null: nobody knows it
	Refunded     bool
	Sealed       *bool
	Again        *bool
	Refused      map[string]refusedOperation
	Failed       string
}

// Ensure viem's paymaster client works on the node's own URL, as the bundler client's default and as a client of its
// own: operations of accounts without ether are paid for through a lost pre-confirmation and a reorg, every policy
// refuses with its code and words, and a signature of a paymaster may stand apart from its data in 0.9.
func TestViemPaymaster(t *testing.T) {
	t.Parallel()
	got := runScript[struct {
		Accounts map[string]sponsoredCourse
		Apart    struct {
			Success, Paymaster, Again bool
			Fields                    []bool // those of the paymaster, while it waits and when it is executed
			Refused                   map[string]refusedOperation
		}
		Early refusedOperation
	}](t, fakenode.RunT(t), "paymaster.mjs")
	require.True(t, got.Apart.Success && got.Apart.Paymaster && got.Apart.Again)
	require.Equal(t, []bool{true, true}, got.Apart.Fields)
	requireRefused(t, refusedOperation{"InvalidFieldsError", -32602, "user operation: paymasterData ends with 0x22e325a297439656"}, got.Apart.Refused["magic"], "magic")
	requireRefused(t, refusedOperation{"InvalidParamsRpcError", -32602, "user operation: paymasterPostOpGasLimit is missing"}, got.Apart.Refused["limits"], "limits")
	requireRefused(t, refusedOperation{"InvalidFieldsError", -32602, "user operation of EntryPoint 0.8: paymasterSignature is known from 0.9 on"}, got.Early, "early")
	require.Len(t, got.Accounts, 4)
	for name, course := range got.Accounts {
		require.Empty(t, course.Failed, name)
		for policy, want := range map[string]refusedOperation{
			"denied":  {"RpcRequestError", -32501, "the paymaster does not sponsor the operation: sender 0x"},
			"dear":    {"RpcRequestError", -32501, "the paymaster does not sponsor the operation: it may cost "},
			"spent":   {"RpcRequestError", -32501, "the paymaster does not sponsor the operation: it may cost "},
			"wrong":   {"UserOperationPaymasterSignatureError", -32507, "AA34 signature error (the paymaster does not accept its signature"},
			"expired": {"UserOperationPaymasterExpiredError", -32503, "AA32 paymaster expired or not due (the paymaster's time range"},
			"early":   {"UserOperationPaymasterExpiredError", -32503, "AA32 paymaster expired or not due (the paymaster's time range"},
			"dry":     {"PaymasterDepositTooLowError", -32508, "AA31 paymaster deposit too low (give the paymaster a deposit"},
		} {
			requireRefused(t, want, course.Refused[policy], name+", "+policy)
		}
		yes := true
		course.Refused = nil
		require.Equal(t, sponsoredCourse{Preconfirmed: true, Paid: true, Refunded: true, Sealed: &yes, Again: &yes}, course, name)
	}
}

// tokenBill is the cost of one operation for its account.
type tokenBill struct {
	Named  bool // by its hash and the price of an ether, in the paymaster's event
	Taken  bool // from the account's balance, once
	Covers bool // what the paymaster's deposit has paid, and not more than a quarter above
}

// tokenCourse is the course of the operations that one account paid for in the token.
type tokenCourse struct {
	Ether        int   // of the account
	Unapproved   *bool // success of one whose account had approved nothing
	Earned       int   // by the merchant with that, in token units
	Preconfirmed tokenBill
	Lost         *bool // null: nobody knows it
	Refunded     bool
	Again        *bool
	Sealed       tokenBill
	Refused      refusedOperation
	Failed       string
}

// Ensure accounts without ether pay for operations of every EntryPoint in the token, at the rate that the test has set,
// through a lost pre-confirmation and a reorg; that one with nothing approved is undone whole; and that what is no
// token is refused.
func TestViemTokenPaymaster(t *testing.T) {
	t.Parallel()
	got := runScript[struct {
		Accounts map[string]tokenCourse
		Together *bool
	}](t, fakenode.RunT(t), "token_paymaster.mjs")
	yes, no := true, false
	require.Len(t, got.Accounts, 4)
	for name, course := range got.Accounts {
		require.Empty(t, course.Failed, name)
		requireRefused(t, refusedOperation{"InvalidParamsRpcError", -32602, "context: there is no token at 0x"}, course.Refused, name)
		course.Refused = refusedOperation{}
		for _, bill := range []*tokenBill{&course.Preconfirmed, &course.Sealed} {
			require.Equal(t, tokenBill{Named: true, Taken: true, Covers: true}, *bill, name)
			*bill = tokenBill{}
		}
		require.Equal(t, tokenCourse{Unapproved: &no, Refunded: true, Again: &yes}, course, name)
	}
	require.Equal(t, &yes, got.Together)
}
