package persistent_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persistent"
)

// TestMapKeepsItsOldForm checks, for both kinds of keys, that changes of a map leave the map as it was.
func TestMapKeepsItsOldForm(t *testing.T) {
	t.Parallel()
	t.Run("address", func(t *testing.T) {
		t.Parallel()
		requireImmutable(t, func(i int) common.Address { return common.Address{byte(i), 19: byte(i >> 8)} })
	})
	t.Run("hash", func(t *testing.T) {
		t.Parallel()
		requireImmutable(t, func(i int) common.Hash { return common.Hash{byte(i), 31: byte(i >> 8)} })
	})
}

func requireImmutable[K common.Address | common.Hash](t *testing.T, key func(i int) K) {
	empty := persistent.NewMap[K, int]()
	full := empty
	for i := range 1_000 {
		full = full.Set(key(i), i)
	}
	require.Zero(t, empty.Len())
	require.Equal(t, 1_000, full.Len())
	for i := range 1_000 {
		value, ok := full.Get(key(i))
		require.True(t, ok)
		require.Equal(t, i, value)
	}
	_, ok := full.Delete(key(7)).Get(key(7))
	require.False(t, ok)
	_, ok = full.Get(key(7))
	require.True(t, ok)
}

func BenchmarkMap(b *testing.B) {
	m := persistent.NewMap[common.Hash, int]()
	for i := range 10_000 {
		m = m.Set(common.Hash{byte(i), byte(i >> 8)}, i)
	}
	b.Run("get", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			m.Get(common.Hash{byte(i), byte(i>>8) % 39})
		}
	})
	b.Run("set", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			m.Set(common.Hash{byte(i), byte(i>>8) % 39}, i)
		}
	})
}
