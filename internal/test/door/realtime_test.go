package door_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure latest moves with what is pre-confirmed wherever a client meets the chain: on the node and its test network,
// in a world and at a replica, after a snapshot is reverted to, after a reorg, and after a restart from a file, which
// has what was sealed.
func TestLatestMovesEverywhere(t *testing.T) {
	t.Parallel()
	to := common.Address{0xaa}
	for _, preset := range []fakenode.Preset{fakenode.MegaETH, fakenode.Rise} {
		config := fakenode.Config{
			Preset: preset, Mode: fakenode.Interval, State: filepath.Join(t.TempDir(), "chain.db"),
			Replicas: fakenode.Replicas{Count: 1, Lag: []fakenode.Replica{{Time: 50 * time.Millisecond}}},
		}
		node := fakenode.RunConfigT(t, config)
		pay := func(on *fakenode.Node) {
			_, err := on.Transact(on.Account(0), fakenode.Tx{To: &to, Value: uint256.NewInt(1)})
			require.NoError(t, err)
			on.Advance(10 * time.Millisecond)
		}
		requireBalance := func(url string, want int64, what string) {
			client, err := ethclient.Dial(url)
			require.NoError(t, err)
			defer client.Close()
			is, err := client.BalanceAt(context.Background(), to, nil)
			require.NoError(t, err)
			require.Equal(t, want, is.Int64(), "%s: %s", preset, what)
		}
		pay(node)
		requireBalance(node.URL(), 1, "announced")
		requireBalance(node.Testnet().URL(), 0, "the other network")
		requireBalance(node.ReplicaURL(1), 0, "a replica that is behind")
		node.Advance(50 * time.Millisecond)
		requireBalance(node.ReplicaURL(1), 1, "a replica has it later")

		world, err := node.NewWorld(fakenode.WorldOptions{Name: "shop"})
		require.NoError(t, err)
		pay(world)
		requireBalance(world.URL(), 2, "a world goes on from what is announced")
		requireBalance(node.URL(), 1, "the node has not the payment of the world")

		id := node.Snapshot()
		pay(node)
		requireBalance(node.URL(), 2, "announced after a snapshot")
		require.NoError(t, node.Revert(id))
		requireBalance(node.URL(), 1, "reverted")

		node.Seal()
		pay(node)
		node.Seal()
		requireBalance(node.URL(), 2, "sealed")
		_, err = node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
		require.NoError(t, err)
		requireBalance(node.URL(), 1, "a reorg takes back what was at latest")

		pay(node)
		require.NoError(t, node.Close())
		node = fakenode.RunConfigT(t, config)
		requireBalance(node.URL(), 2, "after a restart")
		requireBalance(node.World("shop").URL(), 2, "a world after a restart")
		require.NoError(t, node.Close())
	}
}
