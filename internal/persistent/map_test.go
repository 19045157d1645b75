package persistent_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persistent"
)

func TestMapKeepsItsOldForm(t *testing.T) {
	t.Parallel()
	empty := persistent.NewMap[common.Address, int]()
	full := empty
	for i := range 1_000 {
		full = full.Set(common.Address{byte(i), 19: byte(i >> 8)}, i)
	}
	require.Zero(t, empty.Len())
	require.Equal(t, 1_000, full.Len())
	for i := range 1_000 {
		value, ok := full.Get(common.Address{byte(i), 19: byte(i >> 8)})
		require.True(t, ok)
		require.Equal(t, i, value)
	}
	_, ok := full.Delete(common.Address{7}).Get(common.Address{7})
	require.False(t, ok)
	_, ok = full.Get(common.Address{7})
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
