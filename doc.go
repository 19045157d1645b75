// Package fakenode is a local chain node for tests: an in-memory EVM chain of an Ethereum L2 whose sequencer
// pre-confirms transactions about every 200 ms, with an EIP-3009 payment token, and with reorgs, lost
// pre-confirmations, time and failures on command, the same on every run. It is for those who write tests; only those
// who build a node of their own need the packages below it.
//
//	func TestTransferIsPreconfirmedThenSealed(t *testing.T) {
//		t.Parallel()
//		node := fakenode.RunT(t)
//		hash, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address), Value: fixtures.Ether("1.5")})
//		require.NoError(t, err)
//
//		node.Preconfirm() // or Advance(200 * time.Millisecond)
//		receipt, err := node.Receipt(t.Context(), hash)
//		require.NoError(t, err)
//		require.Zero(t, receipt.BlockHash) // seen at pending, in no block yet
//
//		sealed := node.Seal()
//		receipt, err = node.Client().TransactionReceipt(t.Context(), hash) // as any client reads it
//		require.NoError(t, err)
//		require.Equal(t, sealed, receipt.BlockHash)
//	}
//
// It is not a network client, a consensus implementation or a place for real keys.
package fakenode
