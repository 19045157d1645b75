package rpcserver

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

// Ensure a block shows each of its withdrawals.
func TestBlockWithWithdrawals(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	withdrawals := []any{}
	for _, index := range []string{"0x1", "0x2", "0x3"} {
		withdrawals = append(withdrawals, map[string]any{
			"index": index, "validatorIndex": "0x7", "address": "0x00000000000000000000000000000000000000aa", "amount": "0x10",
		})
	}
	for count := range len(withdrawals) + 1 {
		blocks := fetch[[]struct{ Withdrawals []any }](n, "eth_simulateV1", map[string]any{"blockStateCalls": []any{
			map[string]any{"blockOverrides": map[string]any{"withdrawals": withdrawals[:count]}},
		}}, "latest")
		require.Equal(t, withdrawals[:count], blocks[0].Withdrawals)
	}
}
