package fakenode_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure blocks that anvil's preset makes in a second of the wall clock have its time, as anvil's have.
func TestPresetAnvilBlocksOfOneSecond(t *testing.T) {
	t.Parallel()
	isAhead := func(c fakenode.Config) bool {
		c.RealClock, c.Mode = true, fakenode.Manual
		node := fakenode.RunConfigT(t, c)
		for range 60 {
			node.Seal()
		}
		return int64(node.Moment().Latest().Time()) > time.Now().Unix()+30
	}
	require.False(t, isAhead(fakenode.Config{Preset: fakenode.Anvil}))
	require.True(t, isAhead(fakenode.Config{}))
}

// Ensure a genesis of one's own has Ethereum's rules under a preset with others, and what goes with those alone is
// refused.
func TestPresetRulesOfAGenesis(t *testing.T) {
	t.Parallel()
	genesis := fakenode.NewGenesis(nil)
	_, err := fakenode.New(fakenode.Config{Preset: fakenode.Optimism, Genesis: genesis, Fees: fakenode.FeeRules{Elasticity: 2}})
	require.ErrorContains(t, err, `rules "ethereum" take no denominator`)
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, Genesis: genesis})
	node.Seal()
	require.Zero(t, node.Moment().Latest().Count(), "no deposit")
}
