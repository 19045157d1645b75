package fakenode_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure an L1 and the L2 above it have one clock: what is due is made in the order of time, the L1's block first.
func TestL1Clock(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.Base, fakenode.Optimism, fakenode.BaseFlashblocks} {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, L1: true, StartTime: time.Unix(1_800_000_000, 0)})
			node.Advance(27 * time.Second)
			require.EqualValues(t, 2, node.L1().BlockNumber())
			require.Equal(t, node.Now(), node.L1().Now())
			l2 := node.Moment().Chain()
			var last uint64
			for n := uint64(1); n <= node.BlockNumber(); n++ {
				b := l2.BlockByNumber(n)
				origin := l2.L1(b)
				require.LessOrEqual(t, origin.Time, b.Time())
				require.LessOrEqual(t, origin.Number-last, uint64(1))
				require.Equal(t, node.L1().Moment().Chain().BlockByNumber(origin.Number).Hash(), origin.Hash)
				last = origin.Number
			}
			require.EqualValues(t, 2, last)
			id := node.L1().Snapshot()
			at := node.Now()
			node.L1().Seal()
			require.EqualValues(t, 3, node.L1().BlockNumber())
			require.Equal(t, node.Now(), node.L1().Now())
			require.Equal(t, at.Add(9*time.Second), node.Now())
			head := node.BlockNumber()
			_, err := node.L1().Reorg(fakenode.ReorgOptions{Depth: 2})
			require.NoError(t, err)
			require.EqualValues(t, 4, node.L1().BlockNumber())
			require.Greater(t, node.BlockNumber(), head)
			l2 = node.Moment().Chain()
			for n := uint64(1); n <= node.BlockNumber(); n++ {
				origin := l2.L1(l2.BlockByNumber(n))
				require.Equal(t, node.L1().Moment().Chain().BlockByNumber(origin.Number).Hash(), origin.Hash)
			}
			require.NoError(t, node.Revert(id))
			require.EqualValues(t, 2, node.L1().BlockNumber())
			require.Equal(t, at, node.L1().Now())
		})
	}
}
