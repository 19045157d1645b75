package command_test

import (
	"math"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// ask calls a method of a node that must succeed.
func ask[T any](t *testing.T, client *rpc.Client, method string, params ...any) (answer T) {
	t.Helper()
	require.NoError(t, client.CallContext(t.Context(), &answer, method, params...), method)
	return answer
}

// Ensure the paymaster is set as asked, as a whole, and answers with all its settings, where there is one.
func TestPaymasterByCommand(t *testing.T) {
	t.Parallel()
	client := fakenode.RunConfigT(t, fakenode.Config{}).Client().Client()
	type state struct {
		Address, Signer common.Address
		Deny            []common.Address
		MaxCost, Budget *string
		ValidFor        *uint64
		Signature       string
		ExchangeRate    string
		Deposits        []struct{ EntryPoint, Deposit string }
	}
	first := ask[state](t, client, "fakenode_paymaster")
	require.Equal(t, entrypoint.PaymasterAddress, first.Address)
	require.Equal(t, entrypoint.PaymasterSigner, first.Signer)
	require.Equal(t, []common.Address{}, first.Deny)
	require.Equal(t, []any{(*string)(nil), (*string)(nil), (*uint64)(nil)}, []any{first.MaxCost, first.Budget, first.ValidFor})
	require.Equal(t, "valid", first.Signature)
	require.Equal(t, "0xb2d05e00", first.ExchangeRate)
	require.NotEmpty(t, first.Deposits)

	set := ask[state](t, client, "fakenode_paymaster", map[string]any{
		"deny": []common.Address{{9}}, "maxCost": 5, "budget": "6", "validFor": "0x7", "exchangeRate": 8, "deposit": 9,
	})
	require.Equal(t, []common.Address{{9}}, set.Deny)
	require.Equal(t, []string{"0x5", "0x6", "0x8", "valid"}, []string{*set.MaxCost, *set.Budget, set.ExchangeRate, set.Signature})
	require.EqualValues(t, 7, *set.ValidFor)
	for _, deposit := range set.Deposits {
		require.Equal(t, "0x9", deposit.Deposit)
	}
	require.Equal(t, set, ask[state](t, client, "fakenode_paymaster"))
	require.Equal(t, "expired", ask[state](t, client, "fakenode_paymaster", map[string]any{"signature": "expired"}).Signature)
	again := ask[state](t, client, "fakenode_paymaster", map[string]any{})
	require.Equal(t, set.Deposits, again.Deposits, "a deposit that is left out stays")
	again.Deposits = first.Deposits
	require.Equal(t, first, again, "the rules are set as a whole")
	for words, bad := range map[string]map[string]any{
		"fakenode_paymaster: ": {"signature": "none"},
		"not between 0 and":    {"maxCost": -1},
	} {
		err := client.Call(nil, "fakenode_paymaster", bad)
		require.ErrorContains(t, err, words)
		require.Equal(t, api.CodeInvalidParams, err.(rpc.Error).ErrorCode())
	}
	require.Error(t, client.Call(nil, "fakenode_paymaster", map[string]any{"validFor": uint64(math.MaxUint64)}))
	require.Equal(t, first.Deny, ask[state](t, client, "fakenode_paymaster").Deny)

	bare := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	for _, params := range [][]any{nil, {map[string]any{"deposit": 1}}} {
		bare.Refuses(api.CodeInvalidParams, []string{"fakenode_paymaster: "}, "fakenode_paymaster", params...)
	}
}
