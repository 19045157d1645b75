package optimism_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a course of the weather decides the suggested tip, for eth_gasPrice and filled fees too, and that the usual
// one is there again after it.
func TestTipOfTheWeather(t *testing.T) {
	t.Parallel()
	suggested := func(r rollup, method string) int64 {
		t.Helper()
		var fee hexutil.Big
		r.call(&fee, method)
		return fee.ToInt().Int64()
	}
	for _, rules := range []fakenode.Rules{fakenode.KarstRules, fakenode.EthereumRules} {
		r := rollupOf(t, fakenode.RunConfigT(t, fakenode.Config{Rules: rules}))
		usual := suggested(r, "eth_maxPriorityFeePerGas")
		if rules == fakenode.EthereumRules {
			require.EqualValues(t, 1_000_000_000, usual)
		}
		r.call(nil, "fakenode_weather", map[string]any{"of": "tip", "shape": "list", "values": []string{"0x7", "0x0"}})
		base := suggested(r, "eth_baseFee")
		require.EqualValues(t, 7, suggested(r, "eth_maxPriorityFeePerGas"))
		require.EqualValues(t, base+7, suggested(r, "eth_gasPrice"))
		var filled struct {
			Tx struct{ MaxPriorityFeePerGas hexutil.Uint64 }
		}
		r.call(&filled, "eth_fillTransaction", map[string]any{"from": r.Account(0).Address, "to": common.Address{0xaa}, "gas": "0x5208"})
		require.EqualValues(t, 7, filled.Tx.MaxPriorityFeePerGas)
		r.Seal()
		require.Zero(t, suggested(r, "eth_maxPriorityFeePerGas"))
		r.Seal()
		require.Equal(t, usual, suggested(r, "eth_maxPriorityFeePerGas"), "the course is over")
	}
}
