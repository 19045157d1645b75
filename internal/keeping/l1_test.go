package keeping_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// requireDerived ensures that every block of the main network refers to a block that its L1 has, by the rules.
func requireDerived(t *testing.T, node *fakenode.Node) {
	t.Helper()
	l2, l1 := node.Moment().Chain(), node.L1().Moment().Chain()
	for n := uint64(1); n <= l2.Head().Number(); n++ {
		b := l2.BlockByNumber(n)
		origin, before := l2.L1(b), l2.L1(l2.BlockByNumber(n-1))
		require.LessOrEqual(t, origin.Number-before.Number, uint64(1), "block %d", n)
		require.LessOrEqual(t, origin.Time, b.Time(), "block %d", n)
		require.Equal(t, l1.BlockByNumber(origin.Number).Hash(), origin.Hash, "block %d", n)
	}
}

// Ensure a node with an L1 that is started again is the one that was stopped, its worlds too, and that the file says
// whether there is one.
func TestL1IsKept(t *testing.T) {
	t.Parallel()
	config := keptConfig(t)
	config.L1 = true
	node := fakenode.RunConfigT(t, config)
	node.Advance(40 * time.Second)
	world, err := node.NewWorld(fakenode.WorldOptions{Name: "other"})
	require.NoError(t, err)
	_, err = world.L1().Reorg(fakenode.ReorgOptions{Depth: 2})
	require.NoError(t, err)
	node.L1().Seal()
	l1, of := pictureOf(t, node.L1()), pictureOf(t, world.L1())
	heads := []common.Hash{world.Moment().Latest().Hash(), world.L1().Moment().Latest().Hash()}

	node = again(t, node, config)
	require.Equal(t, l1, pictureOf(t, node.L1()))
	requireDerived(t, node)
	world = node.World("other")
	require.Equal(t, of, pictureOf(t, world.L1()))
	require.Equal(t, heads, []common.Hash{world.Moment().Latest().Hash(), world.L1().Moment().Latest().Hash()})
	requireDerived(t, world)
	world.L1().Seal()
	of = pictureOf(t, world.L1())
	node = again(t, node, config)
	require.Equal(t, of, pictureOf(t, node.World("other").L1()), "at the start after that, too")
	node.Advance(30 * time.Second)
	require.Equal(t, node.Now(), node.L1().Now())
	requireDerived(t, node)
	require.NoError(t, node.Close())

	config.L1 = false
	_, err = fakenode.New(config)
	require.ErrorContains(t, err, "--l1 must be given again")
	without := keptConfig(t)
	require.NoError(t, fakenode.RunConfigT(t, without).Close())
	without.L1 = true
	_, err = fakenode.New(without)
	require.ErrorContains(t, err, "keeps a network without an L1 beside it")
}
