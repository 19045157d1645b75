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

	require.Equal(t, []int{3}, base.truncate(0).append(3).all())
	_ = append(short.all(), 99)
	require.Equal(t, 7, short.append(7).all()[151])
	require.Equal(t, 0, base.all()[0])
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
