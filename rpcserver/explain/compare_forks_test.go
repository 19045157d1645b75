package explain_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// comparison is an answer of fakenode_compareForks.
type comparison struct {
	Forks            [2]string
	Compared, Breaks int
	Transactions     []struct {
		Hash     common.Hash
		Differs  []string
		Outcomes [2]struct {
			Status, Reason         string
			GasUsed, GasNeeded     uint64
			ExecutionGas, StateGas *uint64
			Logs                   []any
		}
	}
}

// Ensure fakenode_compareForks reports the broken transactions with reasons, for one transaction and for blocks.
func TestCompareForks(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Pay(0, 1, 7)
	stranger := common.HexToAddress("0x5712a9e5")
	breaks := n.Transact(0, &stranger, big.NewInt(7), nil)
	n.Do("fakenode_advance", 2000)
	all := servertest.Fetch[comparison](n, "fakenode_compareForks")
	require.Equal(t, 2, all.Compared)
	require.Equal(t, 1, all.Breaks)
	require.Equal(t, []string{"logs"}, all.Transactions[0].Differs)
	require.Equal(t, []string{"status"}, all.Transactions[1].Differs)
	one := servertest.Fetch[comparison](n, "fakenode_compareForks", map[string]any{"transaction": breaks.Hash(), "forks": []string{"bpo2", "amsterdam"}})
	require.Equal(t, all.Transactions[1:], one.Transactions)
	outcomes := one.Transactions[0].Outcomes
	require.Equal(t, "success", outcomes[0].Status)
	require.Nil(t, outcomes[0].StateGas)
	require.Equal(t, "failed", outcomes[1].Status)
	require.Equal(t, "out of gas", outcomes[1].Reason)
	require.Equal(t, uint64(21_000+183_600), outcomes[1].GasNeeded)
	require.Equal(t, 1, servertest.Fetch[comparison](n, "fakenode_compareForks", map[string]any{"forks": []string{"amsterdam", "osaka"}, "fromBlock": "0x1"}).Compared-1)
	n.Refuses(api.CodeInvalidParams, []string{`unknown hard fork "later"`}, "fakenode_compareForks", map[string]any{"forks": []string{"osaka", "later"}})
}

// Ensure fakenode_compareForks takes a call as eth_call does, with a block and overrides, and refuses what that
// refuses.
func TestCompareForksOfCalls(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Do("fakenode_advance", 2000)
	n.Do("anvil_setCode", fillingAddress, hexutil.Bytes(program.New().Sstore(1, 1).Op(vm.STOP).Bytes()))
	compare := func(call ...any) comparison {
		t.Helper()
		return servertest.Fetch[comparison](n, "fakenode_compareForks", map[string]any{"call": call})
	}
	call := map[string]any{"to": fillingAddress}
	both := compare(call, "pending")
	require.Equal(t, [2]string{"osaka", "amsterdam"}, both.Forks)
	require.Equal(t, 1, both.Compared)
	require.Zero(t, both.Breaks)
	outcomes := both.Transactions[0].Outcomes
	require.Equal(t, "success", outcomes[1].Status)
	require.EqualValues(t, 43_106, outcomes[0].GasUsed)
	require.Greater(t, outcomes[1].GasUsed, uint64(97_920), "a slot")
	require.Equal(t, []string{"gas"}, both.Transactions[0].Differs)
	require.Equal(t, outcomes, compare(call).Transactions[0].Outcomes, "latest")
	require.EqualValues(t, 21_000, compare(call, "earliest").Transactions[0].Outcomes[0].GasUsed, "there was no code")
	call["gas"] = "0xb000" // 45,056
	low := compare(call)
	require.Equal(t, 1, low.Breaks)
	require.Equal(t, "success", low.Transactions[0].Outcomes[0].Status)
	require.Equal(t, "failed", low.Transactions[0].Outcomes[1].Status)
	none := compare(call, "latest", map[string]any{fillingAddress.Hex(): map[string]any{"code": "0x"}})
	require.EqualValues(t, 21_000, none.Transactions[0].Outcomes[0].GasUsed)
	require.Zero(t, none.Breaks)
	timed := map[string]any{"to": refusingAddress}
	n.Do("anvil_setCode", refusingAddress, "0x4245605757005b") // jumps to 0x57 of nothing unless the time is 0
	at := compare(timed, "latest", map[string]any{}, map[string]any{"time": "0xffffffff", "number": "0x10"})
	require.Equal(t, "failed", at.Transactions[0].Outcomes[0].Status)

	n.Refuses(api.CodeNotFound, []string{"block not found: 0x99"}, "fakenode_compareForks", map[string]any{"call": []any{map[string]any{"to": fillingAddress}, "0x99"}})
	for text, call := range map[string][]any{
		`"kode"`:                       {map[string]any{"to": fillingAddress}, "latest", map[string]any{fillingAddress.Hex(): map[string]any{"kode": "0x"}}},
		`"times"`:                      {map[string]any{"to": fillingAddress}, "latest", nil, map[string]any{"times": "0x1"}},
		"hex string without 0x prefix": {map[string]any{"to": fillingAddress}, "newest"},
	} {
		n.Refuses(api.CodeInvalidParams, []string{text}, "fakenode_compareForks", map[string]any{"call": call})
	}
}
