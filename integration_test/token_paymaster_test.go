package integration_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

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
