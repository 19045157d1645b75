package optimism_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure the suggested tip of an OP-stack chain is the floor of its nodes, and above what a full block paid; that of
// Ethereum stays at 1 gwei; and that a course of the weather comes before both, for eth_gasPrice and filled fees too.
func TestSuggestedTip(t *testing.T) {
	t.Parallel()
	suggested := func(r rollup, method string) int64 {
		t.Helper()
		var fee hexutil.Big
		r.call(&fee, method)
		return fee.ToInt().Int64()
	}
	r := rollupOf(t, fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism}))
	require.EqualValues(t, 1_000_000, suggested(r, "eth_maxPriorityFeePerGas"))
	r.call(nil, "anvil_setCode", common.Address{0xaa}, "0xfe") // uses all gas
	pay := func(tip uint64) {
		r.call(nil, "eth_sendTransaction", map[string]any{
			"from": r.Account(0).Address, "to": common.Address{0xaa}, "gas": hexutil.Uint64(500_000), "maxPriorityFeePerGas": hexutil.Uint64(tip),
		})
	}
	pay(50_000_000)
	r.Seal()
	require.EqualValues(t, 1_000_000, suggested(r, "eth_maxPriorityFeePerGas"), "there was place for more")
	r.call(nil, "evm_setBlockGasLimit", hexutil.Uint64(1_100_000)) // for two of them
	for _, tip := range []uint64{30_000_000, 20_000_000, 10_000_000} {
		pay(tip)
	}
	r.Seal()
	require.EqualValues(t, 22_000_000, suggested(r, "eth_maxPriorityFeePerGas"), "a tenth more than the median")

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
