package main

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures/contracts/b20"
)

// Ensure a transfer of a B20 token has its memo, pre-confirmed and in a block, loses it with its block, and that no
// other transfer has one.
func TestMemos(t *testing.T) {
	t.Parallel()
	node, token := fakenode.RunT(t), b20.NewStablecoin()
	in := newIndexed(t, node)
	in.config.Token = b20.Address
	in.close()
	in.config.Database += ".b20"
	in.open()
	payer, shop := node.Account(0), node.Account(1)
	amount, order := big.NewInt(25), common.Hash{31: 42}
	for _, data := range [][]byte{
		token.PackTransfer(shop.Address, amount),
		token.PackTransferWithMemo(shop.Address, amount, order),
		token.PackTransferWithMemo(shop.Address, amount, common.Hash{}), // a memo may be zero
		token.PackTransfer(shop.Address, amount),
	} {
		_, err := node.Transact(payer, fakenode.Tx{To: &b20.Address, Data: data, Gas: 200_000})
		require.NoError(t, err)
	}
	memos := func() (memos []string, pending bool) {
		require.NoError(t, in.look())
		found, _ := in.transfers("&to=" + shop.Address.Hex())
		for _, transfer := range found {
			memos, pending = append(memos, transfer.Memo), transfer.Pending
		}
		return memos, pending
	}
	newestFirst := []string{"", common.Hash{}.Hex(), order.Hex(), ""}

	node.Preconfirm()
	got, pending := memos()
	require.Equal(t, newestFirst, got)
	require.True(t, pending)
	node.Seal()
	got, pending = memos()
	require.Equal(t, newestFirst, got)
	require.False(t, pending)
	in.restart()
	got, _ = memos()
	require.Equal(t, newestFirst, got)

	_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	require.NoError(t, err)
	got, _ = memos()
	require.Empty(t, got)
}
