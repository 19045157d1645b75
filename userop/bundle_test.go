package userop

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

// Ensure a bundle pays the operation's tip, up to twice the price that is proposed, and to replace another both fees a
// tenth higher, rounded up, or its own where these are higher.
func TestFeesOfBundles(t *testing.T) {
	t.Parallel()
	for fee, want := range map[int64]int64{0: 1, 1: 2, 9: 10, 10: 11, 11: 13, 20: 22, 100: 110, 101: 112} {
		require.EqualValues(t, want, raised(big.NewInt(fee)).Int64(), fee)
	}
	for tip, want := range map[string]int64{"0x0": 0, "0x9": 9, "0xa": 10, "0xb": 10, "0xffffffff": 10} {
		var o Operation
		require.NoError(t, json.Unmarshal([]byte(`{"maxPriorityFeePerGas":"`+tip+`"}`), &o))
		b := Bundle{op: &o, bundler: &Bundler{Price: func(*preconf.Moment) *big.Int { return big.NewInt(5) }}}
		f := b.fees(nil)
		require.Equal(t, []int64{want, 10}, []int64{f.tip.Int64(), f.feeCap.Int64()}, tip)
	}
	old := types.NewTx(&types.DynamicFeeTx{GasTipCap: big.NewInt(100), GasFeeCap: big.NewInt(200)})
	for own, want := range map[[2]int64][2]int64{{1, 2}: {110, 220}, {111, 2}: {111, 220}, {110, 221}: {110, 221}, {109, 219}: {110, 220}, {500, 600}: {500, 600}} {
		f := fees{big.NewInt(own[0]), big.NewInt(own[1])}.above(old)
		require.Equal(t, want, [2]int64{f.tip.Int64(), f.feeCap.Int64()}, own)
	}
}
