package door_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a node works in a bubble of testing/synctest, where time passes only while every goroutine waits: with a clock
// that follows the bubble's, a client in the process, its subscriptions, and worlds that end when they were idle.
func TestNodeInABubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Interval, RealClock: true})
		go func() { _ = node.Run(t.Context()) }()
		client := node.Client()
		heads := make(chan *types.Header, 16)
		subscription, err := client.SubscribeNewHead(t.Context(), heads)
		require.NoError(t, err)
		begun := time.Now()
		hash, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address)})
		require.NoError(t, err)
		head := <-heads
		require.LessOrEqual(t, time.Since(begun), 2*time.Second)
		receipt, err := client.TransactionReceipt(t.Context(), hash)
		require.NoError(t, err)
		require.Equal(t, head.Hash(), receipt.BlockHash)
		subscription.Unsubscribe()

		world, err := node.NewWorld(fakenode.WorldOptions{Name: "a", TTL: time.Minute})
		require.NoError(t, err)
		user := world.Client() // a WebSocket
		time.Sleep(2 * time.Minute)
		require.NotNil(t, node.NetworkAt("/w/a"))
		user.Close()
		time.Sleep(time.Minute - time.Second)
		require.NotNil(t, node.NetworkAt("/w/a"))
		time.Sleep(2 * time.Second)
		require.Nil(t, node.NetworkAt("/w/a"))
	})
}
