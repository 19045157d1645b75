package door_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/ethclient/simulated"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// BenchmarkNew starts and closes an in-process node: both networks, the server, no port.
func BenchmarkNew(b *testing.B) {
	b.Run("fakenode", func(b *testing.B) {
		config := fakenode.Config{StartTime: time.Unix(1_700_000_000, 0)}
		b.ReportAllocs()
		for b.Loop() {
			node, err := fakenode.New(config)
			require.NoError(b, err)
			require.NoError(b, node.Close())
		}
	})
	b.Run("simulated", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			backend := simulated.NewBackend(types.GenesisAlloc{})
			require.NoError(b, backend.Close())
		}
	})
}

// BenchmarkClone copies a node with a thousand blocks.
func BenchmarkClone(b *testing.B) {
	node := fakenode.RunConfigT(b, fakenode.Config{StartTime: time.Unix(1_700_000_000, 0)})
	_, err := node.Timeline().Seal(1_000)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, node.Clone().Close())
	}
}

// TestStaleCallCost is not parallel: it counts allocations of the whole process. A call answered from the past, at a
// replica or where a fault says so, takes no more of them than one at the head but for the words of who answered.
func TestStaleCallCost(t *testing.T) {
	node := fakenode.RunConfigT(t, fakenode.Config{Replicas: 1, ReplicaLag: []fakenode.Replica{{Blocks: 1}}})
	for range 100 {
		node.Seal()
	}
	allocations := func(url string) float64 {
		client, err := ethclient.Dial(url)
		require.NoError(t, err)
		defer client.Close()
		return testing.AllocsPerRun(300, func() {
			if _, err := client.BalanceAt(t.Context(), node.Account(0).Address, nil); err != nil {
				t.Fatal(err)
			}
		})
	}
	plain, replica := allocations(node.URL()), allocations(node.ReplicaURL(1))
	require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_gasPrice", Times: fakenode.Forever, Behind: fakenode.Behind{Blocks: 1}}))
	other := allocations(node.URL())
	require.NoError(t, node.Fail(fakenode.Fault{Times: fakenode.Forever, Behind: fakenode.Behind{Blocks: 1}}))
	stale := allocations(node.URL())
	t.Logf("allocations of a call and its client: %.0f, at a replica %.0f, beside a fault %.0f, stale by a fault %.0f", plain, replica, other, stale)
	require.InDelta(t, plain, other, 2)
	require.LessOrEqual(t, replica, plain*1.2) // 1.06 without the race detector, 1.1 with it
	require.LessOrEqual(t, stale, plain*1.2)   // 1.11, 1.15
}
