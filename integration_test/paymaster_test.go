package integration_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

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
