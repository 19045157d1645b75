package door_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
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
