package door_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a world is a whole node of its own: both networks, faults and journal, at the URLs it reports, whoever made
// it.
func TestWorld(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	node.Seal()
	world, err := node.NewWorld(fakenode.WorldOptions{Name: "a"})
	require.NoError(t, err)
	require.Equal(t, "a", world.Name())
	require.Equal(t, node.URL()+"/w/a", world.URL())
	require.Equal(t, node.WebSocketURL()+"/w/a", world.WebSocketURL())
	require.Equal(t, node.URL()+"/w/a/testnet", world.TestnetURL())

	world.Seal()
	world.Testnet().Seal()
	number, err := world.Client().BlockNumber(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, number)
	number, err = world.Testnet().Client().BlockNumber(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, number)
	require.EqualValues(t, 1, node.BlockNumber())
	require.Zero(t, node.Testnet().BlockNumber())

	same := node.World("a")
	require.EqualValues(t, 2, same.BlockNumber())
	require.Len(t, same.Calls("eth_blockNumber"), 1)
	require.Empty(t, node.Calls("eth_blockNumber"))
	id := world.Snapshot()
	world.Seal()
	nested, err := world.NewWorld(fakenode.WorldOptions{Snapshot: &id})
	require.NoError(t, err)
	require.EqualValues(t, 2, nested.BlockNumber())
	require.EqualValues(t, 3, world.Clone().BlockNumber())

	require.NoError(t, world.Close())
	require.NoError(t, world.Close())
	_, err = world.Client().BlockNumber(t.Context())
	require.ErrorIs(t, err, rpc.ErrClientQuit)
	number, err = nested.Client().BlockNumber(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, number)
}
