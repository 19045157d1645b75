package door_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure the fees of L1 take a course, which transactions on the L2 pay, and which a reorg does not change.
func TestWeatherOfL1(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.BaseFlashblocks, fakenode.Base} {
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset})
		values := []*big.Int{big.NewInt(1e9), big.NewInt(1e12), big.NewInt(1e9)}
		require.NoError(t, node.SetWeather(fakenode.Weather{Of: fakenode.OfL1BaseFee, Shape: fakenode.List, Values: values}))
		pay := func() (l1Fee, l1Price *big.Int) {
			hash, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address)})
			require.NoError(t, err)
			node.Seal()
			var receipt struct{ L1Fee, L1GasPrice *hexutil.Big }
			require.NoError(t, node.Client().Client().Call(&receipt, "eth_getTransactionReceipt", hash))
			return receipt.L1Fee.ToInt(), receipt.L1GasPrice.ToInt()
		}
		calm, price := pay()
		require.EqualValues(t, 1e9, price.Int64())
		dear, price := pay()
		require.EqualValues(t, 1e12, price.Int64())
		require.Equal(t, 1, dear.Cmp(calm))
		_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1, Length: new(1)})
		require.NoError(t, err)
		again, price := pay()
		require.EqualValues(t, 1e9, price.Int64())
		require.Equal(t, calm, again)
	}
}
