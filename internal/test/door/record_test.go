package door_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// Ensure a recording holds what subscribers saw of a payment that a reorg takes back, and of the kinds asked for alone.
func TestRecord(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	all := node.Record(t)
	logs := node.Record(t, fakenode.FlashblockAdded, fakenode.LogsAdded, fakenode.LogsRemoved)
	pay(t, node, 0)
	all.Expect(fakenode.TransactionPooled)
	logs.Expect()
	require.Empty(t, logs.Logs())
	node.Token().Transfer(node.Account(1), node.Account(2).Address, fixtures.USD("1"))
	_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	require.NoError(t, err)
	logs.Expect(fakenode.FlashblockAdded, fakenode.LogsAdded, fakenode.LogsRemoved)

	seen := logs.Logs()
	require.Len(t, seen, 3)
	require.Zero(t, seen[0].BlockHash, "pre-confirmed")
	require.Equal(t, seen[0].TxHash, seen[2].TxHash)
	require.Equal(t, seen[1].BlockHash, seen[2].BlockHash)
	require.False(t, seen[1].Removed)
	require.True(t, seen[2].Removed)
	all.Expect(fakenode.TransactionPooled, fakenode.FlashblockAdded, fakenode.HeadAdded, fakenode.LogsAdded, fakenode.LogsRemoved, fakenode.HeadAdded, fakenode.HeadAdded)

	r := &recorder{TB: t}
	node.Record(r).Expect(fakenode.HeadAdded)
	require.Equal(t, "fakenode: recorded [], want [HeadAdded]", r.failure)
}

// Ensure a clone of CloneT belongs to its own test: it is closed with it, and its misuse fails it alone.
func TestCloneT(t *testing.T) {
	t.Parallel()
	parent := &recorder{TB: t}
	node := fakenode.RunT(parent)
	var clone, sibling *fakenode.Node
	t.Run("child", func(t *testing.T) {
		child := &recorder{TB: t}
		clone, sibling = node.CloneT(child), node.Clone()
		clone.Account(20)
		require.Contains(t, child.failure, "account 20")
		require.Empty(t, parent.failure)
		_, err := clone.Client().ChainID(t.Context())
		require.NoError(t, err)
	})
	_, err := clone.Client().ChainID(t.Context())
	require.ErrorIs(t, err, rpc.ErrClientQuit, "closed with its test")
	_, err = sibling.Client().ChainID(t.Context())
	require.NoError(t, err)
	sibling.Account(20)
	require.Contains(t, parent.failure, "account 20")
}
