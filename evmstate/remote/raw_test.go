package remote_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure the receipts, transactions and headers of the chain below have the encodings that its node gives them: of
// each type, and of deposits.
func TestRawBlocksOfFork(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.Dev, fakenode.Optimism} {
		below := fakenode.RunConfigT(t, fakenode.Config{Preset: preset})
		payer, to, id := below.Account(0), common.Address{19: 0x99}, new(big.Int).SetUint64(below.ChainID())
		for nonce, inner := range []types.TxData{
			&types.LegacyTx{Nonce: 0, To: &to, Gas: 50_000, GasPrice: big.NewInt(2e9)},
			&types.AccessListTx{ChainID: id, Nonce: 1, To: &to, Gas: 50_000, GasPrice: big.NewInt(2e9)},
			&types.DynamicFeeTx{ChainID: id, Nonce: 2, To: &to, Gas: 50_000, GasFeeCap: big.NewInt(2e9), GasTipCap: big.NewInt(1e6)},
			&types.DynamicFeeTx{ChainID: id, Nonce: 3, Data: common.FromHex("0x5f5ffd"), Gas: 90_000, GasFeeCap: big.NewInt(2e9)},
		} {
			signed, err := types.SignNewTx(payer.Key, types.LatestSignerForChainID(id), inner)
			require.NoError(t, err)
			require.NoError(t, below.Client().SendTransaction(t.Context(), signed), nonce)
		}
		below.Seal()
		below.Seal()
		above := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: below.URL()}})
		for _, method := range []string{"debug_getRawReceipts", "debug_getRawHeader", "debug_getRawBlock"} {
			for _, number := range []string{"0x0", "0x1", "0x2"} {
				var want, got any
				require.NoError(t, dial(t, below).Call(&want, method, number))
				require.NoError(t, dial(t, above).Call(&got, method, number), "%s %s %s", preset, method, number)
				require.Equal(t, want, got, "%s %s %s", preset, method, number)
			}
		}
		var receipts []hexutil.Bytes
		require.NoError(t, dial(t, above).Call(&receipts, "debug_getRawReceipts", "0x1"))
		require.Len(t, receipts, map[fakenode.Preset]int{fakenode.Dev: 4, fakenode.Optimism: 5}[preset])
	}
}
