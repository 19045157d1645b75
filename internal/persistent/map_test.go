package persistent_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persistent"
)

// TestMapKeepsItsOldForm checks, for each kind of keys, that changes of a map leave the map as it was.
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
	t.Run("number", func(t *testing.T) {
		t.Parallel()
		requireImmutable(t, func(i int) uint64 { return uint64(i) })
	})
}

func requireImmutable[K persistent.Key](t *testing.T, key func(i int) K) {
	var empty persistent.Map[K, int]
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

// TestMapIsAMap compares maps with Go's while entries come and go, and checks that earlier maps do not change.
func TestMapIsAMap(t *testing.T) {
	t.Parallel()
	type moment struct {
		is   persistent.Map[common.Hash, int]
		want map[common.Hash]int
	}
	random := rand.New(rand.NewPCG(1, 2))
	now := moment{want: map[common.Hash]int{}}
	var before []moment
	for i := range 20_000 {
		key := common.Hash{byte(random.IntN(64)), byte(random.IntN(32))}
		switch _, held := now.want[key]; {
		case i < 10_000 && random.IntN(3) > 0, i >= 10_000 && random.IntN(8) == 0:
			now.is, now.want[key] = now.is.Set(key, i), i
		default:
			now.is = now.is.Delete(key)
			delete(now.want, key)
			require.Equal(t, len(now.want), now.is.Len(), held)
		}
		if i%1_000 == 0 {
			before = append(before, moment{now.is, maps.Clone(now.want)})
		}
	}
	for _, m := range append(before, now) {
		require.Equal(t, m.want, maps.Collect(m.is.All()))
		require.Equal(t, len(m.want), m.is.Len())
		for key, value := range m.want {
			got, ok := m.is.Get(key)
			require.True(t, ok)
			require.Equal(t, value, got)
		}
		for range m.is.All() {
			break // an iteration that ends early does not go on
		}
	}
	for key := range now.want {
		now.is = now.is.Delete(key)
	}
	require.Empty(t, maps.Collect(now.is.All()))
	require.Zero(t, now.is.Len())
}

// TestSetInPlace checks that it makes the map that Set makes, and leaves the one from before as it was.
func TestSetInPlace(t *testing.T) {
	t.Parallel()
	var made, changed persistent.Map[common.Address, int]
	for _, count := range []int{700, 3_000} {
		owner, before, want := persistent.NewOwner(), changed, maps.Collect(changed.All())
		for i := range count {
			key := common.Address{byte(i), byte(i>>8) % 4}
			changed.SetInPlace(key, count+i, owner)
			made = made.Set(key, count+i)
		}
		require.Equal(t, maps.Collect(made.All()), maps.Collect(changed.All()))
		require.Equal(t, made.Len(), changed.Len())
		require.Equal(t, want, maps.Collect(before.All()))
	}
}

// TestNobodyOwnsWhatDeleteMakes checks that no writer changes in place what Delete made, whatever its number.
func TestNobodyOwnsWhatDeleteMakes(t *testing.T) {
	t.Parallel()
	for owner := range persistent.Owner(3) {
		var m persistent.Map[uint64, int]
		for i := range uint64(500) {
			m = m.Set(i, int(i))
		}
		for i := range uint64(200) {
			m = m.Delete(2 * i)
		}
		want, kept := maps.Collect(m.All()), m
		for i := range uint64(500) {
			m.SetInPlace(i, -1, owner)
		}
		require.Equal(t, want, maps.Collect(kept.All()))
		require.Equal(t, 500, m.Len())
	}
}

func BenchmarkMap(b *testing.B) {
	var m persistent.Map[common.Hash, int]
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
