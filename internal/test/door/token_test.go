package door_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure an administrative call that the token rejects fails the test with the token's reason.
func TestTokenRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		amount *uint256.Int
		paused bool
		want   string
	}{
		"paused":     {amount: fixtures.USD("1"), paused: true, want: "Pausable: paused"},
		"zero":       {amount: new(uint256.Int), want: "FiatToken: mint amount not greater than 0"},
		"no amount":  {want: "FiatToken: mint amount not greater than 0"},
		"everything": {amount: tokencontract.MaxBalance, want: "FiatToken: mint amount exceeds minterAllowance"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &recorder{TB: t}
			node := fakenode.RunT(r)
			if tc.paused {
				node.Token().Pause()
			}
			require.Empty(t, r.failure)
			node.Token().Mint(node.Account(0).Address, tc.amount)
			require.Regexp(t, "^fakenode: token mint: transaction 0x[0-9a-f]{64} of 0x[0-9a-fA-F]{40} failed: execution reverted: "+tc.want+"$", r.failure)
		})
	}
}

// Ensure the token's administrators act by its methods.
func TestTokenAdministered(t *testing.T) {
	t.Parallel()
	token, to := fakenode.RunT(t).Token(), common.Address{0x11}
	token.Blacklist(to)
	token.UnBlacklist(to)
	token.Mint(to, fixtures.USD("1"))
	require.Equal(t, fixtures.USD("1"), token.BalanceOf(to))
}

// Ensure an armed fault meets the transaction of the code under test, not the test's own arrangements.
func TestTokenAmongFaults(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	_, err := node.FlashblockFault(fakenode.FlashblockFault{Kind: control.OmitTransactions, Count: 1})
	require.NoError(t, err)
	node.Token().Mint(node.Account(0).Address, fixtures.USD("1"))
	node.CheckBalance(t, node.Account(0).Address, fixtures.USD("1000001"))
	pay(t, node, 0)
	node.Seal()
	require.Equal(t, 1, node.Moment().PoolSize(), "left out")
}
