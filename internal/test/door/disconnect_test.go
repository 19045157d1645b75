package door_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a client's subscription ends when the node cuts its connection, and misses the notifications that a fault
// drops.
func TestSubscriptionsFailOnCommand(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client, err := ethclient.Dial(node.WebSocketURL())
	require.NoError(t, err)
	defer client.Close()
	heads := make(chan *types.Header, 8)
	sub, err := client.SubscribeNewHead(t.Context(), heads)
	require.NoError(t, err)

	require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_subscription", Kind: "newHeads", Nth: 2, Drop: true}))
	for range 3 {
		node.Seal()
	}
	require.EqualValues(t, 1, (<-heads).Number.Uint64())
	require.EqualValues(t, 3, (<-heads).Number.Uint64())

	cut, err := node.Disconnect(fakenode.Disconnection{})
	require.NoError(t, err)
	require.Equal(t, 1, cut)
	require.Error(t, <-sub.Err())
}
