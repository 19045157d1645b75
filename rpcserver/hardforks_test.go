package rpcserver_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure answers have the members of the block's hard fork: a receipt has a root before Byzantium and a status since, a
// block has a base fee since London, and before it a transaction pays its gas price and a fee history says 0.
func TestAnswersOfOldHardforks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name           string
		status, london bool
	}{
		{"frontier", false, false}, {"spuriousdragon", false, false}, {"byzantium", true, false}, {"berlin", true, false}, {"london", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{Hardfork: c.name})
			client := node.Client().Client()
			price := big.NewInt(3e9)
			tx := types.MustSignNewTx(node.Account(0).Key, types.HomesteadSigner{}, &types.LegacyTx{
				GasPrice: price, Gas: 21_000, To: new(node.Account(1).Address), Value: big.NewInt(1),
			})
			require.NoError(t, node.Send(tx))
			node.Seal()

			var receipt, sent, block map[string]any
			require.NoError(t, client.Call(&receipt, "eth_getTransactionReceipt", tx.Hash()))
			require.Equal(t, c.status, receipt["status"] == "0x1")
			root, _ := receipt["root"].(string)
			require.Equal(t, c.status, root == "")
			if !c.status {
				require.Equal(t, node.Moment().Latest().Receipts()[0].PostState, []byte(hexutil.MustDecode(root)))
			}
			require.Equal(t, hexutil.EncodeBig(price), receipt["effectiveGasPrice"])
			require.NoError(t, client.Call(&sent, "eth_getTransactionByHash", tx.Hash()))
			require.Equal(t, hexutil.EncodeBig(price), sent["gasPrice"])
			require.NoError(t, client.Call(&block, "eth_getBlockByNumber", "latest", false))
			_, has := block["baseFeePerGas"]
			require.Equal(t, c.london, has)

			var fees struct {
				BaseFeePerGas []string
				Reward        [][]string
			}
			require.NoError(t, client.Call(&fees, "eth_feeHistory", 1, "latest", []int{50}))
			require.Len(t, fees.BaseFeePerGas, 2)
			require.Equal(t, c.london, fees.BaseFeePerGas[0] != "0x0")
			require.Equal(t, c.london, fees.Reward[0][0] != hexutil.EncodeBig(price), "all of the price is a tip before London")
		})
	}
}
