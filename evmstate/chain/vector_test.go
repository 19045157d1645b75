package chain

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVectorsGrowingFromOneDoNotMix(t *testing.T) {
	t.Parallel()
	var base vector[int]
	for i := range 100 {
		base = base.append(i)
	}
	left, right := base.append(1000), base.append(2000)
	short := base.truncate(50).append(3000)
	for i := range 100 {
		left, right, short = left.append(i), right.append(-i), short.append(2*i)
	}
	require.Equal(t, 100, base.len())
	require.Equal(t, []int{1000, 0, 1}, left.all()[100:103])
	require.Equal(t, []int{2000, 0, -1}, right.all()[100:103])
	require.Equal(t, []int{49, 3000, 0, 2}, short.all()[49:53])
	require.Equal(t, 99, base.all()[99])
	require.Equal(t, 50, left.all()[50])
}

func TestVectorAppendFromManyGoroutines(t *testing.T) {
	t.Parallel()
	base := newVector(make([]int, 3, 100))
	results := make([]vector[int], 8)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			v := base
			for range 20 {
				v = v.append(i)
			}
			results[i] = v
		})
	}
	wg.Wait()
	for i, v := range results {
		require.Equal(t, 23, v.len())
		for _, item := range v.all()[3:] {
			require.Equal(t, i, item)
		}
	}
}

func TestVectorHandedOutCannotBeOverwritten(t *testing.T) {
	t.Parallel()
	v := newVector([]int{1}).append(2)
	_ = append(v.all(), 99)
	require.Equal(t, []int{1, 2, 3}, v.append(3).all())
}

// TestVectorTruncatedToNothing checks that an append after truncate(0) leaves the longer vector as it was.
func TestVectorTruncatedToNothing(t *testing.T) {
	t.Parallel()
	long := newVector([]int{1, 2})
	require.Equal(t, []int{3}, long.truncate(0).append(3).all())
	require.Equal(t, []int{1, 2}, long.all())
}

// TestVectorGrowsInPlace checks that appending copies the items only when the backing array is full.
func TestVectorGrowsInPlace(t *testing.T) {
	t.Parallel()
	var v vector[int]
	copies := 0
	for i := range 1_000 {
		next := v.append(i)
		if i > 0 && &next.items[0] != &v.items[0] {
			copies++
		}
		v = next
	}
	require.Less(t, copies, 20)
}
