package integration

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient/simulated"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

// BenchmarkBesideSimulated starts a node in the process and reads 40 logs of 2,000 blocks there, and does the same with
// go-ethereum's simulated backend. It stands here because that one is slow to compile.
func BenchmarkBesideSimulated(b *testing.B) {
	b.Run("start/fakenode", func(b *testing.B) {
		for b.Loop() {
			node, err := fakenode.New(fakenode.Config{StartTime: time.Unix(1_700_000_000, 0)})
			require.NoError(b, err)
			require.NoError(b, node.Close())
		}
	})
	b.Run("start/simulated", func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, simulated.NewBackend(types.GenesisAlloc{}).Close())
		}
	})

	emitter, from := common.Address{0xee}, fixtures.Dev(0)
	logs := func(b *testing.B, client simulated.Client, seal func()) {
		id, err := client.ChainID(b.Context())
		require.NoError(b, err)
		for i := range uint64(2_000) {
			if i%50 == 0 {
				tx := types.MustSignNewTx(from.Key, types.LatestSignerForChainID(id), &types.LegacyTx{
					Nonce: i / 50, To: &emitter, Gas: 100_000, GasPrice: big.NewInt(1e11), Data: labcode.EmitterCall(1, 2),
				})
				require.NoError(b, client.SendTransaction(b.Context(), tx))
			}
			seal()
		}
		for b.Loop() {
			found, err := client.FilterLogs(b.Context(), ethereum.FilterQuery{FromBlock: new(big.Int), Addresses: []common.Address{emitter}})
			require.NoError(b, err)
			require.Len(b, found, 40)
		}
	}
	b.Run("logs/fakenode", func(b *testing.B) {
		node := fakenode.RunConfigT(b, fakenode.Config{Rules: fakenode.EthereumRules})
		node.SetCode(emitter, labcode.Emitter())
		logs(b, node.Client(), func() { node.Seal() })
	})
	b.Run("logs/simulated", func(b *testing.B) {
		backend := simulated.NewBackend(types.GenesisAlloc{emitter: {Code: labcode.Emitter()}, from.Address: {Balance: big.NewInt(1e18)}})
		defer backend.Close()
		logs(b, backend.Client(), func() { backend.Commit() })
	})
}
