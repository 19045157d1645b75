package eth_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

// Ensure a block shows each of its withdrawals.
func TestBlockWithWithdrawals(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	withdrawals := []any{}
	for _, index := range []string{"0x1", "0x2", "0x3"} {
		withdrawals = append(withdrawals, map[string]any{
			"index": index, "validatorIndex": "0x7", "address": "0x00000000000000000000000000000000000000aa", "amount": "0x10",
		})
	}
	for count := range len(withdrawals) + 1 {
		blocks := servertest.Fetch[[]struct{ Withdrawals []any }](n, "eth_simulateV1", map[string]any{"blockStateCalls": []any{
			map[string]any{"blockOverrides": map[string]any{"withdrawals": withdrawals[:count]}},
		}}, "latest")
		require.Equal(t, withdrawals[:count], blocks[0].Withdrawals)
	}
}
