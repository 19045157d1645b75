package command_test

import (
	"math"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// ask calls a method of a node that must succeed.
func ask[T any](t *testing.T, client *rpc.Client, method string, params ...any) (answer T) {
	t.Helper()
	require.NoError(t, client.CallContext(t.Context(), &answer, method, params...), method)
	return answer
}

// Ensure the paymaster has defaults, and is set as a whole, but for the deposit.
func TestPaymasterByCommand(t *testing.T) {
	t.Parallel()
	client := fakenode.RunConfigT(t, fakenode.Config{}).Client().Client()
	type state struct {
		Deny            []common.Address
		MaxCost, Budget *string
		ValidFor        *uint64
		Signature       string
		ExchangeRate    string
		Deposits        []struct{ EntryPoint, Deposit string }
	}
	first := ask[state](t, client, "fakenode_paymaster")
	require.NotEmpty(t, first.Deposits)
	bare := first
	bare.Deposits = nil
	require.Equal(t, state{Deny: []common.Address{}, Signature: "valid", ExchangeRate: "0xb2d05e00"}, bare)
	set := ask[state](t, client, "fakenode_paymaster", map[string]any{
		"deny": []common.Address{{9}}, "maxCost": 5, "budget": "6", "validFor": "0x7", "exchangeRate": 8, "deposit": 9,
	})
	require.Equal(t, []string{"0x5", "0x6", "0x8", "valid"}, []string{*set.MaxCost, *set.Budget, set.ExchangeRate, set.Signature})
	require.EqualValues(t, 7, *set.ValidFor)
	for _, deposit := range set.Deposits {
		require.Equal(t, "0x9", deposit.Deposit)
	}
	require.Equal(t, set, ask[state](t, client, "fakenode_paymaster"))
	again := ask[state](t, client, "fakenode_paymaster", map[string]any{})
	require.Equal(t, set.Deposits, again.Deposits, "a deposit that is left out stays")
	again.Deposits = nil
	require.Equal(t, bare, again)
	require.Error(t, client.Call(nil, "fakenode_paymaster", map[string]any{"validFor": uint64(math.MaxUint64)}))
	require.Equal(t, set.Deposits, ask[state](t, client, "fakenode_paymaster").Deposits)
}
