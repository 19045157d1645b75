package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure a small heap may grow by a multiple of itself, a large one by a part of itself.
func TestHeapGrowth(t *testing.T) {
	t.Parallel()
	for inUse, percent := range map[uint64]int{0: 300, 4 << 20: 300, 32 << 20: 300, 64 << 20: 200, 128 << 20: 100, 400 << 20: 32, 512 << 20: 25, 4 << 30: 25} {
		require.Equal(t, percent, percentFor(inUse), "%d MiB", inUse>>20)
	}
}
