package door_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure fakenode_weather sets a course of fees, reports the one in force, and accepts numbers in all forms.
func TestWeatherOverTheWire(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client := node.Client()
	type forecast struct {
		Of, Shape  string
		From, To   *hexutil.Big
		Values     []hexutil.Big
		Blocks     int
		FirstBlock uint64
		LastBlock  *uint64
	}
	var courses []forecast
	require.NoError(t, client.Client().Call(&courses, "fakenode_weather", map[string]any{"of": "baseFee", "shape": "spike", "to": "5000000000", "from": "0x3b9aca00", "blocks": 3}))
	require.NoError(t, client.Client().Call(&courses, "fakenode_weather", map[string]any{"of": "gasLimit", "shape": "sawtooth", "from": 10_000_000, "to": 20_000_000, "blocks": 2}))
	require.Len(t, courses, 2)
	require.Equal(t, "spike", courses[0].Shape)
	require.EqualValues(t, 5_000_000_000, courses[0].To.ToInt().Int64())
	require.EqualValues(t, 1, courses[0].FirstBlock)
	require.EqualValues(t, 3, *courses[0].LastBlock)
	require.Nil(t, courses[1].LastBlock)

	world, err := node.NewWorld(fakenode.WorldOptions{})
	require.NoError(t, err)
	for _, each := range []*fakenode.Node{node, world} {
		client := each.Client()
		for i, want := range []int64{5_000_000_000, 3_000_000_000, 1_000_000_000} {
			price, err := client.SuggestGasPrice(t.Context())
			require.NoError(t, err)
			require.GreaterOrEqual(t, price.Int64(), want, "clients are told the price of the next block")
			each.Seal()
			head, err := client.HeaderByNumber(t.Context(), nil)
			require.NoError(t, err)
			require.Equal(t, want, head.BaseFee.Int64())
			require.EqualValues(t, 10_000_000*(1+i%2), head.GasLimit)
		}
	}
	courses = nil
	require.NoError(t, client.Client().Call(&courses, "fakenode_weather", map[string]any{"of": "baseFee", "shape": "list", "values": []any{"0x7", 9}, "times": 2}))
	require.Equal(t, "list", courses[1].Shape)
	require.Equal(t, []string{"0x7", "0x9"}, []string{courses[1].Values[0].String(), courses[1].Values[1].String()})
	require.Equal(t, courses[1].FirstBlock+3, *courses[1].LastBlock)
	require.NoError(t, client.Client().Call(&courses, "fakenode_weather", map[string]any{"of": "baseFee", "shape": "calm"}))
	require.NoError(t, client.Client().Call(&courses, "fakenode_weather", map[string]any{"of": "gasLimit", "shape": "calm"}))
	require.Empty(t, courses)
	require.ErrorContains(t, client.Client().Call(nil, "fakenode_weather", map[string]any{"of": "baseFee", "shape": "spike"}), "weather of baseFee: a spike needs a value to go to")
}

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

// Ensure a course goes on in a node that is started again from its file.
func TestWeatherOfAKeptNode(t *testing.T) {
	t.Parallel()
	config := fakenode.Config{State: t.TempDir()}
	var fees []uint64
	for range 2 {
		node, err := fakenode.New(config)
		require.NoError(t, err)
		if node.BlockNumber() == 0 {
			values := []*big.Int{big.NewInt(11), big.NewInt(12), big.NewInt(13)}
			require.NoError(t, node.SetWeather(fakenode.Weather{Of: fakenode.OfBaseFee, Shape: fakenode.List, Values: values}))
			require.NoError(t, node.SetWeather(fakenode.Weather{Of: fakenode.OfBlobBaseFee, Shape: fakenode.List, Values: values}))
		}
		node.Seal()
		fees = append(fees, node.Moment().Latest().Header().BaseFee.Uint64())
		require.NoError(t, node.Close())
	}
	require.Equal(t, []uint64{11, 12}, fees)
}

// Ensure a client that waits for its receipt gets through a spike of the base fee, and the node says what the
// transaction waits for.
func TestWeatherAndAWaitingTransaction(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	tx, err := types.SignNewTx(node.Account(0).Key, node.Moment().Signer(), &types.LegacyTx{GasPrice: big.NewInt(2e9), Gas: 21_000, To: new(node.Account(1).Address)})
	require.NoError(t, err)
	require.NoError(t, node.SetWeather(fakenode.Weather{Of: fakenode.OfBaseFee, Shape: fakenode.Spike, To: big.NewInt(9e9), Blocks: 3}))
	require.NoError(t, node.Send(tx))
	history, err := node.Client().FeeHistory(t.Context(), 1, nil, nil)
	require.NoError(t, err)
	require.EqualValues(t, 9e9, history.BaseFee[1].Int64(), "wallets ask so for the next base fee")
	node.Seal()
	require.ErrorContains(t, node.Place(tx.Hash()).Reason, "its fee cap of 2000000000 wei is below the base fee")
	node.Seal()
	node.Seal()
	require.Equal(t, fakenode.Sealed, node.Place(tx.Hash()).Where)
}
